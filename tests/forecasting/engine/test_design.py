"""The design of the model, its shifts and residuals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forecasting.arrays import FloatArray
from forecasting.engine.design import changepoints, design, fourier
from forecasting.engine.residuals import residual_path
from forecasting.engine.shifts import level_shifts, step_columns

RNG = np.random.default_rng(11)
TIME = np.arange(300.0)


NOISE = RNG.normal(0, 0.05, 300)


def test_each_harmonic_has_its_sine_and_then_its_cosine() -> None:
    columns = fourier(np.array([0.0, 1.0, 2.0]), 4, 2)
    assert columns == pytest.approx(
        np.array([[0, 1, 0, 1], [1, 0, 0, -1], [0, -1, 0, 1]]), abs=1e-12
    )


@given(st.floats(0, 1e5), st.sampled_from([7.0, 24.0, 365.25]), st.integers(1, 6))
def test_a_season_repeats_after_its_period(step: float, period: float, order: int) -> None:
    now, later = fourier(np.array([step, step + period]), period, order)
    assert now == pytest.approx(later, abs=1e-6)


def test_changepoints_are_evenly_spread_over_the_first_part_and_never_on_the_first_row() -> None:
    times = np.linspace(0, 1, 11)
    assert changepoints(times, 4, 0.82) == pytest.approx([0.2, 0.4, 0.6, 0.8])


@pytest.mark.parametrize(
    ("rows", "wanted", "count"), [(1, 25, 0), (2, 25, 0), (3, 25, 1), (40, 25, 25), (40, 0, 0)]
)
def test_a_short_history_has_fewer_changepoints(rows: int, wanted: int, count: int) -> None:
    assert len(changepoints(np.arange(float(rows)), wanted, 0.8)) == count


@given(st.integers(1, 500), st.integers(0, 40), st.floats(0.1, 1))
def test_changepoints_are_distinct_times_of_the_first_part(
    rows: int, wanted: int, share: float
) -> None:
    bends = changepoints(np.arange(float(rows)), wanted, share)
    assert (np.diff(bends) > 0).all()
    assert ((bends > 0) & (bends < max(rows * share, 1))).all()


def test_time_is_zero_at_the_first_observed_step_and_one_at_the_last() -> None:
    features = np.arange(14.0).reshape(7, 2)
    plan = design(np.array([2.0, 3.0, 4.0]), 6, np.array([0.5]), features, np.array([2.0, 4.0]))
    assert plan.columns.tolist() == [
        [-1.0, 1, 0.0, 0, 1],
        [-0.5, 1, 0.0, 2, 3],
        [0.0, 1, 0.0, 4, 5],
        [0.5, 1, 0.0, 6, 7],
        [1.0, 1, 0.5, 8, 9],
        [1.5, 1, 1.0, 10, 11],
    ]
    assert plan.ramp_count == 1


def test_only_ramps_have_no_ridge_term() -> None:
    plan = design(
        np.array([0.0, 9.0]), 10, np.array([0.2, 0.6]), np.zeros((10, 2)), np.array([2.0, 0.5])
    )
    assert plan.precision == pytest.approx([0.04, 0.04, 0, 0, 0.25, 4])


def test_a_single_observation_does_not_divide_by_zero() -> None:
    plan = design(np.array([3.0]), 5, np.empty(0), np.empty((5, 0)), np.empty(0))
    assert plan.columns[:, 0].tolist() == [-3, -2, -1, 0, 1]


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
