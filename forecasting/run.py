"""Forecasts of a batch of series: every series gets a forecast or a refusal."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.backtest import backtest
from forecasting.driven import (
    NotDriven,
    driven_by,
    driver_history,
    multiplied,
    planned,
    usable,
    with_begun_plans,
)
from forecasting.history import History, history_of
from forecasting.interval import PredictionInterval, plausible_range, prediction_interval
from forecasting.lines import ForecastLines, lines_of, with_lines
from forecasting.mix import CandidateInterval, mixed_intervals
from forecasting.model import ForecastModel, ModelFailure, Prediction, with_usual_scale
from forecasting.models.level import LEVEL
from forecasting.models.prophet import prophet
from forecasting.models.prophet_exact import prophet_exact
from forecasting.models.sawtooth import SAWTEETH
from forecasting.models.seasonal_naive import SEASONAL_NAIVE
from forecasting.options import ForecastOptions
from forecasting.past import past_of
from forecasting.prepare import Prepared, prepare
from forecasting.specification import CONFIGURATIONS
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.forecast import (
    CandidateShare,
    DriverCourse,
    DriverEffect,
    Forecast,
    ForecastMix,
    ForecastPoint,
)


class Method(NamedTuple):
    """The candidates, the usual one first; ``leading`` fit the one with the largest share."""

    rehearsed: Sequence[ForecastModel]
    leading: Sequence[ForecastModel]


_SOLVED: Final = [prophet_exact(configuration) for configuration in CONFIGURATIONS]
PROPHET: Final = Method(
    [*_SOLVED, LEVEL], [prophet(configuration) for configuration in CONFIGURATIONS]
)
FAST: Final = Method([*_SOLVED, LEVEL], _SOLVED)
SAWTOOTH: Final = Method([SAWTEETH], [SAWTEETH])
LAST_WEEK: Final = Method([SEASONAL_NAIVE], [SEASONAL_NAIVE])
"""Takes over when no solution is found."""
LEAST_ANSWERED_DAYS: Final = 20
"""Values that an answer beside a refusal needs (ours)."""
SIGNIFICANT_DIGITS: Final = 9
"""Figures are rounded so that equal runs give equal bytes on any machine."""
SHARE_DIGITS: Final = 6
"""Decimal places of the share of a candidate, for the same reason."""


def forecast_series(
    rows: pd.DataFrame, options: ForecastOptions, cutoff_date: date
) -> list[Forecast]:
    """Return one forecast or one refusal per series and statistic in ``rows``, in their order.

    Each is worked by itself, so that it does not depend on the others. Columns of ``rows``, one per
    day: ``series_id, statistic, site_date, value, country``; NaN values are missing days, a null
    country has no public holidays. Optional: ``calendar`` (JSON of a ``SiteCalendar``) and
    ``known_changes`` (days, joined by commas), the same in all rows of a series; ``driver`` (JSON
    of a ``DriverCourse``), in one of its rows. Rows after ``cutoff_date`` are ignored.
    """
    night, days = _Night(options, cutoff_date), options.lookback_days
    return [
        night.forecast(history_of(group, str(identity), str(statistic), cutoff_date, days))
        for (identity, statistic), group in rows.groupby(["series_id", "statistic"], sort=True)
    ]


class _Night(NamedTuple):
    options: ForecastOptions
    cutoff_date: date

    def forecast(self, history: History) -> Forecast:
        """Return the forecast of a history, or its refusal, answered by its last week."""
        try:
            prepared = prepare(with_begun_plans(history), self.options, self.cutoff_date)
        except ConfigurationError as error:
            return self._result(Prepared(history, 0, str(error)))
        if prepared.refusal is None:
            made = self._forecast_of(prepared)
        else:
            seen = prepared.history.values[prepared.history.observed]
            is_answered = self.options.answers_refused and seen.size >= LEAST_ANSWERED_DAYS
            if not is_answered or not np.ptp(seen):
                return self._result(prepared)
            made = self._modelled(prepared, LAST_WEEK)
        past = past_of(history, prepared.history, lines_of(made))
        return made.model_copy(update={"past": past})

    def _forecast_of(self, prepared: Prepared) -> Forecast:
        method = FAST if self.options.final_fit == "fast" else PROPHET
        course = prepared.history.driver
        try:
            if prepared.sawtooth:
                return self._modelled(prepared, SAWTOOTH)
            if course is not None:
                return self._driven(prepared, course, method)
            return self._modelled(prepared, method)
        except ModelFailure:
            return self._modelled(prepared, LAST_WEEK)

    def _driven(self, prepared: Prepared, course: DriverCourse, method: Method) -> Forecast:
        """Forecast by the driver where rolling origins gain, else without; the result tells."""
        history = replace(prepared.history, driver=None)
        plain = self._modelled(replace(prepared, history=history), method)
        effect = DriverEffect(
            name=course.name, is_used=False, smape_without_pct=plain.smape_pct, plans=course.plans
        )
        try:
            parts = driven_by(history, course, method.rehearsed, plain.smape_pct, self.options)
            rest = self._modelled(replace(prepared, history=parts.rest), method)
            driver = prepare(driver_history(history, course), self.options, self.cutoff_date)
            forecast = lines_of(self._modelled(usable(driver), method))
        except (NotDriven, ModelFailure) as error:
            unused = effect.model_copy(update={"reason": str(error)})
            return plain.model_copy(update={"driver": unused})
        days, *lines = lines_of(rest)
        ahead = planned(PredictionInterval(*forecast[1:]), days, course)
        both = multiplied(PredictionInterval(*lines), ahead, parts)
        made = with_lines(rest, ForecastLines(days, *map(_rounded, both)))
        used = {"is_used": True, "elasticity": parts.elasticity, "smape_pct": rest.smape_pct}
        return made.model_copy(update={"driver": effect.model_copy(update=used)})

    def _modelled(self, prepared: Prepared, method: Method) -> Forecast:
        """Mix the candidates that find a solution; the leading one is fitted anew."""
        history = with_usual_scale(prepared.history)
        score = backtest(method.rehearsed, history, self.options)
        behind = int((np.datetime64(self.cutoff_date, "D") - history.days[-1]).astype(np.int64))
        days = behind + max(self.options.horizon_days, self.options.crossing_days)
        fits = list(method.rehearsed)
        made = dict(_rehearsed(fits, score.weights, history, days))
        leader = max(
            (index for index in made if index < len(method.leading)), key=score.weights.__getitem__
        )
        fits[leader] = method.leading[leader]
        if fits[leader] is not method.rehearsed[leader]:
            made[leader] = fits[leader].predict(history, days)
        weights = {index: score.weights[index] for index in made}
        width, total = self.options.interval_width, sum(weights.values())
        candidates = [
            CandidateInterval(
                prediction_interval(prediction, history, width, score.widening),
                prediction.log_scale,
                prediction.near_weight,
            )
            for prediction in made.values()
        ]
        full = mixed_intervals(candidates, list(weights.values()), width)
        low, high = plausible_range(history)
        lines = PredictionInterval(*(np.clip(line[behind:], low, high) for line in full))
        shares = tuple(
            CandidateShare(
                name=fit.candidate(history),
                fitted_by=fit.name,
                share_ratio=round(weights.get(index, 0.0) / total, SHARE_DIGITS),
            )
            for index, fit in enumerate(fits)
        )
        first, horizon = np.datetime64(self.cutoff_date, "D") + 1, self.options.horizon_days
        lower, expected, upper = (_rounded(line).tolist() for line in lines)
        dates = (first + np.arange(len(expected))).astype(object).tolist()
        points = tuple(map(ForecastPoint, dates, expected, lower, upper))
        return self._result(
            prepared,
            model=method.leading[0].name,
            points=points[:horizon],
            after_horizon=points[horizon:],
            smape_pct=score.smape_pct,
            coverage_ratio=score.coverage_ratio,
            mix=ForecastMix(candidates=shares),
        )

    def _result(self, prepared: Prepared, **made: Any) -> Forecast:
        history = prepared.history
        return Forecast(
            series_id=history.series_id,
            statistic=history.statistic,
            cutoff_date=self.cutoff_date,
            horizon_days=self.options.horizon_days,
            trained_days=history.observed_count,
            interval_width=self.options.interval_width,
            removed_count=prepared.removed_count,
            refusal=prepared.refusal,
            **({"model": "none"} | made),
        )


def _rehearsed(
    models: Sequence[ForecastModel], weights: Sequence[float], history: History, days: int
) -> Iterator[tuple[int, Prediction]]:
    """Yield number and prediction of the weighted candidates that find a solution."""
    for index, weight in enumerate(weights):
        try:
            if weight > 0:
                yield index, models[index].predict(history, days)
        except ModelFailure:
            if not index:
                raise


def _rounded(line: FloatArray) -> FloatArray:
    return np.array([float(f"{value:.{SIGNIFICANT_DIGITS}g}") for value in line.tolist()])
