"""Prophet: piecewise linear trend, weekly and yearly seasons, holidays and level shifts.

Its interval is not simulated: the cumulants of its future trend, a compound Poisson process of
ramps with Laplace slopes, are known in closed form. What the last residuals say about the next days
is added by an autoregression, as Prophet itself starts away from the last level.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, cast
from zlib import crc32

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.engine.residuals import residual_path
from forecasting.history import History
from forecasting.interval import trend_cumulants
from forecasting.model import ForecastModel, ModelFailure, Prediction
from forecasting.specification import (
    CHANGEPOINT_COUNT,
    EVENT_PRIOR,
    RESIDUAL_LAGS,
    SEASON_PRIOR,
    WEEKLY_ORDER,
    YEARLY_ORDER,
    YEARLY_PERIOD_DAYS,
    YEARLY_PRIOR,
    Configuration,
    Specification,
    regressor_columns,
    specification,
)

if TYPE_CHECKING:
    from prophet import Prophet

HOLIDAYS: Final = ("public_holiday", "year_end_holiday")
"""Events that are Prophet's holidays. Turns of months and other events of the calendar are 0-1
regressors, which is the same model: Prophet works through holidays day by day."""
START_SHARE: Final = 0.5
"""The noise at which the optimiser starts, as a share of the deviation of weekly changes: Prophet's
1.0 is the largest value."""
LEAST_START: Final = 1e-4
BFGS: Final = {"algorithm": "BFGS", "iter": 500, "refresh": 10_000}
"""LBFGS, Prophet's default, ends elsewhere: half of its lines are a quarter of the deviation of the
values and more off the optimum, half of those of BFGS a thirtieth. It takes half as long again with
long histories, and spares most of the fits by Newton's method."""
NEWTON: Final = {"algorithm": "Newton"}
"""Takes ten times as long, for what BFGS does not fit: lines without noise."""
WORST_FIT: Final = 1.1
"""Deviation of the residuals, as a share of that of the values, above which nothing is fitted
(ours)."""
_LOGGERS: Final = ("cmdstanpy", "prophet", "prophet.models", "prophet.forecaster")


def prophet(configuration: Configuration) -> ForecastModel:
    """Return a Prophet per series, on the scale and with the changepoints of a configuration."""
    return ForecastModel("prophet", configuration.trend, partial(_predicted, configuration))


def _predicted(configuration: Configuration, history: History, days: int) -> Prediction:
    spec = specification(history, days, configuration.usual_scale)
    count = len(spec.values)
    every_day = pd.DataFrame(
        regressor_columns(spec.regressors, count + days), columns=list(spec.regressors.names)
    ).assign(ds=(history.first_day + np.arange(count + days)).astype("datetime64[ns]"))
    past = every_day[:count].assign(y=spec.values)[history.observed]
    seed = crc32(history.series_id.encode()) & 0x7FFFFFFF
    with _quietly():
        for optimiser in (BFGS, NEWTON):
            model = _unfitted(spec, configuration, every_day)
            line = _line(model, past, every_day, seed, optimiser)
            if line is not None:
                missed = spec.values[history.observed] - line[past.index.to_numpy()]
                if np.std(missed) <= WORST_FIT * np.std(spec.values[history.observed]):
                    break
        else:
            raise ModelFailure("neither BFGS nor Newton's method fits the values")
    behind = count - history.last
    span_days = float((past["ds"].iloc[-1] - past["ds"].iloc[0]).days)
    variance, excess = trend_cumulants(
        ahead=(behind + np.arange(days)) / max(span_days, 1.0),
        rate=float(len(cast("np.ndarray", model.changepoints_t))),
        laplace=float(np.abs(model.params["delta"]).mean()),
        noise=float(model.params["sigma_obs"].item()),
    )
    carried = residual_path(spec.values - line[:count], RESIDUAL_LAGS, days)
    scale = cast("float", model.y_scale)
    return Prediction(
        line[count:] + carried, variance * scale**2, excess * scale**4, spec.log_scale
    )


def _unfitted(spec: Specification, configuration: Configuration, days: pd.DataFrame) -> Prophet:
    """Return a Prophet for one fit; ``days`` has those of history and horizon, with regressors."""
    from prophet import Prophet  # noqa: PLC0415 - takes seconds, and not every caller forecasts

    holidays = [
        pd.DataFrame({"holiday": name, "ds": days["ds"][days[name] > 0]})
        for name in spec.regressors.events
        if name in HOLIDAYS
    ]
    model = Prophet(
        n_changepoints=CHANGEPOINT_COUNT,
        changepoint_range=configuration.changepoint_range,
        changepoint_prior_scale=configuration.changepoint_prior,
        yearly_seasonality=False,
        weekly_seasonality=WEEKLY_ORDER,
        daily_seasonality=False,
        seasonality_prior_scale=SEASON_PRIOR,
        holidays=pd.concat(holidays) if holidays else None,
        holidays_prior_scale=EVENT_PRIOR,
        uncertainty_samples=0,
    )
    if spec.yearly:
        model.add_seasonality(
            "yearly", YEARLY_PERIOD_DAYS, fourier_order=YEARLY_ORDER, prior_scale=YEARLY_PRIOR
        )
    for name, prior in zip(spec.regressors.names, spec.regressors.priors, strict=True):
        if name not in HOLIDAYS:
            model.add_regressor(name, prior_scale=prior, standardize=False)
    return model


def _line(
    model: Prophet,
    past: pd.DataFrame,
    every_day: pd.DataFrame,
    seed: int,
    optimiser: Mapping[str, object],
) -> FloatArray | None:
    """Return Prophet's expected values of every day; ``None`` where the optimiser fails."""
    changes = past["y"].to_numpy()[7:] - past["y"].to_numpy()[:-7]
    noise = float(np.sqrt(np.square(changes).mean() / 2) / past["y"].abs().max())
    # Coefficients of no fitting size leave Prophet's own start of all but the noise.
    start = {
        "sigma_obs": max(START_SHARE * noise, LEAST_START),
        **dict.fromkeys(("delta", "beta"), np.empty(0)),
    }
    try:
        model.fit(past, seed=seed, init=start, **optimiser)
    except (RuntimeError, ValueError):
        # Prophet's own second try hands Newton's method the settings of BFGS, which it refuses.
        return None
    finally:
        if model.stan_backend is not None:
            model.stan_backend.cleanup()
    return np.asarray(model.predict(every_day)["yhat"], dtype=np.float64)


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Silence what Prophet and CmdStanPy print and warn about on each fit."""
    from cmdstanpy.utils import get_logger  # noqa: PLC0415 - loaded with Prophet

    get_logger()  # sets its level on the first call, which must come before ours
    levels = {name: logging.getLogger(name).level for name in _LOGGERS}
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
