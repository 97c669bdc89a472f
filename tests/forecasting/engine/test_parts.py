"""Level shifts, smoothing, autoregression, first passage: each against hand-made truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forecasting.engine.calibration import Calibration, Mixed, calibrate, interval
from forecasting.engine.candidates import method_count, method_names
from forecasting.engine.kinds import DAILY, HOURLY, LONG_DAILY, WEEKLY, Kind
from forecasting.engine.passage import first_passage, rolling_week
from forecasting.engine.selection import Choice, Origin, choose, scores
from forecasting.engine.shifts import level_shifts, step_columns
from forecasting.engine.smoothing import (
    filled_forward,
    residual_path,
    seasonal_naive,
    smoothed_profile,
)
from forecasting.history import FloatArray

RNG = np.random.default_rng(11)
TIME = np.arange(300.0)
NOISE = RNG.normal(0, 0.05, 300)


@pytest.mark.parametrize("position", [40, 150, 285])
@pytest.mark.parametrize("size", [-0.5, 0.4])
def test_a_sharp_step_is_found_on_its_day(position: int, size: float) -> None:
    values = 3 + size * (position <= TIME) + 0.2 * (TIME % 7 < 5) + NOISE
    assert level_shifts(values, 7) == [position]


@pytest.mark.parametrize(
    "values",
    [
        3 + NOISE,
        3 + 0.005 * TIME + NOISE,
        3 + 0.3 * (TIME % 30 < 2) + NOISE,
        3 + 0.4 * (TIME >= 296) + NOISE,
        np.full(300, np.nan),
    ],
    ids=["flat", "growing", "month ends", "the last four days", "nothing"],
)
def test_what_is_no_step_is_left_alone(values: FloatArray) -> None:
    assert level_shifts(values, 7) == []


def test_a_step_column_is_one_from_the_step_on() -> None:
    assert step_columns([2], 4)[:, 0].tolist() == [0, 0, 1, 1]


def test_gaps_are_filled_from_the_left() -> None:
    values = np.array([np.nan, 1.0, np.nan, 2.0, np.nan])
    assert filled_forward(values).tolist() == [1, 1, 1, 2, 2]


def test_the_naive_cycle_skips_missing_values() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, np.nan, 6.0])
    assert seasonal_naive(values, 3, 4).tolist() == [4, 2, 6, 4]


def test_smoothing_keeps_the_profile_in_phase() -> None:
    season = np.tile([0.0, 1.0, 5.0], 20)
    assert smoothed_profile(10 + season[:58], 3, 4) == pytest.approx([11, 15, 10, 11], abs=0.01)


def test_an_autoregression_decays_from_the_last_residual() -> None:
    values = np.zeros(400)
    shocks = np.random.default_rng(2).normal(0, 1, 400)
    for step in range(1, 400):
        values[step] = 0.8 * values[step - 1] + shocks[step]
    path = residual_path(values, (1,), 5)
    ratio = path[0] / values[-1]
    assert ratio == pytest.approx(0.8, abs=0.08)
    assert path == pytest.approx(values[-1] * ratio ** np.arange(1, 6))


def test_the_continuation_is_the_recursion_written_out() -> None:
    values = RNG.normal(0, 1, 60)
    lags = (1, 3, 7)
    path = residual_path(values, lags, 6)
    first = np.column_stack([values[7 - lag : 60 - lag] for lag in lags])
    gram = first.T @ first + np.eye(3) * (1e-3 * values @ values + 1e-12)
    weights = np.linalg.solve(gram, first.T @ values[7:])
    longer = values.tolist()
    for _ in range(6):
        longer.append(sum(w * longer[-lag] for w, lag in zip(weights, lags, strict=True)))
    assert path == pytest.approx(longer[60:])


@settings(max_examples=40, deadline=None)
@given(arrays(np.float64, st.integers(5, 120), elements=st.floats(-1e3, 1e3)))
def test_expected_residuals_never_explode(values: FloatArray) -> None:
    path = residual_path(values, (1, 2, 3, 7, 14), 200)
    assert np.abs(path).max() <= 1.5 * np.abs(values).max() + 1e-9


def test_the_week_reaches_back_before_the_origin() -> None:
    assert rolling_week(np.full(10, 7.0), np.zeros(8)).tolist() == [6, 5, 4, 3, 2, 1, 0, 0]


def test_missing_days_are_left_out_of_the_week() -> None:
    before = np.array([np.nan, np.nan, 4.0])
    assert rolling_week(before, np.array([2.0, np.nan])).tolist() == [3, 3]


def test_a_certain_path_crosses_on_its_day() -> None:
    found = first_passage(np.arange(1.0, 101.0), np.full(100, 1e-9), 39.5)
    assert [found.quantile_day(share) for share in (0.1, 0.5, 0.9)] == [40, 40, 40]
    assert (found.within(39), found.within(40)) == (0.0, 1.0)


def test_a_downward_limit_mirrors_an_upward_one() -> None:
    centre, spread = np.linspace(0, 1, 200), np.full(200, 0.3)
    up = first_passage(centre, spread, 0.8)
    down = first_passage(-centre, spread, -0.8, upward=False)
    assert up.probability == pytest.approx(down.probability)


@settings(max_examples=40, deadline=None)
@given(st.floats(-2, 2), st.floats(0, 0.02), st.floats(0.01, 1), st.floats(-2, 2))
def test_dates_and_probabilities_are_consistent(
    start: float, slope: float, width: float, limit: float
) -> None:
    days = np.arange(1.0, 366.0)
    found = first_passage(start + slope * days, width * np.sqrt(days / 90), limit)
    dates = [found.quantile_day(share) or 366 for share in (0.1, 0.5, 0.9)]
    chances = [found.within(days) for days in (30, 60, 90, 180)]
    assert dates == sorted(dates)
    assert chances == sorted(chances)
    assert all(
        (chance >= 0.5) == (dates[1] <= days)
        for chance, days in zip(chances, (30, 60, 90, 180), strict=True)
    )


def test_the_best_few_are_mixed_by_their_scores() -> None:
    choice = choose(np.array([1.0, 0.5, np.inf, 2.0, 1.0, 4.0]), 5)
    assert np.flatnonzero(choice.weights).tolist() == [0, 1, 3, 4]
    assert choice.weights.sum() == pytest.approx(1)
    assert choice.weights[1] == pytest.approx(8 * choice.weights[0])


def test_few_origins_take_the_median_of_three() -> None:
    choice = choose(np.array([1.0, 0.5, 0.7, 0.6]), 1)
    assert choice.mix(np.array([[9.0], [1.0], [2.0], [30.0]])).tolist() == [2.0]


def test_scores_are_relative_to_the_naive_method() -> None:
    paths = np.array([[2.0, 2.0], [1.0, 1.0], [1.5, 1.5]])
    assert scores([Origin(paths, np.array([1.0, np.nan]))]).tolist() == pytest.approx(
        [1.0, 0.0, np.sqrt(0.5 * 0.6)]
    )


@pytest.mark.parametrize("kind", [HOURLY, DAILY, WEEKLY, LONG_DAILY], ids=lambda kind: kind.name)
def test_every_method_has_its_own_name(kind: Kind) -> None:
    names = method_names(kind)
    assert len(set(names)) == len(names) == method_count(kind)


def _mixed(errors: FloatArray, path: float = 100.0) -> Mixed:
    steps = errors.shape[1]
    weights = Choice(np.array([1.0]))
    return Mixed(np.full(steps, path), errors, 1.0, 0.0, np.inf, weights, len(errors))


def test_the_interval_has_the_coverage_of_past_errors() -> None:
    rng = np.random.default_rng(8)
    growth = np.sqrt(np.arange(1, 21))
    items = [_mixed(size * growth * rng.normal(0, 1, (5, 20))) for size in rng.uniform(1, 9, 80)]
    shared = calibrate(items, 20)
    inside = []
    for item in items:
        lower, upper = interval(item, shared)
        new = item.path + np.abs(item.errors).mean() / growth.mean() * 1.25 * growth * (
            rng.normal(0, 1, 20)
        )
        inside.append(((new >= lower) & (new <= upper)).mean())
    assert np.mean(inside) == pytest.approx(0.95, abs=0.03)


def test_a_class_without_backtests_gets_a_normal_interval() -> None:
    shared = calibrate([_mixed(np.full((0, 4), np.nan))], 4)
    assert isinstance(shared, Calibration)
    lower, upper = interval(_mixed(np.full((0, 4), np.nan)), shared)
    assert upper - 100 == pytest.approx(1.96 * np.sqrt(np.arange(1, 5)))
    assert (lower < 100).all()


def test_an_interval_stays_above_zero() -> None:
    shared = Calibration(np.ones(4), -500.0, 500.0, 1.0)
    lower, upper = interval(_mixed(np.ones((3, 4))), shared)
    assert lower.tolist() == [0, 0, 0, 0]
    assert (upper > 100).all()
