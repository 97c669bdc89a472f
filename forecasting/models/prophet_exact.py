"""Prophet's model without Stan: the same specification, solved exactly in a millisecond.

It forecasts what ``prophet`` would if its optimiser always reached the optimum, and backtests
in its place.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from forecasting.engine.design import Design, Season, changepoints, design, fourier
from forecasting.engine.smoothing import residual_path
from forecasting.engine.solver import moments, solve
from forecasting.history import FloatArray, History
from forecasting.interval import trend_cumulants
from forecasting.model import Model, Prediction
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


class ProphetExact:
    """The model of ``prophet``, by the exact solver."""

    name = "prophet_exact"
    rehearsal = "prophet_exact"

    def predict(self, history: History, days: int) -> Prediction:
        """Fit the history and extend it."""
        spec = specification(history, days)
        count = len(spec.values)
        plan, bend_count = _plan(spec, history, days)
        scale = float(np.nanmax(np.abs(spec.values))) or 1.0
        fit = solve(plan, moments(plan, spec.values / scale), CHANGEPOINT_PRIOR)
        line = plan.columns @ fit.coefficients * scale
        slopes = fit.coefficients[2 : 2 + bend_count]
        seen = np.flatnonzero(history.observed)
        variance, excess = trend_cumulants(
            ahead=(count - seen[-1] + np.arange(days)) / max(float(seen[-1] - seen[0]), 1.0),
            rate=float(max(bend_count, 1)),
            laplace=float(np.abs(slopes).mean()) if bend_count else 0.0,
            noise=fit.sigma,
        )
        carried = residual_path(spec.values - line[:count], RESIDUAL_LAGS, days)
        expected = line[count:] + carried
        return Prediction(expected, variance * scale**2, excess * scale**4, spec.log_scale)


def _plan(spec: Specification, history: History, days: int) -> tuple[Design, int]:
    observed = np.flatnonzero(history.observed).astype(np.float64)
    times = (observed - observed[0]) / max(float(observed[-1] - observed[0]), 1.0)
    bends = changepoints(times, CHANGEPOINT_COUNT, CHANGEPOINT_RANGE)
    seasons = _seasons(spec, history, days)
    features = np.hstack([seasons, spec.regressors])
    priors = np.concatenate(
        [
            np.full(seasons.shape[1], SEASON_PRIOR),
            np.full(spec.regressors.shape[1], REGRESSOR_PRIOR),
        ]
    )
    plan = design(observed, len(spec.values) + days, bends, features, priors)
    return plan, len(bends)


def _seasons(spec: Specification, history: History, days: int) -> FloatArray:
    first = int(history.first_day.astype("datetime64[D]").astype(np.int64))
    steps = first + np.arange(len(spec.values) + days, dtype=np.float64)
    weekly = fourier(steps, Season(7, WEEKLY_ORDER))
    if not spec.yearly:
        return weekly
    return np.hstack([weekly, fourier(steps, Season(365.25, YEARLY_ORDER))])


MODEL: Final[Model] = ProphetExact()
