"""The mix of one series and the reference that it must beat."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from forecasting.arrays import FloatArray
from forecasting.engine.build import series_of
from forecasting.engine.kinds import DAILY, SHORT_HOURLY, SeriesKind
from forecasting.engine.levels import adjusted_naive, walk
from forecasting.engine.mixing import Mixed, mixed

FIRST: Final = np.datetime64("2025-01-01T00", "h")
RNG: Final = np.random.default_rng(5)
HOURS: Final = np.arange(289)
DAYS: Final = np.arange(200)
WANDERING: Final = 500 + np.cumsum(RNG.normal(0, 5, 200))


def _of(values: FloatArray, kind: SeriesKind, horizon: int) -> Mixed:
    return mixed(series_of(values, FIRST, kind, horizon), horizon)


def test_a_series_that_wanders_is_forecast_as_a_walk() -> None:
    item = _of(WANDERING, DAILY, 14)
    assert item.path == pytest.approx(walk(WANDERING, DAILY.lags, 14), rel=0.01)


def test_a_week_that_repeats_is_not() -> None:
    values = 100 + 40.0 * (DAYS % 7 < 5) + RNG.normal(0, 1, 200)
    expected = 100 + 40.0 * (np.arange(200, 214) % 7 < 5)
    assert np.abs(_of(values, DAILY, 14).path - expected).mean() < 2


def test_a_short_history_in_hours_is_tried_at_five_origins() -> None:
    item = _of(20 + RNG.normal(0, 1, 289), SHORT_HOURLY, 48)
    assert np.isfinite(item.errors).any(axis=1).tolist() == [True] * 5
    assert np.isfinite(item.errors).sum(axis=1).tolist() == [24, 48, 48, 48, 48]


def test_a_spike_does_not_lift_a_short_forecast() -> None:
    values = 20 + RNG.normal(0, 0.5, 289)
    values[250] = 4000.0
    assert np.abs(_of(values, SHORT_HOURLY, 48).path - 20).max() < 3


@pytest.mark.parametrize("behind", [30, 100])
def test_a_new_level_is_where_a_short_forecast_goes_on(behind: int) -> None:
    values = 10 + 50.0 * (behind > 289 - HOURS) + RNG.normal(0, 0.2, 289)
    assert np.median(_of(values, SHORT_HOURLY, 48).path) == pytest.approx(60, abs=2)


def test_a_short_forecast_leaves_the_reference_where_a_day_repeats() -> None:
    shape = np.where(HOURS % 24 == 7, 90.0, np.where(HOURS % 24 == 8, 2.0, 30.0))
    values = shape * RNG.lognormal(0, 0.05, 289)
    values[-1] *= 1.4
    item = _of(values, SHORT_HOURLY, 48)
    hours = np.arange(289, 337) % 24
    truth = np.where(hours == 7, 90.0, np.where(hours == 8, 2.0, 30.0))
    own = np.abs(item.path - truth).mean()
    assert own < 0.7 * np.abs(adjusted_naive(values, 24, 48) - truth).mean()


def test_a_load_that_comes_now_and_then_is_expected_to_be_zero() -> None:
    values = np.zeros(289)
    values[::37] = RNG.uniform(5, 9, 8)
    item = _of(values, SHORT_HOURLY, 48)
    assert np.median(item.path) == 0
    assert item.seen == (0.0, values.max())


def test_other_series_need_not_hold_what_was_seen() -> None:
    assert _of(WANDERING, DAILY, 14).seen == (np.inf, -np.inf)


def test_less_than_two_cycles_are_measured_by_neighbours() -> None:
    values = np.array([1.0, 3.0] * 11)
    assert _of(values, SHORT_HOURLY, 4).naive_scale == 2.0


def test_without_an_origin_the_last_cycle_is_repeated() -> None:
    values = RNG.normal(50, 1, 60)
    item = _of(values, SHORT_HOURLY, 48)
    assert item.path == pytest.approx(np.tile(values[-24:], 2))
    assert item.errors.shape == (0, 48)
