"""The forecast of a night leans on those of the nights before, unless the series has changed."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from forecasting import ForecastOptions, forecast_series
from forecasting.interval import PredictionInterval
from forecasting.model import Prediction
from forecasting.models.prophet_exact import _predicted
from forecasting.recent_origins import (
    DAYS_BACK,
    FULL_LEAD_DAYS,
    alike_origins,
    as_of_tonight,
    carried_over,
)
from forecasting.specification import CONFIGURATIONS
from tests.forecasting.builders import CUTOFF, history, noise, rows


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


@pytest.mark.thorough
def test_the_nights_of_the_days_before_are_found_again_and_change_no_byte() -> None:
    """Of two days later all three earlier nights are known: one was tonight, two were before.

    Of the two origins of the back-test that before which no Sunday has come in between is too.
    """
    given, options = rows(40.0 + noise(140)), ForecastOptions(final_fit="fast")
    earlier, later = CUTOFF - timedelta(days=2), CUTOFF
    _predicted.cache_clear()
    (alone,) = forecast_series(given, options, later)
    _predicted.cache_clear()
    forecast_series(given, options, earlier)
    before = _predicted.cache_info()
    (after,) = forecast_series(given, options, later)
    info = _predicted.cache_info()
    candidates = len(CONFIGURATIONS)
    assert after.mix is not None
    assert after.mix.night_count == 1 + len(DAYS_BACK)
    leader = 1  # made again, by Prophet where that makes the last fit
    moved, same = 1, 1  # origins 30 and 60 days back: 90 are more than half of the history
    assert info.hits - before.hits == candidates * (len(DAYS_BACK) + same) + leader
    assert info.misses - before.misses == candidates * (1 + moved)
    assert after.model_dump_json() == alone.model_dump_json()


def test_tonights_days_of_an_earlier_night_have_the_errors_of_as_many_days_ahead() -> None:
    ahead = np.arange(10.0)
    made = Prediction(ahead, ahead + 100, ahead + 200, log_scale=False)
    tonight = as_of_tonight(made, 4, 5)
    assert tonight.expected.tolist() == [4, 5, 6, 7, 8]
    assert tonight.variance.tolist() == [100, 101, 102, 103, 104]
    assert tonight.excess.tolist() == [200, 201, 202, 203, 204]
