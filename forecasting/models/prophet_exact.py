"""Prophet's model without Stan: the same specification, solved exactly in a millisecond."""

from functools import lru_cache, partial
from typing import Final

import numpy as np

from forecasting.engine.exact import exact_fit
from forecasting.engine.residuals import residual_path
from forecasting.history import History
from forecasting.interval import trend_cumulants
from forecasting.model import ForecastModel, Prediction
from forecasting.specification import RESIDUAL_LAGS, Configuration

KEPT_PREDICTIONS: Final = 8_192
"""Predictions that a process keeps, the last ones asked for: some 100 MB. One that forecasts day
after day meets the nights before and the origins of back-tests again; of about 150 series each they
are all there (ours)."""


def prophet_exact(configuration: Configuration) -> ForecastModel:
    """Return the model of ``prophet`` of a configuration, by the exact solver."""
    return ForecastModel("prophet_exact", configuration.trend, partial(_predicted, configuration))


@lru_cache(maxsize=KEPT_PREDICTIONS)
def _predicted(configuration: Configuration, history: History, days: int) -> Prediction:
    fitted = exact_fit(history, days, configuration)
    values, line, slopes = fitted.spec.values, fitted.line, fitted.slopes
    count, scale = len(values), fitted.scale
    span = history.last - int(history.observed.argmax())
    variance, excess = trend_cumulants(
        ahead=(count - history.last + np.arange(days)) / max(float(span), 1.0),
        rate=float(max(len(slopes), 1)),
        laplace=float(np.abs(slopes).mean()) if len(slopes) else 0.0,
        noise=fitted.fit.sigma,
    )
    carried = residual_path(values - line[:count], RESIDUAL_LAGS, days)
    return Prediction(
        line[count:] + carried, variance * scale**2, excess * scale**4, fitted.spec.log_scale
    )
