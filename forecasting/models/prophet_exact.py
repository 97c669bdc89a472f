"""Prophet's model without Stan: the same specification, solved exactly in a millisecond.

It forecasts what ``prophet`` would if its optimiser always reached the optimum, and backtests
in its place.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.design import Design, Season, changepoints, design, fourier
from forecasting.engine.residuals import residual_path
from forecasting.engine.solver import Moments, solve
from forecasting.history import History
from forecasting.interval import trend_cumulants
from forecasting.model import ForecastModel, Prediction, with_usual_scale
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
    Place,
    Regressors,
    regressor_columns,
    specification,
)
from mqcap.domain.metric import Statistic

KEPT_PREDICTIONS: Final = 8_192
"""Predictions that a process keeps, the last ones asked for: some 75 MB. One that forecasts day
after day meets the nights before and the origins of back-tests again; of about 150 series each they
are all there (ours)."""
KEPT_DESIGNS: Final = 64
"""Designs that a process keeps, some 0.5 MB each: series of a site that have the same observed days
and regressors share them (ours)."""


class ProphetExact:
    """The model of ``prophet``, by the exact solver."""

    rehearsal = "prophet_exact"

    def __init__(self, configuration: Configuration = CONFIGURATIONS[0]) -> None:
        """The candidate to fit; the usual one by default."""
        self.configuration = configuration
        self.name = "prophet_exact"

    @property
    def variants(self) -> tuple[ForecastModel, ...]:
        """Return a model per configuration."""
        return tuple(ProphetExact(configuration) for configuration in CONFIGURATIONS)

    def candidate(self, history: History) -> str:
        """Return the trend of the configuration."""
        return self.configuration.trend(history)

    def predict(self, history: History, days: int) -> Prediction:
        """Fit the history and extend it."""
        history = with_usual_scale(history)
        place = (history.first_day, history.country, history.site)
        is_log = bool(history.usual_scale_is_log)
        content = history.values.tobytes()
        return _predicted(content, place, history.known_changes, is_log, days, self.configuration)


@lru_cache(maxsize=KEPT_PREDICTIONS)
def _predicted(
    content: bytes,
    place: Place,
    known_changes: tuple[date, ...],
    usual_scale_is_log: bool,
    days: int,
    configuration: Configuration,
) -> Prediction:
    """Return it; its arrays are read-only."""
    first_day, country, site = place
    history = History(
        series_id="",
        statistic=Statistic.peak,
        first_day=first_day,
        values=np.frombuffer(content),
        country=country,
        site=site,
        known_changes=known_changes,
        usual_scale_is_log=usual_scale_is_log,
    )
    spec = specification(history, days, configuration.usual_scale)
    count, observed = len(spec.values), history.observed
    grid = (observed.tobytes(), spec.regressors, count + days, spec.yearly)
    plan, rows, gram = _planned(*grid, configuration.changepoint_range)
    scale = float(np.nanmax(np.abs(spec.values))) or 1.0
    scaled = spec.values[observed] / scale
    data = Moments(gram, scaled @ rows, float(scaled @ scaled), float(len(scaled)))
    fit = solve(plan, data, configuration.changepoint_prior)
    line = plan.columns @ fit.coefficients * scale
    slopes = fit.coefficients[2 : 2 + plan.ramp_count]
    seen = np.flatnonzero(observed)
    variance, excess = trend_cumulants(
        ahead=(count - seen[-1] + np.arange(days)) / max(float(seen[-1] - seen[0]), 1.0),
        rate=float(max(len(slopes), 1)),
        laplace=float(np.abs(slopes).mean()) if len(slopes) else 0.0,
        noise=fit.sigma,
    )
    carried = residual_path(spec.values - line[:count], RESIDUAL_LAGS, days)
    lines = (line[count:] + carried, variance * scale**2, excess * scale**4)
    for each in lines:
        each.setflags(write=False)
    return Prediction(*lines, log_scale=spec.log_scale)


@lru_cache(maxsize=KEPT_DESIGNS)
def _planned(
    is_observed: bytes,
    regressors: Regressors,
    total: int,
    yearly: bool,
    changepoint_range: float,
) -> tuple[Design, FloatArray, FloatArray]:
    """Return the design of all series with the same observed days and regressors, not written to.

    With its observed rows, and these times themselves. Columns and prior deviations are in
    Prophet's order.
    """
    seen = np.frombuffer(is_observed, dtype=np.bool_)
    observed = np.flatnonzero(seen).astype(np.float64)
    times = (observed - observed[0]) / max(float(observed[-1] - observed[0]), 1.0)
    bends = changepoints(times, CHANGEPOINT_COUNT, changepoint_range)
    first = int(regressors.place[0].astype("datetime64[D]").astype(np.int64))
    seasons, priors = _seasons(first, total, yearly)
    columns = regressor_columns(regressors, total)
    plan = design(
        observed,
        total,
        bends,
        np.hstack([seasons, columns]),
        np.concatenate([priors, np.full(columns.shape[1], REGRESSOR_PRIOR)]),
    )
    rows = plan.columns[: len(seen)][seen]
    return plan, rows, rows.T @ rows


@lru_cache(maxsize=32)
def _seasons(first: int, total: int, yearly: bool) -> tuple[FloatArray, FloatArray]:
    """Columns and prior deviations of the seasons, for all series on one grid; not to write to."""
    steps = first + np.arange(total, dtype=np.float64)
    seasons = [Season(7, WEEKLY_ORDER, SEASON_PRIOR)]
    if yearly:
        seasons.insert(0, Season(YEARLY_PERIOD_DAYS, YEARLY_ORDER, YEARLY_PRIOR))
    return (
        np.hstack([fourier(steps, season) for season in seasons]),
        np.concatenate([np.full(2 * season.order, season.prior) for season in seasons]),
    )


MODEL: Final[ForecastModel] = ProphetExact()
