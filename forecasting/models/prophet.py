"""Prophet: piecewise linear trend, weekly and yearly seasons, calendar events as regressors.

The interval is not simulated. Prophet's future trend is a compound Poisson process of ramps
with Laplace slopes; its second and fourth cumulants are known in closed form.
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

from forecasting.calendars import event_columns, taught
from forecasting.history import FloatArray, History
from forecasting.interval import trend_cumulants
from forecasting.model import Model, ModelFailure, Prediction, log_scale_fits

CHANGEPOINT_RANGE: Final = 0.9
"""Share of the history in which the trend may bend; Prophet's 0.8 is blind for 146 of 730 days."""
CHANGEPOINT_PRIOR: Final = 0.05
EVENT_PRIOR: Final = 10.0
YEARLY_ABOVE_DAYS: Final = 731
"""Span from which a yearly season is estimated: two of each day."""
WEEKLY_ORDER: Final = 3
NOISY_LOGGERS: Final = ("cmdstanpy", "prophet", "prophet.models", "prophet.forecaster")


class ProphetModel:
    """One Prophet per series, on the log scale where ``log_scale_fits`` says so."""

    name = "prophet"

    def predict(self, history: History, days: int) -> Prediction:
        """Fit the history and extend it."""
        log_scale = log_scale_fits(history)
        values = np.log(history.values) if log_scale else history.values
        total = history.first_day + np.arange(len(values) + days)
        events = event_columns(total, history.country)
        names = taught(events, history.observed)
        frame = pd.DataFrame({"ds": total.astype("datetime64[ns]")})
        frame = frame.assign(**{name: events[name].astype(np.float64) for name in names})
        past = frame.iloc[: len(values)].assign(y=values)[history.observed]
        with _silence():
            model = _fitted(past, names, seed=crc32(history.series_id.encode()) & 0x7FFFFFFF)
            expected = model.predict(frame.iloc[len(values) :])["yhat"].to_numpy(dtype=np.float64)
        variance, excess = _cumulants(model, len(values), past.index[-1], days)
        return Prediction(expected, variance, excess, log_scale)


def _fitted(past: pd.DataFrame, regressors: tuple[str, ...], seed: int) -> Any:
    import prophet  # noqa: PLC0415 - takes seconds, and not every caller forecasts

    span = (past["ds"].iloc[-1] - past["ds"].iloc[0]).days + 1
    model: Any = prophet.Prophet(
        growth="linear",
        changepoint_range=CHANGEPOINT_RANGE,
        changepoint_prior_scale=CHANGEPOINT_PRIOR,
        weekly_seasonality=WEEKLY_ORDER,
        yearly_seasonality=span >= YEARLY_ABOVE_DAYS,
        daily_seasonality=False,
        uncertainty_samples=0,
    )
    for name in regressors:
        model.add_regressor(name, prior_scale=EVENT_PRIOR, standardize=False)
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
