"""Models without a trend, and Prophet against its package."""

from datetime import date
from typing import Any

import numpy as np
import pytest

from forecasting.engine.exact import _planned
from forecasting.model import ModelFailure
from forecasting.models import prophet
from forecasting.models.level import LEVEL
from forecasting.models.prophet_exact import _predicted, prophet_exact
from forecasting.models.seasonal_naive import SEASONAL_NAIVE
from forecasting.specification import CONFIGURATIONS, Configuration
from tests.forecasting.builders import CUTOFF, DAYS, forecast, history, noise, weekly

TIME = np.arange(DAYS)
SPREAD = {
    "growing": 30 + 0.05 * TIME + 4 * weekly() + noise(scale=0.8),
    "compound": 2 * np.exp(0.003 * TIME + 0.2 * weekly() + noise(scale=0.04)),
    "stepped": np.where(TIME > 250, 40.0, 60.0) + noise(),
    "bending": 30 + 0.1 * np.maximum(TIME - 200, 0) + noise(),
    "gappy": np.where(TIME % 13 == 5, np.nan, 30 + noise()),
}


def test_a_random_walk_goes_on_at_its_last_value_with_an_error_that_grows() -> None:
    walk = 500 + noise().cumsum()
    predicted = LEVEL.predict(history(walk), 28)
    assert predicted.expected == pytest.approx(np.full(28, walk[-1]), abs=3)
    assert predicted.variance[27] > 4 * predicted.variance[0]


def test_noise_around_a_level_goes_on_at_the_level_with_the_error_of_a_day() -> None:
    predicted = LEVEL.predict(history(50 + noise()), 28)
    assert predicted.expected == pytest.approx(np.full(28, 50.0), abs=1)
    assert np.sqrt(predicted.variance) == pytest.approx(np.full(28, 1.0), rel=0.2)


def test_what_the_week_does_stays() -> None:
    week = weekly(DAYS + 14, size=10.0, last=CUTOFF)
    predicted = LEVEL.predict(history(50 + week[:DAYS] + noise()), 14)
    assert predicted.expected == pytest.approx(50 + week[DAYS:], abs=1.5)


def test_missing_days_change_no_level() -> None:
    values = 50 + noise()
    values[[0, 200, DAYS - 1]] = np.nan
    predicted = LEVEL.predict(history(values), 3)
    assert predicted.expected == pytest.approx(np.full(3, 50.0), abs=1)


def test_the_naive_model_repeats_the_last_week() -> None:
    values = np.arange(21.0)
    prediction = SEASONAL_NAIVE.predict(history(values), 9)
    assert prediction.expected.tolist() == [14, 15, 16, 17, 18, 19, 20, 14, 15]


def test_the_naive_model_takes_the_last_known_value_of_a_weekday() -> None:
    values = np.arange(21.0)
    values[-1] = np.nan
    assert SEASONAL_NAIVE.predict(history(values), 7).expected[-1] == 13


def test_a_fit_that_fails_falls_back_to_the_naive_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_solution(*_: object) -> None:
        raise ModelFailure("no solution")

    monkeypatch.setattr(prophet, "_line", no_solution)
    predicted = forecast(20 + noise())
    assert predicted.model == "seasonal_naive"
    assert len(predicted.points) == 180


def test_a_level_shift_is_not_taken_for_growth() -> None:
    predicted = forecast(np.where(TIME > 330, 60.0, 40.0) + noise())
    assert predicted.points[-1].expected == pytest.approx(60, abs=3)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_three_months_of_weeks_do_not_make_the_optimiser_give_up(
    configuration: Configuration,
) -> None:
    values = 15 + 22 * weekly(91) + noise(91, 0.4)
    past = history(values, last=CUTOFF)
    slow = prophet.prophet(configuration).predict(past, 30)
    fast = prophet_exact(configuration).predict(past, 30)
    assert slow.expected == pytest.approx(fast.expected, rel=0.02)


def test_what_lbfgs_cannot_fit_is_fitted_by_newtons_method() -> None:
    # Daily peaks of a small power network, MW, 7 April to 5 June 2021: its line search fails.
    load = """223 246 273 232 298 302 261 257 218 212 195 187 193 231 228 202 222 189 195 229
        219 206 200 200 191 185 212 215 219 213 213 217 198 213 217 214 221 223 221 231
        231 211 227 219 211 188 192 217 224 226 215 214 213 212 255 276 287 280 252 213"""
    past = history([float(value) for value in load.split()], last=date(2021, 6, 5))
    predicted = prophet.prophet(CONFIGURATIONS[1]).predict(past, 90).expected
    assert 100 < predicted.min() <= predicted.max() < 400


@pytest.mark.parametrize("values", SPREAD.values(), ids=SPREAD.keys())
def test_the_exact_solver_forecasts_what_prophet_forecasts(values: Any) -> None:
    past = history(values)
    slow = prophet.prophet(CONFIGURATIONS[0]).predict(past, 90)
    fast = prophet_exact(CONFIGURATIONS[0]).predict(past, 90)
    scale = np.nanmax(np.abs(np.log(values) if slow.log_scale else values))
    assert np.abs(slow.expected - fast.expected).max() < 0.005 * scale
    assert np.sqrt(slow.variance) == pytest.approx(np.sqrt(fast.variance), rel=0.05)


def test_two_years_give_both_solvers_the_same_yearly_season() -> None:
    days = np.arange(760)
    past = history(50 + 10 * np.sin(2 * np.pi * days / 365.25) + noise(760))
    slow = prophet.prophet(CONFIGURATIONS[0]).predict(past, 30)
    fast = prophet_exact(CONFIGURATIONS[0]).predict(past, 30)
    assert slow.expected == pytest.approx(fast.expected, abs=0.4)


@pytest.mark.parametrize(
    ("other", "shared"), [("growing", 1), ("stepped", 0), ("gappy", 0)], ids=str
)
def test_series_share_a_design_where_days_and_regressors_are_the_same_and_no_byte_changes(
    other: str, shared: int
) -> None:
    model = prophet_exact(CONFIGURATIONS[0])
    first, past = history(50 + noise()), history(SPREAD[other])

    def forgotten() -> None:
        for kept in (_predicted, _planned):
            kept.cache_clear()

    forgotten()
    alone = model.predict(past, 30)
    forgotten()
    model.predict(first, 30)
    after = model.predict(past, 30)
    assert _planned.cache_info().hits == shared
    assert after.expected.tobytes() == alone.expected.tobytes()
    assert after.variance.tobytes() == alone.variance.tobytes()
