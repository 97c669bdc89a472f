"""Ceilings of servers and queues: MP16, "Strict ordering - single reply application"."""

from __future__ import annotations

from tests.sizing.builders import refusal


def test_a_combination_that_was_not_measured_names_those_that_were() -> None:
    text = refusal(
        "THR-RR-PRIVATE", lpar="3-way", queue_pairs=5, repliers_per_pair=1, requesters_per_pair=1
    )
    assert text.startswith("the document has no such row in request_reply_private")
    assert "found 3-way 5 1 1" in text
    assert "3-way 4 1 1" in text
