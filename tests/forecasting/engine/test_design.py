"""Columns of the trend, the seasons and the features."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecasting.engine.design import changepoints, design, fourier


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
