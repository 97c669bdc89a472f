"""Pages for a signed-in reader: found, empty, unknown, store down."""

from __future__ import annotations

import pytest

from tests.plugins import builder
from tests.plugins.web import TestClient, text_of

PAGES = [
    "/",
    "/series",
    f"/series?series={builder.LOG}",
    f"/series?series={builder.QUIET}",
    "/subject?name=PLEX1/CSQ1",
    "/tickets",
    "/mail",
    "/data",
    "/reports",
    "/whatif",
    "/whatif?subject=PLEX1/CSQ1&growth=10-30",
    "/plan?resource=PLEX1/CSQ1/active_log",
    "/finding?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1",
    "/explain?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1&day=2026-01-31",
]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_answers(filled: TestClient, address: str) -> None:
    answer = filled.get(address)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    "address", ["/", "/series", "/whatif", "/tickets", "/mail", "/data", "/completeness"]
)
def test_an_empty_store_says_what_to_do(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert "daily DAG" in text_of(answer)
