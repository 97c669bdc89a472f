"""Widths of prediction intervals."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.interval import half_widths, prediction_interval, trend_cumulants
from forecasting.model import Prediction
from forecasting.models.seasonal_naive import SeasonalNaive
from tests.forecasting.builders import history, noise


@pytest.mark.parametrize("width", [0.8, 0.95])
def test_the_closed_interval_agrees_with_simulated_paths(width: float) -> None:
    rng = np.random.default_rng(5)
    ahead = np.arange(1, 25) / 40
    rate, laplace, sigma = 25.0, 0.3, 0.05
    paths = np.empty((6000, len(ahead)))
    for path in paths:
        starts = rng.uniform(0, ahead[-1], rng.poisson(rate * ahead[-1]))
        slopes = rng.laplace(0, laplace, len(starts))
        path[:] = (np.clip(ahead[:, None] - starts, 0, None) * slopes).sum(axis=1)
    paths += rng.normal(0, sigma, paths.shape)
    variance, excess = trend_cumulants(ahead, rate, laplace, sigma)
    prediction = Prediction(np.zeros(len(ahead)), variance, excess, log_scale=False)
    simulated = np.quantile(paths, 0.5 + width / 2, axis=0)
    assert half_widths(prediction, width) == pytest.approx(simulated, rel=0.12)


def test_widening_multiplies_the_interval() -> None:
    past = history(20 + noise())
    prediction = SeasonalNaive().predict(past, 5)
    narrow, wide = (
        prediction_interval(prediction, past, 0.8),
        prediction_interval(prediction, past, 0.8, widening=2.0),
    )
    assert wide.upper - wide.expected == pytest.approx(2 * (narrow.upper - narrow.expected))
