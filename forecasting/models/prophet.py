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
from typing import Any, Final, Literal
from zlib import crc32

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.engine.smoothing import residual_path
from forecasting.history import History
from forecasting.interval import trend_cumulants
from forecasting.model import ForecastModel, ModelFailure, Prediction
from forecasting.models.prophet_exact import Optimum, optimum
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
    Configuration,
    Specification,
    specification,
)

NOISY_LOGGERS: Final = ("cmdstanpy", "prophet", "prophet.models", "prophet.forecaster")


class ProphetModel:
    """A Prophet per series, on the scale and with the changepoints of its configuration.

    Stan starts at the optimum of the exact solver, from where it has next to nothing to do.
    """

    rehearsal = "prophet_exact"

    def __init__(self, configuration: Configuration = CONFIGURATIONS[0]) -> None:
        """The candidate to fit; the usual one by default."""
        self.configuration = configuration
        self.name = "prophet"

    @property
    def variants(self) -> tuple[ForecastModel, ...]:
        """Return a model per configuration."""
        return tuple(ProphetModel(configuration) for configuration in CONFIGURATIONS)

    def candidate(self, history: History) -> str:
        """Return the trend of the configuration."""
        return self.configuration.trend(history)

    def predict(self, history: History, days: int) -> Prediction:
        """Fit the history and extend it."""
        spec = specification(history, days, self.configuration.usual_scale)
        start = optimum(spec, history, days, self.configuration)
        count = len(spec.values)
        stamps = (history.first_day + np.arange(count)).astype("datetime64[ns]")
        past = pd.DataFrame(spec.regressors[:count], columns=list(spec.names))
        past = past.assign(ds=stamps, y=spec.values)[history.observed]
        with quietly():
            model = unfitted(spec, self.configuration)
            _fit(model, past, start, seed=crc32(history.series_id.encode()) & 0x7FFFFFFF)
        line = start.plan.columns @ _coefficients(model, start) * start.scale
        variance, excess = cumulants(model, count, past.index[-1], days)
        carried = residual_path(spec.values - line[:count], RESIDUAL_LAGS, days)
        options = stored(model)
        return Prediction(line[count:] + carried, variance, excess, spec.log_scale, options)


def stored(model: Any) -> str:
    """The model as ``model_from_json`` reads it; Prophet's own backend loads it again."""
    from prophet.serialize import model_to_json  # noqa: PLC0415 - loaded with Prophet

    return str(model_to_json(model))


def unfitted(
    plan: Specification,
    configuration: Configuration,
    growth: Literal["linear", "logistic"] = "linear",
) -> Any:
    """Return a Prophet for one fit, with the seasons and regressors of ``plan``."""
    import prophet  # noqa: PLC0415 - takes seconds, and not every caller forecasts

    from forecasting.stan import Backend  # noqa: PLC0415 - loads Prophet

    model: Any = prophet.Prophet(
        growth=growth,
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


def _fit(model: Any, past: pd.DataFrame, start: Optimum, seed: int) -> None:
    ramps = start.plan.ramp_count
    coefficients = start.fit.coefficients
    arguments: dict[str, Any] = {}
    if ramps:
        arguments["algorithm"] = "Newton"
        arguments["init"] = {
            "k": float(coefficients[0]),
            "m": float(coefficients[1]),
            "delta": coefficients[2 : 2 + ramps],
            "beta": coefficients[2 + ramps :],
            "sigma_obs": start.fit.sigma,
        }
    try:
        model.fit(past, seed=seed, **arguments)
    except RuntimeError as error:
        raise ModelFailure(str(error)) from error
    finally:
        model.stan_backend.cleanup()


def _coefficients(model: Any, start: Optimum) -> FloatArray:
    """Prophet's parameters in the order of the columns, which are Prophet's own.

    ``Prophet.predict`` would make the same columns again, at half of the cost of the fit.
    """
    names = ("k", "m", "delta", "beta") if start.plan.ramp_count else ("k", "m", "beta")
    return np.concatenate([np.ravel(model.params[name]) for name in names])


def cumulants(model: Any, length: int, last: Any, days: int) -> tuple[FloatArray, FloatArray]:
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


MODEL: Final[ForecastModel] = ProphetModel()
