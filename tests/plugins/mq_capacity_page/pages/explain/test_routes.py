"""A finding explained on the page, and its statements."""

from __future__ import annotations

import pytest

from tests.plugins.web import TestClient, text_of

FINDING = "rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1&day=2026-01-31"


def test_the_explanation_has_inputs_arithmetic_limit_and_citation(filled: TestClient) -> None:
    words = text_of(filled.get(f"/explain?{FINDING}"))
    assert "log_size_mib = 4050 MiB source: " in words
    assert "headroom = (limit - observed) / limit = (2.25 - 2.5) / 2.25" in words
    assert 'MP16 (14), "Active logs"' in words
    assert "over the limit since 2026-01-20" in words


def test_every_finding_links_to_its_explanation(filled: TestClient) -> None:
    text = filled.get("/subject?name=PLEX1/CSQ1").text
    assert "explain?rule=LOG-FILL-30MIN&amp;subject=PLEX1%2FCSQ1&amp;day=2026-01-31" in text


def test_the_statements_are_text_to_be_reviewed(filled: TestClient) -> None:
    answer = filled.get(f"/change-pack?{FINDING}")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.startswith("//* CHANGE PACK FOR REVIEW.")


@pytest.mark.parametrize("path", ["explain", "change-pack"])
@pytest.mark.parametrize("day", ["2026-01-31", "2020-01-01"])
def test_what_was_not_found_is_not_explained(filled: TestClient, path: str, day: str) -> None:
    answer = filled.get(f"/{path}?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ9&day={day}")
    assert answer.status_code == 404
