"""Prophet with logistic growth: towards the largest value that can exist, never past it.

The exact solver knows linear growth only, so that every fit and every trial is Prophet's own.
Series without such a value grow linearly.
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

from forecasting.arrays import FloatArray
from forecasting.engine.smoothing import residual_path
from forecasting.history import History
from forecasting.interval import trend_cumulants
from forecasting.model import ForecastModel, ModelFailure, Prediction
from forecasting.models.prophet import ProphetModel
from forecasting.specification import (
    CHANGEPOINT_COUNT,
    CONFIGURATIONS,
    REGRESSOR_PRIOR,
    RESIDUAL_LAGS,
    SEASON_PRIOR,
    WEEKLY_ORDER,
    YEARLY_ORDER,
    YEARLY_PERIOD_DAYS,
    YEARLY_PRIOR,
    Specification,
    specification,
)

NOISY_LOGGERS: Final = ("cmdstanpy", "prophet", "prophet.models", "prophet.forecaster")


class ProphetLogistic:
    """A Prophet per series on the linear scale, its ceiling as the capacity."""

    name = "prophet_logistic"
    rehearsal = "prophet_logistic"

    @property
    def variants(self) -> tuple[ForecastModel, ...]:
        """Return the model alone: it has one variant."""
        return (self,)

    def candidate(self, history: History) -> str:
        """Return its growth; linear without a ceiling."""
        is_linear = history.ceiling is None
        return ProphetModel().candidate(history) if is_linear else "trend of logistic growth"

    def predict(self, history: History, days: int) -> Prediction:
        """Fit the history and extend it."""
        if history.ceiling is None:
            return ProphetModel().predict(history, days)
        spec = specification(history, days)
        if spec.log_scale:
            spec = specification(history, days, usual_scale=False)
        count = len(spec.values)
        frame = _frame(spec, history, days)
        past = frame[:count].assign(y=spec.values)[history.observed]
        with quietly():
            model = _unfitted(spec)
            line = _line(model, past, frame, seed=crc32(history.series_id.encode()) & 0x7FFFFFFF)
        variance, excess = _cumulants(model, count, past.index[-1], days)
        carried = residual_path(spec.values - line[:count], RESIDUAL_LAGS, days)
        return Prediction(
            line[count:] + carried, variance, excess, log_scale=False, stored=_stored(model)
        )


def _frame(spec: Specification, history: History, days: int) -> pd.DataFrame:
    total = len(spec.values) + days
    stamps = (history.first_day + np.arange(total)).astype("datetime64[ns]")
    frame = pd.DataFrame(spec.columns, columns=list(spec.names))
    return frame.assign(ds=stamps, cap=history.ceiling, floor=0.0)


def _line(model: Any, past: pd.DataFrame, frame: pd.DataFrame, seed: int) -> FloatArray:
    try:
        model.fit(past, seed=seed)
    except RuntimeError as error:
        raise ModelFailure(str(error)) from error
    finally:
        model.stan_backend.cleanup()
    return np.asarray(model.predict(frame)["yhat"], dtype=np.float64)


def _unfitted(plan: Specification) -> Any:
    """Return a Prophet for one fit, with the seasons and regressors of ``plan``."""
    import prophet  # noqa: PLC0415 - takes seconds, and not every caller forecasts

    from forecasting.stan.backend import Backend  # noqa: PLC0415 - loads Prophet

    configuration = CONFIGURATIONS[0]
    model: Any = prophet.Prophet(
        growth="logistic",
        n_changepoints=CHANGEPOINT_COUNT,
        changepoint_range=configuration.changepoint_range,
        changepoint_prior_scale=configuration.changepoint_prior,
        seasonality_prior_scale=SEASON_PRIOR,
        weekly_seasonality=WEEKLY_ORDER,
        yearly_seasonality=False,
        daily_seasonality=False,
        uncertainty_samples=0,
    )
    model.stan_backend = Backend()
    if plan.yearly:
        model.add_seasonality("yearly", YEARLY_PERIOD_DAYS, YEARLY_ORDER, YEARLY_PRIOR)
    for name in plan.names:
        model.add_regressor(name, prior_scale=REGRESSOR_PRIOR, standardize=False)
    return model


def _stored(model: Any) -> str:
    """The model as ``model_from_json`` reads it; Prophet's own backend loads it again."""
    from prophet.serialize import model_to_json  # noqa: PLC0415 - loaded with Prophet

    return str(model_to_json(model))


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
def quietly() -> Iterator[None]:
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


MODEL: Final[ForecastModel] = ProphetLogistic()
