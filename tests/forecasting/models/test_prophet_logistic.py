"""Logistic growth towards a ceiling."""

from __future__ import annotations

import numpy as np
import pytest

from tests.forecasting.builders import DAYS, forecast, noise

pytestmark = pytest.mark.thorough


TIME = np.arange(DAYS)


def test_logistic_growth_levels_off_towards_the_ceiling() -> None:
    values = 100 / (1 + np.exp(-0.012 * (TIME - 250))) * 0.95 + noise(scale=0.5)
    values = values.clip(0.5, 100)
    made = forecast(values, ceiling=100.0, growth="logistic", backtest_origins=1)
    assert made.model == "prophet_logistic"
    assert max(point.expected for point in made.points) <= 100.0
    assert made.points[-1].expected == pytest.approx(95, abs=6)
    assert forecast(values[:60], growth="logistic").model == "prophet_logistic"
