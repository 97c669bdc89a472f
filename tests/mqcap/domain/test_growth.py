from __future__ import annotations

import pytest

from mqcap.domain.forecast import growth_of

WEEK = (10.0, 10.0, 10.0, 10.0, 10.0, 2.0, 2.0)


def test_growth_is_the_line_through_the_weeks_whatever_the_weekends() -> None:
    rising = [value + 0.1 * week for week in range(20) for value in WEEK]
    grown = growth_of(rising)
    assert grown is not None
    assert grown.a_month == pytest.approx(0.1 * 30 / 7)
    assert grown.share == pytest.approx(0.1 * 30 / 7 / 10)


def test_a_holiday_in_the_last_week_does_not_turn_growth_into_decline() -> None:
    rising = [value + 0.1 * week for week in range(20) for value in WEEK]
    rising[-7:-5] = [2.0, 2.0]
    grown = growth_of(rising)
    assert grown is not None
    assert grown.a_month == pytest.approx(0.1 * 30 / 7)


def test_less_than_two_weeks_have_no_growth() -> None:
    assert growth_of([1.0] * 13) is None
    assert growth_of([1.0] * 14) == (0.0, 0.0)


def test_a_line_that_begins_at_zero_or_below_has_no_share() -> None:
    grown = growth_of([float(week) for week in range(3) for _ in range(7)])
    assert grown is not None
    assert grown.share is None
