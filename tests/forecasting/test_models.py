"""The model port: every model answers alike, and failure has a way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from prophet import Prophet

from forecasting.history import History
from forecasting.interval import half_widths, prediction_interval, trend_cumulants
from forecasting.model import Prediction, log_scale_fits, model_named
from forecasting.models.seasonal_naive import MODEL as NAIVE
from mqcap.domain.metric import Statistic
from tests import factories
from tests.forecasting.builders import DAYS, forecast, noise, weekly

TIME = np.arange(DAYS)


def history(values: Any, **changed: Any) -> History:
    return History(
        "m/S", Statistic.peak, np.datetime64("2025-01-01"), np.asarray(values, float), **changed
    )


@pytest.mark.parametrize("name", ["prophet", "seasonal_naive"])
def test_every_model_answers_with_one_value_per_day(name: str) -> None:
    prediction = model_named(name).predict(history(20 + noise()), 25)
    assert prediction.expected.shape == prediction.variance.shape == prediction.excess.shape
    assert prediction.expected.shape == (25,)
    assert (np.diff(prediction.variance) >= 0).all()


def test_the_naive_model_repeats_the_last_week() -> None:
    values = np.arange(21.0)
    prediction = NAIVE.predict(history(values), 9)
    assert prediction.expected.tolist() == [14, 15, 16, 17, 18, 19, 20, 14, 15]


def test_the_naive_model_takes_the_last_known_value_of_a_weekday() -> None:
    values = np.arange(21.0)
    values[-1] = np.nan
    assert NAIVE.predict(history(values), 7).expected[-1] == 13


def test_a_fit_that_fails_falls_back_to_the_naive_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("line search failed")

    monkeypatch.setattr(Prophet, "fit", fail)
    found = forecast(20 + noise())
    assert found.model == "seasonal_naive"
    assert len(found.points) == 180


def test_compound_growth_is_modelled_by_its_logarithm() -> None:
    assert log_scale_fits(history(np.exp(0.004 * TIME + noise(scale=0.05))).values)


def test_linear_growth_with_even_noise_is_not() -> None:
    assert not log_scale_fits(history(10 + 0.1 * TIME + noise()).values)


@pytest.mark.parametrize("values", [10 + noise(scale=0.1), noise(), np.ones(20)])
def test_a_flat_or_negative_or_short_series_stays_linear(values: Any) -> None:
    assert not log_scale_fits(history(values).values)


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


def test_widening_multiplies_the_band() -> None:
    past = history(20 + noise())
    prediction = NAIVE.predict(past, 5)
    narrow, wide = (
        prediction_interval(prediction, past, 0.8),
        prediction_interval(prediction, past, 0.8, widening=2.0),
    )
    assert wide.upper - wide.expected == pytest.approx(2 * (narrow.upper - narrow.expected))


SPREAD = {
    "growing": 30 + 0.05 * TIME + 4 * weekly() + noise(scale=0.8),
    "compound": 2 * np.exp(0.003 * TIME + 0.2 * weekly() + noise(scale=0.04)),
    "stepped": np.where(TIME > 250, 40.0, 60.0) + noise(),
    "bending": 30 + 0.1 * np.maximum(TIME - 200, 0) + noise(),
    "gappy": np.where(TIME % 13 == 5, np.nan, 30 + noise()),
}


@pytest.mark.parametrize("values", SPREAD.values(), ids=SPREAD.keys())
def test_the_exact_solver_forecasts_what_prophet_forecasts(values: Any) -> None:
    past = history(values)
    slow = model_named("prophet").predict(past, 90)
    fast = model_named("prophet_exact").predict(past, 90)
    scale = np.nanmax(np.abs(np.log(values) if slow.log_scale else values))
    assert np.abs(slow.expected - fast.expected).max() < 0.005 * scale
    assert np.sqrt(slow.variance) == pytest.approx(np.sqrt(fast.variance), rel=0.05)


def test_two_years_give_both_solvers_the_same_yearly_season() -> None:
    days = np.arange(760)
    past = history(50 + 10 * np.sin(2 * np.pi * days / 365.25) + noise(760))
    slow = model_named("prophet").predict(past, 30)
    fast = model_named("prophet_exact").predict(past, 30)
    assert slow.expected == pytest.approx(fast.expected, abs=0.4)


@pytest.mark.parametrize("name", ["prophet", "prophet_exact", "seasonal_naive"])
def test_every_model_has_a_rehearsal_that_exists(name: str) -> None:
    assert model_named(model_named(name).rehearsal).rehearsal == model_named(name).rehearsal


def test_a_level_shift_is_not_taken_for_growth() -> None:
    found = forecast(np.where(TIME > 330, 60.0, 40.0) + noise())
    assert found.points[-1].expected == pytest.approx(60, abs=3)


def test_the_former_name_of_the_sawtooth_model_is_still_read() -> None:
    assert model_named("ratchet").name == "sawtooth"
    assert factories.forecast(model="ratchet").model == "sawtooth"
