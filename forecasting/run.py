"""Forecasts of a batch of series: every series gets a forecast or a refusal.

Each series is worked by itself, so that its forecast does not depend on the batch it is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.backtest import Backtest, backtest
from forecasting.driven import (
    NotDriven,
    driven_by,
    driver_history,
    multiplied,
    planned,
    with_begun_plans,
)
from forecasting.history import History, history_of
from forecasting.interval import PredictionInterval, plausible_range, prediction_interval
from forecasting.lines import lines_of
from forecasting.mix import CandidateInterval, mixed_intervals
from forecasting.model import ForecastModel, ModelFailure, Prediction, model_named, with_usual_scale
from forecasting.options import ForecastOptions
from forecasting.past import past_of
from forecasting.prepare import Prepared, prepare
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.forecast import (
    SAWTOOTH,
    CandidateShare,
    DriverCourse,
    DriverEffect,
    Forecast,
    ForecastMix,
    ForecastPoint,
)

FALLBACK: Final = "seasonal_naive"
"""Takes over when the chosen model finds no solution."""
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
        rows: Columns ``series_id, statistic, site_date, value, ceiling, country``; one row is
            one day. Rows after ``cutoff_date`` are ignored, NaN values are missing days, a
            NaN ceiling is none, a null country has no public holidays.
            Optional: ``calendar`` (JSON of a ``SiteCalendar``) and ``known_changes`` (days, joined
            by commas), the same in all rows of a series; ``driver`` (JSON of a ``DriverCourse``),
            in one of its rows.
        options: Horizon, interval and demands on the history.
        cutoff_date: The last day that is known; the forecast starts on the next one.

    Raises:
        ConfigurationError: ``options.model`` does not exist.
    """
    model = model_named(options.model)
    if options.final_fit == "fast":
        model = model_named(model.rehearsal)
    keys = ["series_id", "statistic"]
    return [
        _forecast(
            history_of(group, str(identity), str(statistic), cutoff_date, options.lookback_days),
            model,
            options,
            cutoff_date,
        )
        for (identity, statistic), group in rows.groupby(keys, sort=True)
    ]


def _forecast(
    history: History, model: ForecastModel, options: ForecastOptions, cutoff_date: date
) -> Forecast:
    try:
        prepared = prepare(with_begun_plans(history), options, cutoff_date)
    except ConfigurationError as error:
        return _result(Prepared(history, 0), options, cutoff_date, refusal=str(error))
    if prepared.refusal is not None:
        return _refused(prepared, history, options, cutoff_date)
    made = _forecast_of(prepared, model, options, cutoff_date)
    return _with_past(made, history, prepared.history)


def _refused(
    prepared: Prepared, measured: History, options: ForecastOptions, cutoff_date: date
) -> Forecast:
    """Return the refusal; with an answer by the last week where one is asked for and possible."""
    refused = _result(prepared, options, cutoff_date, refusal=prepared.refusal)
    history = prepared.history
    seen = history.values[history.observed]
    if not options.answers_refused or seen.size < LEAST_ANSWERED_DAYS or not np.ptp(seen):
        return refused
    answer = _modelled(prepared, model_named(FALLBACK), options, cutoff_date)
    return _with_past(answer, measured, history).model_copy(update={"refusal": prepared.refusal})


def _with_past(forecast: Forecast, measured: History, cleaned: History) -> Forecast:
    return forecast.model_copy(update={"past": past_of(measured, cleaned, lines_of(forecast))})


def _forecast_of(
    prepared: Prepared, model: ForecastModel, options: ForecastOptions, cutoff_date: date
) -> Forecast:
    try:
        chosen = model_named(SAWTOOTH) if prepared.sawtooth else model
        course = prepared.history.driver
        if course is not None and not prepared.sawtooth:
            return _driven(prepared, course, chosen, options, cutoff_date)
        return _modelled(prepared, chosen, options, cutoff_date)
    except ModelFailure:
        return _modelled(prepared, model_named(FALLBACK), options, cutoff_date)


def _driven(
    prepared: Prepared,
    course: DriverCourse,
    model: ForecastModel,
    options: ForecastOptions,
    cutoff_date: date,
) -> Forecast:
    """Forecast by the driver where rolling origins gain, else without; the result says which.

    A model that finds no solution with the driver, or for it, leaves the forecast without.
    """
    history = replace(prepared.history, driver=None)
    plain = _modelled(replace(prepared, history=history), model, options, cutoff_date)
    effect = DriverEffect(
        name=course.name, is_used=False, smape_without_pct=plain.smape_pct, plans=course.plans
    )
    try:
        parts = driven_by(history, course, model, plain.smape_pct, options)
        rest = _modelled(replace(prepared, history=parts.rest), model, options, cutoff_date)
        ahead = _driver_ahead(history, course, model, options, cutoff_date)
    except (NotDriven, ModelFailure) as error:
        unused = effect.model_copy(update={"reason": str(error)})
        return plain.model_copy(update={"driver": unused})
    points = _points(multiplied(_lines(rest), ahead, parts), cutoff_date)
    used = {"is_used": True, "elasticity": parts.elasticity, "smape_pct": rest.smape_pct}
    return rest.model_copy(
        update={
            "driver": effect.model_copy(update=used),
            "points": points[: options.horizon_days],
            "after_horizon": points[options.horizon_days :],
        }
    )


