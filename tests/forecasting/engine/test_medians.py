"""Medians are those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.engine.medians import median, median_of_known


@pytest.mark.parametrize("count", range(1, 9))
def test_medians_are_those_of_numpy_to_the_bit(count: int) -> None:
    rng = np.random.default_rng(count)
    for shape in ((count,), (count, 3), (count, 0)):
        values = rng.normal(0.1, 1.0, shape)
        assert median(values).tolist() == np.median(values, axis=0).tolist()


@pytest.mark.parametrize("count", range(1, 6))
def test_values_that_are_missing_do_not_count(count: int) -> None:
    values = np.random.default_rng(count).normal(0.1, 1.0, count)
    values = np.insert(values, [0, count // 2, count], np.nan)
    assert median_of_known(values) == np.nanmedian(values)


def test_the_median_of_nothing_is_missing() -> None:
    assert np.isnan(median_of_known(np.array([np.nan, np.nan])))
    assert np.isnan(median_of_known(np.empty(0)))
