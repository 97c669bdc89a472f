"""Prophet's model without Stan: the same specification, solved exactly in a millisecond.

It forecasts what ``prophet`` would if its optimiser always reached the optimum, and backtests
in its place.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.engine.exact import exact_fit
from forecasting.engine.residuals import residual_path
from forecasting.history import History
from forecasting.interval import trend_cumulants
from forecasting.model import ForecastModel, Prediction, with_usual_scale
from forecasting.models.level import MODEL as LEVEL
from forecasting.specification import CONFIGURATIONS, RESIDUAL_LAGS, Configuration, Place
from mqcap.domain.metric import Statistic

KEPT_PREDICTIONS: Final = 8_192
"""Predictions that a process keeps, the last ones asked for: some 75 MB. One that forecasts day
after day meets the nights before and the origins of back-tests again; of about 150 series each they
are all there (ours)."""


class ProphetExact:
    """The model of ``prophet``, by the exact solver."""

    rehearsal = "prophet_exact"

    def __init__(self, configuration: Configuration = CONFIGURATIONS[0]) -> None:
        """The candidate to fit; the usual one by default."""
        self.configuration = configuration
        self.name = "prophet_exact"

    @property
    def variants(self) -> tuple[ForecastModel, ...]:
        """Return a model per configuration, and the last level."""
        return (*(ProphetExact(configuration) for configuration in CONFIGURATIONS), LEVEL)

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
    fitted = exact_fit(history, days, configuration)
    values, line, slopes = fitted.spec.values, fitted.line, fitted.slopes
    count, scale = len(values), fitted.scale
    seen = np.flatnonzero(history.observed)
    variance, excess = trend_cumulants(
        ahead=(count - seen[-1] + np.arange(days)) / max(float(seen[-1] - seen[0]), 1.0),
        rate=float(max(len(slopes), 1)),
        laplace=float(np.abs(slopes).mean()) if len(slopes) else 0.0,
        noise=fitted.fit.sigma,
    )
    carried = residual_path(values - line[:count], RESIDUAL_LAGS, days)
    lines = (line[count:] + carried, variance * scale**2, excess * scale**4)
    for each in lines:
        each.setflags(write=False)
    return Prediction(*lines, log_scale=fitted.spec.log_scale)


MODEL: Final[ForecastModel] = ProphetExact()