def _driver_ahead(
    history: History,
    course: DriverCourse,
    model: ForecastModel,
    options: ForecastOptions,
    cutoff_date: date,
) -> PredictionInterval:
    """Return the driver's own forecast with its plans; raises NotDriven when there is none."""
    driver = prepare(driver_history(history, course), options, cutoff_date)
    if driver.refusal is not None:
        raise NotDriven(f"the driver is not forecast: {driver.refusal}")
    lines = _lines(_modelled(driver, model, options, cutoff_date))
    return planned(lines, np.datetime64(cutoff_date, "D") + 1, course)


def _lines(forecast: Forecast) -> PredictionInterval:
    days = forecast.every_day
    return PredictionInterval(
        np.array([day.lower for day in days]),
        np.array([day.expected for day in days]),
        np.array([day.upper for day in days]),
    )


def _modelled(
    prepared: Prepared, model: ForecastModel, options: ForecastOptions, cutoff_date: date
) -> Forecast:
    """Mix the variants; the leading one is fitted by the model itself, the others rehearsed."""
    history = with_usual_scale(prepared.history)
    rehearsals = model_named(model.rehearsal).variants
    score = backtest(rehearsals, history, options)
    behind = int((np.datetime64(cutoff_date, "D") - history.days[-1]).astype(np.int64))
    days = behind + max(options.horizon_days, options.crossing_days)
    rehearsed = _rehearsed(rehearsals, score.weights, history, days)
    leader = _leader(model, rehearsed, score)
    rehearsed[leader] = model.variants[leader].predict(history, days)
    full = _mixed(rehearsed, score, history, options)
    low, high = plausible_range(history)
    lines = PredictionInterval(*(np.clip(line[behind:], low, high) for line in full))
    result = _result(prepared, options, cutoff_date, name=model.name, lines=lines, score=score)
    shares = {index: score.weights[index] for index in rehearsed}
    fits = [each.name for each in rehearsals]
    fits[leader] = model.variants[leader].name
    mix = ForecastMix(
        candidates=tuple(
            CandidateShare(
                name=each.candidate(history),
                fitted_by=fit,
                share_ratio=round(shares.get(index, 0.0) / sum(shares.values()), SHARE_DIGITS),
            )
            for index, (each, fit) in enumerate(zip(rehearsals, fits, strict=True))
            if index < len(score.weights)
        ),
    )
    return result.model_copy(update={"mix": mix})


def _leader(model: ForecastModel, solved: Iterable[int], score: Backtest) -> int:
    """Return the candidate with the largest weight of those that the model itself fits."""
    own = [index for index in solved if model.variants[index].name == model.name]
    return max(own, key=lambda index: score.weights[index])


def _mixed(
    predictions: dict[int, Prediction], score: Backtest, history: History, options: ForecastOptions
) -> PredictionInterval:
    """The interval of the weighted variants, widened as the backtest demands."""
    total = sum(score.weights[index] for index in predictions)
    width, widening = options.interval_width, score.widening
    candidates = [
        CandidateInterval(
            prediction_interval(prediction, history, width, widening),
            score.weights[index] / total,
            prediction.log_scale,
            prediction.near_weight,
        )
        for index, prediction in predictions.items()
    ]
    return mixed_intervals(candidates, width)


def _rehearsed(
    variants: Sequence[ForecastModel], weights: Sequence[float], history: History, days: int
) -> dict[int, Prediction]:
    """Predictions by index of the weighted variants; those without a solution are left out."""
    predictions = {}
    for index, weight in enumerate(weights):
        if weight <= 0:
            continue
        try:
            predictions[index] = variants[index].predict(history, days)
        except ModelFailure:
            if not index:
                raise
    return predictions


def _result(  # noqa: PLR0913 - the parts of one result
    prepared: Prepared,
    options: ForecastOptions,
    cutoff_date: date,
    *,
    name: str = "none",
    lines: PredictionInterval | None = None,
    score: Backtest | None = None,
    refusal: str | None = None,
) -> Forecast:
    history = prepared.history
    backtested = score or Backtest()
    points = _points(lines, cutoff_date) if lines is not None else ()
    return Forecast(
        series_id=history.series_id,
        statistic=history.statistic,
        cutoff_date=cutoff_date,
        model=name,
        horizon_days=options.horizon_days,
        trained_days=history.observed_count,
        interval_width=options.interval_width,
        smape_pct=backtested.smape_pct,
        coverage_ratio=backtested.coverage_ratio,
        removed_count=prepared.removed_count,
        refusal=refusal,
        points=points[: options.horizon_days],
        after_horizon=points[options.horizon_days :],
    )


def _points(lines: PredictionInterval, cutoff_date: date) -> tuple[ForecastPoint, ...]:
    lower, expected, upper = (_rounded(line) for line in lines)
    first = np.datetime64(cutoff_date, "D") + 1
    days = (first + np.arange(len(expected))).astype(object)
    return tuple(map(ForecastPoint, days.tolist(), expected, lower, upper))


def _rounded(line: FloatArray) -> list[float]:
    return [float(text) for text in map(_SIGNIFICANT.format, line.tolist())]
