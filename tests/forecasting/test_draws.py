"""The shared draws of errors: equal for all series, of unit variance."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.draws import PATHS, draws


def test_draws_have_a_row_per_path_and_a_column_per_day() -> None:
    lasting, noise = draws(30, 0.7)
    assert lasting.shape == noise.shape == (PATHS, 30)


def test_the_same_arguments_give_the_same_draws() -> None:
    for first, second in zip(draws(30, 0.7), draws(30, 0.7), strict=True):
        assert np.array_equal(first, second)


def test_errors_have_unit_variance_and_the_noise_of_days_is_independent() -> None:
    lasting, noise = draws(30, 0.7)
    assert lasting.std(axis=0) == pytest.approx(np.ones(30), abs=0.15)
    assert noise.std(axis=0) == pytest.approx(np.ones(30), abs=0.15)
    assert abs(np.corrcoef(noise[:, 0], noise[:, 1])[0, 1]) < 0.1
    assert np.corrcoef(lasting[:, 28], lasting[:, 29])[0, 1] > 0.9


def test_the_second_half_mirrors_the_first_so_that_no_median_moves() -> None:
    for paths in draws(30, 0.7):
        assert np.array_equal(paths[: PATHS // 2], -paths[PATHS // 2 :])
