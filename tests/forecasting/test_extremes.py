"""Values that cannot be, and series without a model."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.arrays import FloatArray
from forecasting.extremes import exponent_of, in_unit, simple_answer, without_impossible

PLAIN = np.array([20.0, 22.0, 21.0, 19.0, 20.0, 23.0, 20.0, 22.0, 21.0, 19.0])


@pytest.mark.parametrize("size", [1e-59, 1.0, 1e59])
def test_usual_sizes_stay_in_their_unit(size: float) -> None:
    assert exponent_of(PLAIN / 20 * size) == 0


@pytest.mark.parametrize("size", [1e-300, 1e-62, 1e62, 1e300])
def test_other_sizes_come_near_one_and_back(size: float) -> None:
    values = np.array([size, 2 * size, np.nan])
    exponent = exponent_of(values)
    small = in_unit(values, -exponent)
    assert 0.1 < np.nanmedian(small) < 10
    assert in_unit(small, exponent)[:2].tolist() == values[:2].tolist()


def test_nothing_and_zeros_have_no_size() -> None:
    assert exponent_of(np.array([np.nan])) == exponent_of(np.zeros(3)) == 0


def test_a_size_beyond_floats_is_the_largest_float() -> None:
    largest = np.finfo(np.float64).max
    assert in_unit(np.array([4.0, -4.0]), 1023).tolist() == [largest, -largest]


def test_a_value_of_another_order_becomes_missing() -> None:
    values = np.r_[PLAIN, 1e300, 1e-300]
    assert np.flatnonzero(np.isnan(without_impossible(values))).tolist() == [10]


@pytest.mark.parametrize(("negative", "removed"), [(1, True), (2, False)])
def test_few_values_below_zero_are_no_values(negative: int, removed: bool) -> None:
    values = PLAIN.copy()
    values[:negative] = -5.0
    assert bool(np.isnan(without_impossible(values)).any()) is removed


def test_zeros_stay() -> None:
    values = np.r_[PLAIN, 0.0]
    assert without_impossible(values).tolist() == values.tolist()


def test_nothing_stays_nothing() -> None:
    assert np.isnan(without_impossible(np.full(3, np.nan))).all()


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([10.0, 12.0, 11.0], 4.0, 18.0),
        ([1.0, 30.0], 0.0, 59.0),
        ([-2.0, 4.0], -8.0, 10.0),
        ([5.0], 2.5, 7.5),
        ([0.0, 0.0], 0.0, 1.0),
    ],
    ids=["three", "wide", "signs", "one", "zeros"],
)
def test_little_data_give_a_wide_interval(values: list[float], low: float, high: float) -> None:
    expected, lower, upper = simple_answer(np.array(values), 1, 2)
    assert expected.tolist() == [values[-1]] * 2
    assert (lower[0], upper[0]) == (low, high)


def test_no_data_give_empty_cells() -> None:
    lines: tuple[FloatArray, ...] = simple_answer(np.full(4, np.nan), 1, 2)
    assert all(np.isnan(line).all() for line in lines)
