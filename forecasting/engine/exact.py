"""Fit of Prophet's model by the exact solver, for the models that forecast from it."""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.design import Design, changepoints, design, fourier
from forecasting.engine.solver import Fit, Moments, solve
from forecasting.history import History
from forecasting.specification import (
    CHANGEPOINT_COUNT,
    SEASON_PRIOR,
    WEEKLY_ORDER,
    YEARLY_ORDER,
    YEARLY_PERIOD_DAYS,
    YEARLY_PRIOR,
    Configuration,
    Regressors,
    Specification,
    regressor_columns,
    specification,
)

KEPT_DESIGNS: Final = 64
"""Designs that a process keeps, some 0.5 MB each: series of a site that have the same observed days
and regressors share them (ours)."""


class ExactFit(NamedTuple):
    """The optimum for one series: ``fit`` is of the values divided by ``scale``."""

    spec: Specification
    plan: Design
    fit: Fit
    scale: float

    @property
    def line(self) -> FloatArray:
        """Fitted and expected values of history and horizon, on the model's scale."""
        return np.asarray(self.plan.columns @ self.fit.coefficients * self.scale)

    @property
    def slopes(self) -> FloatArray:
        """Changes of the slope of the trend."""
        return self.fit.coefficients[2 : 2 + self.plan.ramp_count]

    @property
    def effects(self) -> FloatArray:
        """Of the week, of calendar events and of level shifts, on each day."""
        first = 2 + self.plan.ramp_count + (2 * YEARLY_ORDER if self.spec.yearly else 0)
        return np.asarray(self.plan.columns[:, first:] @ self.fit.coefficients[first:] * self.scale)


def exact_fit(history: History, days: int, configuration: Configuration) -> ExactFit:
    """Fit ``history`` for the ``days`` behind it; ModelFailure if a value has no logarithm."""
    spec = specification(history, days, configuration.usual_scale)
    observed = history.observed
    total = len(spec.values) + days
    grid = (observed.tobytes(), spec.regressors, total, spec.yearly)
    plan, rows, gram = _planned(*grid, configuration.changepoint_range)
    scale = float(np.nanmax(np.abs(spec.values))) or 1.0
    scaled = spec.values[observed] / scale
    data = Moments(gram, scaled @ rows, float(scaled @ scaled), float(len(scaled)))
    return ExactFit(spec, plan, solve(plan, data, configuration.changepoint_prior), scale)


@lru_cache(maxsize=KEPT_DESIGNS)
def _planned(
    is_observed: bytes,
    regressors: Regressors,
    total: int,
    yearly: bool,
    changepoint_range: float,
) -> tuple[Design, FloatArray, FloatArray]:
    """Return the design of all series with the same days and regressors, not written to."""
    seen = np.frombuffer(is_observed, dtype=np.bool_)
    observed = np.flatnonzero(seen).astype(np.float64)
    times = (observed - observed[0]) / max(float(observed[-1] - observed[0]), 1.0)
    bends = changepoints(times, CHANGEPOINT_COUNT, changepoint_range)
    first = int(regressors.place[0].astype("datetime64[D]").astype(np.int64))
    steps = first + np.arange(total, dtype=np.float64)
    seasons = [fourier(steps, 7, WEEKLY_ORDER)]
    priors = [SEASON_PRIOR] * 2 * WEEKLY_ORDER
    if yearly:
        seasons.insert(0, fourier(steps, YEARLY_PERIOD_DAYS, YEARLY_ORDER))
        priors = [YEARLY_PRIOR] * 2 * YEARLY_ORDER + priors
    plan = design(
        observed,
        total,
        bends,
        np.hstack([*seasons, regressor_columns(regressors, total)]),
        np.array([*priors, *regressors.priors]),
    )
    rows = plan.columns[: len(seen)][seen]
    return plan, rows, rows.T @ rows
