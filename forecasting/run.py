"""Forecasts of a batch of series: every series gets a forecast or a refusal.

Each series is worked by itself, so that its forecast does not depend on the batch it is in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.backtest import NONE, Backtest, backtest
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
from forecasting.models.level import LevelModel
from forecasting.models.prophet import ProphetModel
from forecasting.models.prophet_exact import ProphetExact
from forecasting.models.sawtooth import SawtoothModel
from forecasting.models.seasonal_naive import SeasonalNaive
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
    """The candidates of a forecast, the usual one first, and the name of who fits the leading one.

    ``rehearsed`` are those of back-tests and of all but the leading candidate: the same ones, or
    faster ones that give the same forecasts.
    """

    name: str
    rehearsed: Sequence[ForecastModel]
    leading: Sequence[ForecastModel]


_SOLVED: Final = [ProphetExact(configuration) for configuration in CONFIGURATIONS]
_REHEARSED: Final[list[ForecastModel]] = [*_SOLVED, LevelModel()]
PROPHET: Final = Method(
    ProphetModel.name, _REHEARSED, [ProphetModel(configuration) for configuration in CONFIGURATIONS]
)
FAST: Final = Method(ProphetExact.name, _REHEARSED, _SOLVED)
SAWTEETH: Final = Method(SawtoothModel.name, [SawtoothModel()], [SawtoothModel()])
LAST_WEEK: Final = Method(SeasonalNaive.name, [SeasonalNaive()], [SeasonalNaive()])
"""Takes over when no solution is found."""
LEAST_ANSWERED_DAYS: Final = 20
"""Values that an answer beside a refusal needs (ours)."""
SIGNIFICANT_DIGITS: Final = 9
"""Figures are rounded so that equal runs give equal bytes on any machine."""
_SIGNIFICANT: Final = f"{{:.{SIGNIFICANT_DIGITS}g}}"
SHARE_DIGITS: Final = 6
"""Decimal places of the share of a candidate, for the same reason."""


def forecast_series(
    rows: pd.DataFrame, options: ForecastOptions, cutoff_date: date
) -> list[Forecast]:
    """Return one forecast or one refusal per series and statistic in ``rows``, in their order.

    Args:
        rows: Columns ``series_id, statistic, site_date, value, country``; one row is one day. Rows
            after ``cutoff_date`` are ignored, NaN values are missing days, a null country has no
            public holidays. Optional: ``calendar`` (JSON of a ``SiteCalendar``) and
            ``known_changes`` (days, joined by commas), the same in all rows of a series;
            ``driver`` (JSON of a ``DriverCourse``), in one of its rows.
        options: Horizon, interval and demands on the history.
        cutoff_date: The last day that is known; the forecast starts on the next one.
    """
    keys = ["series_id", "statistic"]
    return [
        _forecast(
            history_of(group, str(identity), str(statistic), cutoff_date, options.lookback_days),
            options,
            cutoff_date,
        )
        for (identity, statistic), group in rows.groupby(keys, sort=True)
    ]


def _forecast(history: History, options: ForecastOptions, cutoff_date: date) -> Forecast:
    try:
        prepared = prepare(with_begun_plans(history), options, cutoff_date)
    except ConfigurationError as error:
        return _result(Prepared(history, 0, str(error)), options, cutoff_date)
    if prepared.refusal is not None:
        return _refused(prepared, history, options, cutoff_date)
    made = _forecast_of(prepared, options, cutoff_date)
    return _with_past(made, history, prepared.history)


def _refused(
    prepared: Prepared, measured: History, options: ForecastOptions, cutoff_date: date
) -> Forecast:
    """Return the refusal; with an answer by the last week where one is asked for and possible."""
    refused = _result(prepared, options, cutoff_date)
    history = prepared.history
    seen = history.values[history.observed]
    if not options.answers_refused or seen.size < LEAST_ANSWERED_DAYS or not np.ptp(seen):
        return refused
    return _with_past(_modelled(prepared, LAST_WEEK, options, cutoff_date), measured, history)


def _with_past(forecast: Forecast, measured: History, cleaned: History) -> Forecast:
    return forecast.model_copy(update={"past": past_of(measured, cleaned, lines_of(forecast))})


def _forecast_of(prepared: Prepared, options: ForecastOptions, cutoff_date: date) -> Forecast:
    try:
        if prepared.sawtooth:
            return _modelled(prepared, SAWTEETH, options, cutoff_date)
        method = FAST if options.final_fit == "fast" else PROPHET
        course = prepared.history.driver
        if course is not None:
            return _driven(prepared, course, method, options, cutoff_date)
        return _modelled(prepared, method, options, cutoff_date)
    except ModelFailure:
        return _modelled(prepared, LAST_WEEK, options, cutoff_date)


def _driven(
    prepared: Prepared,
    course: DriverCourse,
    method: Method,
    options: ForecastOptions,
    cutoff_date: date,
) -> Forecast:
    """Forecast by the driver where rolling origins gain, else without; the result says which.

    One that finds no solution with the driver, or for it, leaves the forecast without.
    """
    history = replace(prepared.history, driver=None)
    plain = _modelled(replace(prepared, history=history), method, options, cutoff_date)
    effect = DriverEffect(
        name=course.name, is_used=False, smape_without_pct=plain.smape_pct, plans=course.plans
    )
    try:
        parts = driven_by(history, course, method.rehearsed, plain.smape_pct, options)
        rest = _modelled(replace(prepared, history=parts.rest), method, options, cutoff_date)
        driver = usable(prepare(driver_history(history, course), options, cutoff_date))
        forecast = lines_of(_modelled(driver, method, options, cutoff_date))
    except (NotDriven, ModelFailure) as error:
        unused = effect.model_copy(update={"reason": str(error)})
        return plain.model_copy(update={"driver": unused})
    days, *lines = lines_of(rest)
    ahead = planned(PredictionInterval(*forecast[1:]), days, course)
    both = multiplied(PredictionInterval(*lines), ahead, parts)
    made = with_lines(rest, ForecastLines(days, *map(_rounded, both)))
    used = {"is_used": True, "elasticity": parts.elasticity, "smape_pct": rest.smape_pct}
    return made.model_copy(update={"driver": effect.model_copy(update=used)})


def _modelled(
    prepared: Prepared, method: Method, options: ForecastOptions, cutoff_date: date
) -> Forecast:
    """Mix the candidates that find a solution; the leading one is fitted anew."""
    history = with_usual_scale(prepared.history)
    score = backtest(method.rehearsed, history, options)
    behind = int((np.datetime64(cutoff_date, "D") - history.days[-1]).astype(np.int64))
    days = behind + max(options.horizon_days, options.crossing_days)
    fits = list(method.rehearsed)
    made = dict(_rehearsed(fits, score.weights, history, days))
    leader = max(
        (index for index in made if index < len(method.leading)), key=score.weights.__getitem__
    )
    fits[leader] = method.leading[leader]
    if fits[leader] is not method.rehearsed[leader]:
        made[leader] = fits[leader].predict(history, days)
    weights = [score.weights[index] for index in made]
    width, widening = options.interval_width, score.widening
    candidates = [
        CandidateInterval(
            prediction_interval(prediction, history, width, widening),
            prediction.log_scale,
            prediction.near_weight,
        )
        for prediction in made.values()
    ]
    full = mixed_intervals(candidates, weights, width)
    low, high = plausible_range(history)
    lines = PredictionInterval(*(np.clip(line[behind:], low, high) for line in full))
    shares = dict(zip(made, weights, strict=True))
    mix = ForecastMix(
        candidates=tuple(
            CandidateShare(
                name=fit.candidate(history),
                fitted_by=fit.name,
                share_ratio=round(shares.get(index, 0.0) / sum(weights), SHARE_DIGITS),
            )
            for index, fit in enumerate(fits)
        ),
    )
    result = _result(prepared, options, cutoff_date, name=method.name, lines=lines, score=score)
    return result.model_copy(update={"mix": mix})


def _rehearsed(
    models: Sequence[ForecastModel], weights: Sequence[float], history: History, days: int
) -> Iterator[tuple[int, Prediction]]:
    """Yield number and prediction of the weighted candidates that find a solution."""
    for index, weight in enumerate(weights):
        if weight <= 0:
            continue
        try:
            yield index, models[index].predict(history, days)
        except ModelFailure:
            if not index:
                raise


def _result(
    prepared: Prepared,
    options: ForecastOptions,
    cutoff_date: date,
    *,
    name: str = "none",
    lines: PredictionInterval | None = None,
    score: Backtest = NONE,
) -> Forecast:
    history = prepared.history
    points = _points(lines, cutoff_date) if lines is not None else ()
    return Forecast(
        series_id=history.series_id,
        statistic=history.statistic,
        cutoff_date=cutoff_date,
        model=name,
        horizon_days=options.horizon_days,
        trained_days=history.observed_count,
        interval_width=options.interval_width,
        smape_pct=score.smape_pct,
        coverage_ratio=score.coverage_ratio,
        removed_count=prepared.removed_count,
        refusal=prepared.refusal,
        points=points[: options.horizon_days],
        after_horizon=points[options.horizon_days :],
    )


def _points(lines: PredictionInterval, cutoff_date: date) -> tuple[ForecastPoint, ...]:
    lower, expected, upper = (_rounded(line).tolist() for line in lines)
    first = np.datetime64(cutoff_date, "D") + 1
    days = (first + np.arange(len(expected))).astype(object)
    return tuple(map(ForecastPoint, days.tolist(), expected, lower, upper))


def _rounded(line: FloatArray) -> FloatArray:
    return np.array([float(text) for text in map(_SIGNIFICANT.format, line.tolist())])
