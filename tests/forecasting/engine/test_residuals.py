"""Autoregression of residuals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forecasting.arrays import FloatArray
from forecasting.engine.residuals import residual_path

RNG = np.random.default_rng(11)


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
