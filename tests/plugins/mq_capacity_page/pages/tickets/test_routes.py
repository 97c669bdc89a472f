"""The list of tickets."""

from __future__ import annotations

from tests.plugins.web import TestClient, text_of


def test_tickets_are_shown_by_state(filled: TestClient) -> None:
    assert "CSQ1 fills a log in 27 min" in text_of(filled.get("/tickets?state=open"))
    assert "No closed tickets" in text_of(filled.get("/tickets?state=closed"))


def test_a_ticket_shows_its_figure_change_owner_due_day_and_age(filled: TestClient) -> None:
    page = text_of(filled.get("/tickets?state=open"))
    assert "PLEX1 CSQ1 active logs : 9,000 of 8,100 MB/hour · change 16 x CYL(5825)" in page
    assert "MQCAP-7 · Payments MQ team · due Sat 14 Feb 2026 · open for 11 days" in page
