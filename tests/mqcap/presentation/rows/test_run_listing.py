"""Runs of steps as a table."""

from __future__ import annotations

from mqcap.presentation.rows.run_listing import run_listing
from tests.factories import step_run


def test_a_row_has_the_step_its_end_and_its_counts_without_empty_ones() -> None:
    counts = {"files_landed": 2, "rejected": [], "waiting": ["a", "b"]}
    [row] = run_listing([step_run(step="land", counts=counts)], "title").rows
    assert row == ("land", "2026-03-02 12:00 UTC", "files landed 2, waiting a; b")
