"""Scripts and styles as files."""

from __future__ import annotations

import pytest

from mq_capacity_page.web.assets import MEDIA_TYPES
from tests.plugins.web import TestClient, text_of


@pytest.mark.parametrize(
    "name", [name for name in MEDIA_TYPES if name.startswith(("page", "theme"))]
)
def test_our_own_files_name_no_other_server(filled: TestClient, name: str) -> None:
    assert "://" not in filled.get(f"/static/{name}").text


def test_static_files_are_kept_by_the_browser_only(filled: TestClient) -> None:
    headers = filled.get("/static/page.js").headers
    assert headers["cache-control"].startswith("private, max-age=31536000")
    assert headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("name", MEDIA_TYPES)
def test_every_file_is_served_with_its_type(filled: TestClient, name: str) -> None:
    answer = filled.get(f"/static/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(MEDIA_TYPES[name].partition(";")[0])


def test_a_file_that_is_none_of_ours_is_not_found_by_name(filled: TestClient) -> None:
    answer = filled.get("/static/application.py")
    assert answer.status_code == 404
    assert "Unknown file 'application.py'." in text_of(answer)


def test_files_are_served_while_the_store_does_not_answer(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", "postgresql://nobody@127.0.0.1:1/none")
    assert client.get("/static/page.css").status_code == 200
