"""The list of tickets."""

from __future__ import annotations

from tests.plugins.web import TestClient, text_of


def test_tickets_are_shown_by_state(filled: TestClient) -> None:
    assert "CSQ1 fills a log in 27 min" in text_of(filled.get("/tickets?state=open"))
    assert "No closed tickets" in text_of(filled.get("/tickets?state=closed"))
