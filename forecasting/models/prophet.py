"""Prophet: piecewise linear trend, weekly and yearly seasons, calendar events as regressors.

The interval is not simulated. Prophet's future trend is a compound Poisson process of ramps
with Laplace slopes; its second and fourth cumulants are known in closed form. What the last
residuals say about the next days is added by an autoregression, as Prophet itself starts its
forecast away from the last level.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator
from typing import Any, Final
from zlib import crc32

import numpy as np
import pandas as pd

from forecasting.engine.smoothing import residual_path
from forecasting.history import FloatArray, History
from forecasting.interval import trend_cumulants
from forecasting.model import Model, ModelFailure, Prediction
from forecasting.specification import (
    CHANGEPOINT_COUNT,
    CHANGEPOINT_PRIOR,
    CHANGEPOINT_RANGE,
    REGRESSOR_PRIOR,
    RESIDUAL_LAGS,
    SEASON_PRIOR,
    WEEKLY_ORDER,
    YEARLY_ORDER,
    Specification,
    specification,
)

NOISY_LOGGERS: Final = ("cmdstanpy", "prophet", "prophet.models", "prophet.forecaster")


class ProphetModel:
    """One Prophet per series, on the log scale where ``log_scale_fits`` says so."""

    name = "prophet"
    rehearsal = "prophet_exact"

    def predict(self, history: History, days: int) -> Prediction:
        """Fit the history and extend it."""
        plan = specification(history, days)
        count = len(plan.values)
        stamps = history.first_day + np.arange(count + days)
        frame = pd.DataFrame(plan.regressors, columns=list(plan.names))
        frame = frame.assign(ds=stamps.astype("datetime64[ns]"))
        past = frame.iloc[:count].assign(y=plan.values)[history.observed]
        with _silence():
            model = _fitted(past, plan, seed=crc32(history.series_id.encode()) & 0x7FFFFFFF)
            line = model.predict(frame)["yhat"].to_numpy(dtype=np.float64)
        variance, excess = _cumulants(model, count, past.index[-1], days)
        carried = residual_path(plan.values - line[:count], RESIDUAL_LAGS, days)
        return Prediction(line[count:] + carried, variance, excess, plan.log_scale)


def _fitted(past: pd.DataFrame, plan: Specification, seed: int) -> Any:
    import prophet  # noqa: PLC0415 - takes seconds, and not every caller forecasts

    model: Any = prophet.Prophet(
        growth="linear",
        n_changepoints=CHANGEPOINT_COUNT,
        changepoint_range=CHANGEPOINT_RANGE,
        changepoint_prior_scale=CHANGEPOINT_PRIOR,
        seasonality_prior_scale=SEASON_PRIOR,
        weekly_seasonality=WEEKLY_ORDER,
        yearly_seasonality=YEARLY_ORDER if plan.yearly else False,
        daily_seasonality=False,
        uncertainty_samples=0,
    )
    for name in plan.names:
        model.add_regressor(name, prior_scale=REGRESSOR_PRIOR, standardize=False)
    try:
        model.fit(past, seed=seed)
    except RuntimeError as error:
        raise ModelFailure(str(error)) from error
    finally:
        model.stan_backend.cleanup()
    return model


def _cumulants(model: Any, length: int, last: Any, days: int) -> tuple[FloatArray, FloatArray]:
    """Variance and fourth cumulant per day ahead, on the scale of the values."""
    span_days = model.t_scale / pd.Timedelta(days=1)
    variance, excess = trend_cumulants(
        ahead=(length - int(last) + np.arange(days)) / span_days,
        rate=float(len(model.changepoints_t)),
        laplace=float(np.abs(model.params["delta"]).mean()),
        noise=float(np.ravel(model.params["sigma_obs"])[0]),
    )
    scale = float(model.y_scale)
    return variance * scale**2, excess * scale**4


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keep the optimiser's progress lines and its libraries' deprecations off the log."""
    from cmdstanpy.utils import get_logger  # noqa: PLC0415 - loaded with Prophet

    get_logger()  # sets its level on the first call, which must come before ours
    loggers = [logging.getLogger(name) for name in NOISY_LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


MODEL: Final[Model] = ProphetModel()
