"""Medians of the last values, the adjusted naive forecast and the random walk."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.arrays import FloatArray
from forecasting.engine.levels import (
    LEVEL_GAINS,
    TREND_DAMPING,
    TREND_GAINS,
    adjusted_naive,
    damped_trend,
    median_cycle,
    recent_median,
    walk,
)

RNG = np.random.default_rng(3)
LAGS = (1, 2, 3)


@pytest.mark.parametrize(("width", "expected"), [(1, 9.0), (3, 4.0), (50, 3.0)])
def test_the_level_is_the_median_of_the_last_values(width: int, expected: float) -> None:
    values = np.array([1.0, 2.0, 2.0, 4.0, np.nan, 9.0])
    assert recent_median(values, width, 2).tolist() == [expected, expected]


def test_the_median_cycle_goes_on_in_phase() -> None:
    values = np.array([100.0, 1.0, 5.0, 2.0, 6.0, 3.0, 70.0])
    assert median_cycle(values, 2, 3, 3).tolist() == [2.0, 6.0, 2.0]
    assert median_cycle(values, 2, 1, 3).tolist() == [3.0, 70.0, 3.0]


def test_less_than_a_cycle_gives_the_median() -> None:
    assert median_cycle(np.array([1.0, 5.0, 3.0]), 24, 7, 2).tolist() == [3.0, 3.0]


def test_a_season_moves_the_last_value() -> None:
    season = np.tile([1.0, 2.0, 3.0, 2.0], 12)
    assert adjusted_naive(10 * season[:46], 4, 4) == pytest.approx([30, 20, 10, 20], rel=1e-6)


@pytest.mark.parametrize(
    "values",
    [
        RNG.normal(50, 1, 60),
        np.tile([1.0, 2.0, 3.0, 2.0], 12)[:11],
        np.r_[np.zeros(40), 3.0, np.zeros(19)],
        np.full(30, 4.0),
        np.tile([0.0, 0.0, 0.0, 5.0], 12),
    ],
    ids=["noise", "short", "a spike in zeros", "constant", "a slot of zeros"],
)
def test_the_last_value_goes_on_where_no_season_is_known(values: FloatArray) -> None:
    assert adjusted_naive(values, 4, 3).tolist() == [values[-1]] * 3


def test_the_walk_of_a_level_stays_there() -> None:
    assert walk(np.full(100, 7.0), LAGS, 4).tolist() == [7.0] * 4


def test_the_walk_follows_a_drift_and_less_and_less() -> None:
    steps = np.diff(walk(np.arange(200.0), LAGS, 12))
    assert (steps > 0).all()
    assert steps[-1] < steps[0] <= 1.0


@pytest.mark.parametrize("count", [1, 2, 21])
def test_a_walk_needs_no_length(count: int) -> None:
    assert np.isfinite(walk(RNG.normal(0, 1, count), LAGS, 5)).all()


def _written_out(
    values: FloatArray, gain: float, share: float, horizon: int
) -> tuple[float, FloatArray]:
    level, slope, square = values[0], 0.0, 0.0
    for value in values[1:]:
        ahead = level + TREND_DAMPING * slope
        square += (value - ahead) ** 2
        level = ahead + gain * (value - ahead)
        slope = TREND_DAMPING * slope + gain * share * (value - ahead)
    fading = np.cumsum(TREND_DAMPING ** np.arange(1, horizon + 1))
    return square, level + slope * fading


def test_the_damped_trend_is_the_recursion_written_out() -> None:
    values = np.cumsum(RNG.normal(0.3, 1, 120))
    tried = [_written_out(values, gain, share, 6) for gain in LEVEL_GAINS for share in TREND_GAINS]
    _, best = min(tried, key=lambda pair: pair[0])
    assert damped_trend(values, 6) == pytest.approx(best)
