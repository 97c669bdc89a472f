"""Forecasts by Prophet."""

from __future__ import annotations

import numpy as np
import pytest

from tests.forecasting.builders import DAYS, forecast, noise

TIME = np.arange(DAYS)


def test_a_level_shift_is_not_taken_for_growth() -> None:
    predicted = forecast(np.where(TIME > 330, 60.0, 40.0) + noise())
    assert predicted.points[-1].expected == pytest.approx(60, abs=3)
