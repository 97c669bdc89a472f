"""Scores of forecasts: computed in the database, never pruned, aggregated by class."""

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import Engine, Float, Integer, Select, Subquery, case, cast, func, or_, select

from mqcap.domain.crossing import PROBABILITY_DAYS
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.metric import Statistic
from mqcap.domain.score import (
    ClassScore,
    CrossingScore,
    ForecastScore,
    RecentAccuracy,
    ReliabilityBin,
    RuleReliability,
)
from mqcap.progress.shown import tracked
from mqcap.store import tables
from mqcap.store.database import writing
from mqcap.store.fetch import fetch_all, fetch_models, fetch_rows, fetch_value, observed_figure
from mqcap.store.forecasts import IS_OF_HEAD
from mqcap.store.upsert import upsert

Scored = Subquery
"""Rows, one per forecast, with the columns of ForecastScoreRow: stored, or computed."""

_IS_OF_DAY: Final = (tables.ObservationRow.series_id == tables.ForecastPointRow.series_id) & (
    tables.ObservationRow.site_date == tables.ForecastPointRow.site_date
)
"""Condition that an observation is that of a forecast day."""
BINS: Final = 10
PART_SERIES: Final = 100
"""The forecasts of so many series are scored together (ours), which shows how far it is."""
_STATED_AND_CAME: Final = (
    func.count().label("count"),
    func.avg(tables.CrossingScoreRow.probability).label("stated"),
    func.avg(case((tables.CrossingScoreRow.came, 1.0), else_=0.0)).label("came"),
)
RECENT_DAYS: Final = 10
"""Days of ``recent_accuracy`` (ours)."""
RECENT_LEAD_DAYS: Final = 7
"""A day is compared with the last forecast made at least so long before it (ours)."""


def score_forecasts(engine: Engine, first_cutoff: date, day: date) -> list[ForecastScore]:
    """Return scores of forecasts made from ``first_cutoff`` on with a day measured by ``day``."""
    head, point = tables.ForecastRow, tables.ForecastPointRow
    made = head.cutoff_date.between(first_cutoff, day)
    statement = select(head.series_id).where(made).distinct().order_by(head.series_id)
    every = [row.series_id for row in fetch_all(engine, statement)]
    parts = [every[begin : begin + PART_SERIES] for begin in range(0, len(every), PART_SERIES)]
    return [
        score
        for part in tracked(parts, "verify forecasts", f"times {PART_SERIES} series")
        for score in fetch_models(
            engine, ForecastScore, _scoring(first_cutoff, day).where(point.series_id.in_(part))
        )
    ]


def _scoring(first_cutoff: date, day: date) -> Select[Any]:
    head, point, seen = tables.ForecastRow, tables.ForecastPointRow, tables.ObservationRow
    value = observed_figure(point.statistic)
    size = func.abs(value) + func.abs(point.expected)
    error = func.abs(value - point.expected)
    relative = case((size > 0, 200 * error / size), else_=0.0)
    inside = case((value.between(point.lower, point.upper), 1), else_=0)
    keys = (point.series_id, point.statistic, point.cutoff_date)
    return (
        select(
            *keys,
            func.max(point.site_date).label("scored_to"),
            func.count().label("scored_days"),
            func.sum(inside).label("inside_days"),
            func.avg(relative, type_=Float).label("smape_pct"),
            func.avg(value - point.expected, type_=Float).label("mean_error"),
            func.max(head.interval_width).label("interval_width"),
            func.max(head.smape_pct).label("backtest_smape_pct"),
            func.max(head.coverage_ratio).label("backtest_coverage_ratio"),
        )
        .join(head, IS_OF_HEAD)
        .join(seen, _IS_OF_DAY)
        .where(point.cutoff_date >= first_cutoff, point.cutoff_date <= day, point.site_date <= day)
        .group_by(*keys)
        .order_by(*keys)
    )


def save_scores(
    engine: Engine, forecasts: Iterable[ForecastScore], crossings: Iterable[CrossingScore]
) -> int:
    """Write scores over those of the same forecasts with fewer days. Returns how many."""
    rows = [score.model_dump() for score in forecasts]
    with writing(engine, tables.ForecastScoreRow, tables.CrossingScoreRow) as connection:
        return upsert(connection, tables.ForecastScoreRow, rows, newest_by="scored_to") + upsert(
            connection, tables.CrossingScoreRow, [score.model_dump() for score in crossings]
        )


def scores_as_of(engine: Engine, first_cutoff: date, day: date) -> Scored:
    """Return the stored scores up to ``day``, or compute them when those include later days."""
    last = scored_to(engine)
    if last is None or last <= day:
        stored = tables.ForecastScoreRow.__table__
        return select(stored).where(stored.c.cutoff_date >= first_cutoff).subquery()
    return computed_scores(first_cutoff, day)


def computed_scores(first_cutoff: date, day: date) -> Scored:
    """Return scores computed from the days measured up to ``day``, whatever is stored."""
    return _scoring(first_cutoff, day).order_by(None).subquery()


