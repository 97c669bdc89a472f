"""The forecast of a night leans on those of the nights before, unless the series has changed."""

from __future__ import annotations

import numpy as np

from forecasting.interval import PredictionInterval
from forecasting.recent_origins import DAYS_BACK, FULL_LEAD_DAYS, alike_origins, carried_over
from tests.forecasting.builders import history, noise


def _lines(value: float, days: int = 30) -> PredictionInterval:
    return PredictionInterval(*(np.full(days, value + side) for side in (-1.0, 0.0, 1.0)))


def test_a_series_without_news_has_the_origins_of_the_last_nights() -> None:
    series = history(100.0 + noise(200))
    origins = alike_origins(series, 30)
    assert [back for back, _ in origins] == list(DAYS_BACK)
    assert [len(earlier.values) for _, earlier in origins] == [198, 196, 194]


def test_a_night_before_a_level_shift_was_found_does_not_count() -> None:
    """Eight days of it are seen tonight, and seven do not show it."""
    values = 100.0 + noise(200)
    values[-8:] += 50.0
    assert alike_origins(history(values), 30) == []


def test_nights_with_the_shift_count_and_those_before_do_not() -> None:
    values = 100.0 + noise(200)
    values[-11:] += 50.0
    assert [back for back, _ in alike_origins(history(values), 30)] == [2]


def test_a_forecast_without_earlier_nights_is_that_of_tonight() -> None:
    tonight = _lines(10.0)
    assert carried_over(tonight, []) is tonight


def test_all_nights_count_alike_from_the_full_lead_and_less_before() -> None:
    mixed = carried_over(_lines(10.0), [_lines(20.0)])
    at = FULL_LEAD_DAYS - 1
    assert mixed.expected[0] == (10 + 20 / FULL_LEAD_DAYS) / (1 + 1 / FULL_LEAD_DAYS)
    assert mixed.expected[at - 1] < mixed.expected[at] == mixed.expected[at + 1] == 15.0
    assert mixed.upper[at] - mixed.lower[at] == 2.0


def test_the_width_of_one_odd_night_does_not_count() -> None:
    wide = PredictionInterval(np.full(30, 2.0), np.full(30, 10.0), np.full(30, 20.0))
    mixed = carried_over(wide, [_lines(10.0), _lines(10.0), _lines(10.0)])
    at = FULL_LEAD_DAYS - 1
    assert (mixed.lower[at], mixed.expected[at], mixed.upper[at]) == (9.0, 10.0, 11.0)
    assert mixed.upper[0] == 10.0 + (13 * 10.0 + 1.0) / 14
