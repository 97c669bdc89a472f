"""Series that are fitted both ways: by Prophet itself, and by its program from our data."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
from prophet import Prophet

from forecasting.history import History
from forecasting.model import with_usual_scale
from forecasting.models.prophet import ProphetModel
from forecasting.models.prophet_exact import optimum
from forecasting.models.prophet_logistic import quietly
from forecasting.specification import CONFIGURATIONS, Configuration, specification
from forecasting.stan.backend import Backend
from mqcap.domain.metric import Statistic

AHEAD = 30


def history(count: int, shape: str = "level") -> History:
    """Days with a week, a month-end and noise; of a shape."""
    rng = np.random.default_rng(count)
    days = np.arange(count)
    values = 50 + 0.05 * days + 4.0 * (days % 7 < 5) + rng.normal(0, 1, count)
    if shape == "gaps":
        values[rng.random(count) < 0.2] = np.nan
        values[[0, 1, -1]] = np.nan, 30.0, 31.0
    if shape == "shift":
        values[count // 2 :] += 40.0
    if shape == "below zero":
        values -= 60.0
    first = np.datetime64("2024-03-07")
    made = History(f"a/PLEX1/{shape}", Statistic.peak, first, values, country="DK")
    return with_usual_scale(made)


SERIES = {
    "half a year": (history(180), CONFIGURATIONS[0]),
    "a year and a half, with the season of the year": (history(560), CONFIGURATIONS[0]),
    "gaps": (history(300, "gaps"), CONFIGURATIONS[1]),
    "logarithms, a level shift": (history(240, "shift"), CONFIGURATIONS[2]),
    "values below zero": (history(120, "below zero"), CONFIGURATIONS[1]),
    "three weeks: too few for all changes of slope, and for events": (history(20), Configuration()),
}


def by_prophet(series: History, configuration: Configuration) -> Any:
    """Return a Prophet that was fitted to a series, from the same start."""
    spec = specification(series, AHEAD, configuration.usual_scale)
    start = optimum(spec, series, AHEAD, configuration)
    model: Any = Prophet(
        n_changepoints=25, changepoint_range=configuration.changepoint_range,
        changepoint_prior_scale=configuration.changepoint_prior, seasonality_prior_scale=10.0,
        weekly_seasonality=3, yearly_seasonality=False, daily_seasonality=False,
        uncertainty_samples=0,
    )  # fmt: skip
    model.stan_backend = Backend()
    if spec.yearly:
        model.add_seasonality("yearly", 365.25, 2, 0.1)
    for name in spec.names:
        model.add_regressor(name, prior_scale=10.0, standardize=False)
    seen = series.observed
    rows = pd.DataFrame(spec.columns[: len(seen)], columns=list(spec.names))
    stamps = series.days.astype("datetime64[ns]")
    rows = rows.assign(ds=stamps, y=spec.values)[seen]
    ramps, coefficients = start.plan.ramp_count, start.fit.coefficients
    init = {
        "k": float(coefficients[0]), "m": float(coefficients[1]),
        "delta": coefficients[2 : 2 + ramps], "beta": coefficients[2 + ramps :],
        "sigma_obs": start.fit.sigma,
    }  # fmt: skip
    with quietly():
        seed = crc32(series.series_id.encode()) & 0x7FFFFFFF
        model.fit(rows, seed=seed, algorithm="LBFGS", init=init)
    model.stan_backend.cleanup()
    return model


def ours(series: History, configuration: Configuration) -> Any:
    """Return our forecast of a series."""
    return ProphetModel(configuration).predict(series, AHEAD)
