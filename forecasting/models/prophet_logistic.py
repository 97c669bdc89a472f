"""Prophet with logistic growth: towards the largest value that can exist, never past it.

The exact solver knows linear growth only, so that every fit and every trial is Prophet's own.
Series without such a value grow linearly.
"""

from __future__ import annotations

from typing import Any, Final
from zlib import crc32

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.engine.smoothing import residual_path
from forecasting.history import History
from forecasting.model import ForecastModel, ModelFailure, Prediction
from forecasting.models.prophet import ProphetModel, cumulants, quietly, stored, unfitted
from forecasting.specification import (
    CONFIGURATIONS,
    RESIDUAL_LAGS,
    Specification,
    specification,
)


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
            model = unfitted(spec, CONFIGURATIONS[0], growth="logistic")
            line = _line(model, past, frame, seed=crc32(history.series_id.encode()) & 0x7FFFFFFF)
        variance, excess = cumulants(model, count, past.index[-1], days)
        carried = residual_path(spec.values - line[:count], RESIDUAL_LAGS, days)
        return Prediction(
            line[count:] + carried, variance, excess, log_scale=False, stored=stored(model)
        )


def _frame(spec: Specification, history: History, days: int) -> pd.DataFrame:
    total = len(spec.values) + days
    stamps = (history.first_day + np.arange(total)).astype("datetime64[ns]")
    frame = pd.DataFrame(spec.regressors, columns=list(spec.names))
    return frame.assign(ds=stamps, cap=history.ceiling, floor=0.0)


def _line(model: Any, past: pd.DataFrame, frame: pd.DataFrame, seed: int) -> FloatArray:
    try:
        model.fit(past, seed=seed)
    except RuntimeError as error:
        raise ModelFailure(str(error)) from error
    finally:
        model.stan_backend.cleanup()
    return np.asarray(model.predict(frame)["yhat"], dtype=np.float64)


MODEL: Final[ForecastModel] = ProphetLogistic()
