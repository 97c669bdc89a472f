from __future__ import annotations

import pytest

from tests.plugins import builder
from tests.plugins.web import TestClient


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/series",
        f"/series?series={builder.LOG}",
        "/subject?name=PLEX1/CSQ1",
        "/tickets",
        "/mail",
        "/data",
    ],
)
def test_a_page_answers(filled: TestClient, address: str) -> None:
    answer = filled.get(address)
    assert answer.status_code == 200, answer.text
