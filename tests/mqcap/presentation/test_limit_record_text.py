"""Records of limits in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.console.limit_record import LimitRecord
from mqcap.domain.forecast import ForecastBasis
from mqcap.presentation.limit_record_text import dates_text, probabilities_text, record_lines


def record(rule_id: str = "A", **changed: Any) -> LimitRecord:
    return LimitRecord(rule_id=rule_id, **({"basis": ForecastBasis.hold_out} | changed))


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "no date was due"),
        ({"due_count": 1}, "1 date due, 0 came within 14 days after it"),
        ({"due_count": 2, "came_count": 1, "error_days": 1.0}, "2 dates due, 1 came, 1 day off"),
        (
            {"due_count": 3, "came_count": 2, "error_days": 3.0},
            "3 dates due, 2 came, half within 3 days",
        ),
    ],
)
def test_dates_are_counted_with_their_error(changed: dict[str, Any], text: str) -> None:
    assert dates_text(record(**changed)) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "no stated probability is over"),
        (1, "1 probability of 15 % on average, 14 % came true"),
        (2, "2 probabilities of 15 % on average, 14 % came true"),
    ],
)
def test_probabilities_are_compared_with_outcomes(count: int, text: str) -> None:
    made = record(probability_count=count, stated_ratio=0.15, came_ratio=0.1379)
    assert probabilities_text(made) == text


def test_rules_of_which_nothing_was_due_or_likely_are_counted() -> None:
    due = record("B", due_count=1)
    assert record_lines([]) == []
    assert record_lines([record("A"), due, record("B"), record("C")]) == [
        ("Hold-out: B: 1 date due, 0 came within 14 days after it; no stated probability is over."),
        ("2 other rules: no date was due, nothing was likelier than 1 % on average, nothing came."),
    ]
