"""Forecasts by Prophet."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.models.prophet import ProphetModel
from forecasting.models.prophet_exact import ProphetExact
from forecasting.specification import CONFIGURATIONS, Configuration
from tests.forecasting.builders import CUTOFF, DAYS, forecast, history, noise, weekly

TIME = np.arange(DAYS)


def test_a_level_shift_is_not_taken_for_growth() -> None:
    predicted = forecast(np.where(TIME > 330, 60.0, 40.0) + noise())
    assert predicted.points[-1].expected == pytest.approx(60, abs=3)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_three_months_of_weeks_do_not_make_the_optimiser_give_up(
    configuration: Configuration,
) -> None:
    values = 15 + 22 * weekly(91) + noise(91, 0.4)
    past = history(values, last=CUTOFF)
    slow = ProphetModel(configuration).predict(past, 30)
    fast = ProphetExact(configuration).predict(past, 30)
    assert slow.expected == pytest.approx(fast.expected, rel=0.02)
