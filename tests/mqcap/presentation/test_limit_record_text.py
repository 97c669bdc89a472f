"""Records of limits in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.console.ledger import LimitRecord
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.score import SiteCorrection
from mqcap.presentation.limit_record_text import (
    correction_line,
    dates_text,
    probabilities_text,
    record_lines,
    shift_text,
)
from tests.factories import DAY


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


def correction(shift: float, limits: int = 50) -> SiteCorrection:
    return SiteCorrection(cutoff_date=DAY, shift=shift, limit_count=limits, case_count=3 * limits)


@pytest.mark.parametrize(("limits", "is_enough"), [(49, False), (50, True), (51, True)])
def test_too_few_limits_are_stated_as_such(limits: int, is_enough: bool) -> None:
    line = correction_line(correction(0.0, limits), 50)
    assert ("50 are needed" in line) is not is_enough
    assert ("probabilities stay as they are" in line) is is_enough
    assert f"{limits} limits" in line


def test_shift_and_cases_are_in_one_line() -> None:
    assert correction_line(correction(0.2), 50) == (
        "Own outcomes: 150 probabilities of 50 limits whose days are over; log odds times 1.00 "
        "+0.20: 10, 50 and 90 % become 12 %, 55 %, 92 %."
    )


def test_a_slope_alone_is_a_correction() -> None:
    less_sure = correction(0.0).model_copy(update={"slope": 0.5})
    assert shift_text(less_sure).endswith("10, 50 and 90 % become 25 %, 50 %, 75 %")
