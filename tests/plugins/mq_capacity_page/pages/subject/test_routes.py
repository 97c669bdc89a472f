"""The page of one subject."""

from __future__ import annotations

from tests.plugins.web import TestClient, text_of


def test_the_series_page_names_what_a_finding_lacks(filled: TestClient) -> None:
    text = text_of(filled.get("/subject?name=PLEX1/CSQ1"))
    assert "active_logs: set it in the estate (DISPLAY LOG)" in text


def test_a_subject_page_lists_the_subjects_below_it(filled: TestClient) -> None:
    text = text_of(filled.get("/subject?name=PLEX1"))
    assert "CF01" in text
    assert "CSQ1" in text
    assert "TST1" not in text
