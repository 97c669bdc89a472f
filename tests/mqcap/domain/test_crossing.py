"""Horizon of a crossing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from mqcap.domain.crossing import (
    PROBABILITY_DAYS,
    CrossingState,
    reach_days,
    reach_words,
    stated_probability,
)
from tests.factories import DAY, crossing

WITHOUT_DATES: dict[str, Any] = {
    "state": CrossingState.not_within_horizon,
    "earliest_date": None,
    "expected_date": None,
    "latest_date": None,
}


def probabilities(last: int) -> dict[str, Any]:
    return {f"probability_{days}_days": 0.1 for days in PROBABILITY_DAYS if days <= last}


@pytest.mark.parametrize(
    ("last", "words"),
    [(365, "a year"), (180, "180 days"), (90, "90 days"), (30, "30 days"), (0, "the horizon")],
)
def test_the_reach_is_that_of_the_last_stated_probability(last: int, words: str) -> None:
    reaching = crossing(**WITHOUT_DATES, **probabilities(last))
    assert reach_days(reaching) == last
    assert reach_words(reaching) == words


def test_a_date_after_the_last_probability_extends_the_reach_in_days_only() -> None:
    late = DAY + timedelta(days=200)
    reaching = crossing(latest_date=late, **probabilities(180))
    assert reach_days(reaching) == 200
    assert reach_words(reaching) == "180 days"


def test_a_probability_of_zero_is_stated() -> None:
    reaching = crossing(**WITHOUT_DATES, probability_60_days=0.0)
    assert reach_days(reaching) == 60


@pytest.mark.parametrize(("days", "ratio"), [(90, 0.1), (30, 0.1), (180, None), (91, None)])
def test_a_probability_is_stated_for_some_days_within_reach(days: int, ratio: float | None) -> None:
    assert stated_probability(crossing(**probabilities(90)), days) == ratio
