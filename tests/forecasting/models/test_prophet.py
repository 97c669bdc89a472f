"""Forecasts by Prophet."""

from __future__ import annotations

from datetime import date

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


def test_what_lbfgs_cannot_fit_is_fitted_by_newtons_method() -> None:
    # Daily peaks of a small power network, MW, 7 April to 5 June 2021: its line search fails.
    load = """223 246 273 232 298 302 261 257 218 212 195 187 193 231 228 202 222 189 195 229
        219 206 200 200 191 185 212 215 219 213 213 217 198 213 217 214 221 223 221 231
        231 211 227 219 211 188 192 217 224 226 215 214 213 212 255 276 287 280 252 213"""
    past = history([float(value) for value in load.split()], last=date(2021, 6, 5))
    predicted = ProphetModel(CONFIGURATIONS[1]).predict(past, 90).expected
    assert 100 < predicted.min() <= predicted.max() < 400