def made_later(scored: Scored, later: Collection[date], *, are: bool) -> Scored:
    """Return the scores of forecasts of the cutoff dates evaluated ``later``, or of all others."""
    column = scored.c.cutoff_date
    return select(scored).where(column.in_(later) if are else column.not_in(later)).subquery()


def class_scores_by_basis(
    engine: Engine, scored: Scored, later: Collection[date]
) -> list[ClassScore]:
    """Return scores by metric and statistic: of forecasts in time, then of those ``later``."""
    live = class_scores(engine, made_later(scored, later, are=False))
    held_out = class_scores(engine, made_later(scored, later, are=True))
    basis = {"basis": ForecastBasis.hold_out}
    return [*live, *(score.model_copy(update=basis) for score in held_out)]


def class_scores(engine: Engine, scored: Scored) -> list[ClassScore]:
    """Return scores by metric and statistic, weighted by their days."""
    score, facts = scored.c, tables.SeriesRow
    days = func.sum(score.scored_days)
    statement = (
        select(
            facts.metric,
            score.statistic,
            func.count().label("forecast_count"),
            days.label("scored_days"),
            func.avg(score.interval_width).label("interval_width"),
            (1.0 * func.sum(score.inside_days) / days).label("coverage_ratio"),
            (func.sum(score.smape_pct * score.scored_days) / days).label("smape_pct"),
            func.avg(score.backtest_smape_pct).label("backtest_smape_pct"),
            func.avg(score.backtest_coverage_ratio).label("backtest_coverage_ratio"),
        )
        .join(facts, facts.series_id == score.series_id)
        .group_by(facts.metric, score.statistic)
        .order_by(facts.metric, score.statistic)
    )
    return fetch_models(engine, ClassScore, statement)


def scored_to(engine: Engine) -> date | None:
    """Return the last measured day in any stored score; ``None`` before the first score."""
    return fetch_value(engine, select(func.max(tables.ForecastScoreRow.scored_to)))


def reliability(engine: Engine, first_cutoff: date, day: date) -> list[ReliabilityBin]:
    """Return probabilities over on ``day`` in tenths with what came, per basis and horizon."""
    score = tables.CrossingScoreRow
    tenth = case(
        (score.probability >= 1.0, BINS - 1),
        else_=cast(func.floor(score.probability * BINS), Integer),
    )
    statement = (
        select(score.basis, score.horizon_days, *_STATED_AND_CAME)
        .where(*_over(first_cutoff, day))
        .group_by(score.basis, score.horizon_days, tenth)
        .order_by(score.basis.desc(), score.horizon_days, tenth)
    )
    return fetch_models(engine, ReliabilityBin, statement)


def rule_reliability(engine: Engine, first_cutoff: date, day: date) -> list[RuleReliability]:
    """Return the probabilities of every rule that were over on ``day``, per basis."""
    score = tables.CrossingScoreRow
    statement = (
        select(score.rule_id, score.basis, *_STATED_AND_CAME)
        .where(*_over(first_cutoff, day))
        .group_by(score.rule_id, score.basis)
        .order_by(score.rule_id, score.basis.desc())
    )
    return fetch_models(engine, RuleReliability, statement)


def recent_accuracy(
    engine: Engine, series_id: str, statistic: Statistic, day: date
) -> RecentAccuracy | None:
    """Return coverage of the last measured days by forecasts of a week before, if there are."""
    point, seen = tables.ForecastPointRow, tables.ObservationRow
    statement = (
        select(
            point.site_date,
            point.cutoff_date,
            point.lower,
            point.upper,
            observed_figure(point.statistic).label("observed"),
        )
        .join(seen, _IS_OF_DAY)
        .where(
            point.series_id == series_id,
            point.statistic == statistic,
            point.site_date.between(day - timedelta(days=2 * RECENT_DAYS), day),
            point.cutoff_date <= day - timedelta(days=RECENT_LEAD_DAYS),
        )
        .order_by(point.site_date, point.cutoff_date)
    )
    newest: dict[date, bool] = {}
    for row in fetch_rows(engine, statement):
        if row["cutoff_date"] <= row["site_date"] - timedelta(days=RECENT_LEAD_DAYS):
            newest[row["site_date"]] = row["lower"] <= row["observed"] <= row["upper"]
    last = [newest[site_date] for site_date in sorted(newest)[-RECENT_DAYS:]]
    if not last:
        return None
    return RecentAccuracy(inside_days=sum(last), scored_days=len(last), lead_days=RECENT_LEAD_DAYS)


def _over(first_cutoff: date, day: date) -> tuple[Any, ...]:
    """Conditions of probabilities made from a day on whose time was over on another."""
    score = tables.CrossingScoreRow
    ends = [
        (score.horizon_days == days) & (score.cutoff_date <= day - timedelta(days=days))
        for days in PROBABILITY_DAYS
    ]
    return score.cutoff_date >= first_cutoff, or_(*ends)
