"""Figures of the platform itself, counted by the database: files, steps, deliveries, newest day.

Each function returns counts by the values of a few columns; a combination without a row is absent.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import InstrumentedAttribute

from mqcap.domain.delivery import WAITING
from mqcap.store.fetch import fetch_rows, fetch_value
from mqcap.store.models import StepRun
from mqcap.store.tables import (
    DeliveryRow,
    FeedDayRow,
    FindingRow,
    ForecastRow,
    ProblemRow,
    SourceFileRow,
    StepRunRow,
    TicketRow,
)

Counts = dict[tuple[str, ...], float]


def file_sums(engine: Engine) -> dict[str, int]:
    """Return files, records and bytes of all files in the store, and files with a problem."""
    table = SourceFileRow
    (sums,) = fetch_rows(
        engine,
        select(
            func.count().label("files"),
            func.count(table.problem).label("problems"),
            func.coalesce(func.sum(table.record_count), 0).label("records"),
            func.coalesce(func.sum(table.bytes_count), 0).label("delivered"),
            func.coalesce(func.sum(table.decoded_bytes), 0).label("decoded"),
            func.coalesce(func.sum(table.skipped_bytes), 0).label("skipped"),
            func.coalesce(func.sum(table.quarantined_bytes), 0).label("quarantined"),
        ),
    )
    return {name: int(value) for name, value in sums.items()}


def step_counts(engine: Engine) -> Counts:
    """Return how often each step ended, by step."""
    return _counted(engine, StepRunRow.step)


def newest_runs(engine: Engine) -> list[StepRun]:
    """Return the newest run of each step, in the order in which they ended."""
    table = StepRunRow
    last = (
        select(table.step, func.max(table.ended_at_utc).label("ended_at_utc"))
        .group_by(table.step)
        .subquery()
    )
    matching = (table.step == last.c.step) & (table.ended_at_utc == last.c.ended_at_utc)
    statement = select(*table.__table__.columns).join(last, matching).order_by(table.ended_at_utc)
    return [StepRun.model_validate(dict(row)) for row in fetch_rows(engine, statement)]


def delivery_counts(engine: Engine) -> Counts:
    """Return deliveries by channel and stage."""
    return _counted(engine, DeliveryRow.channel, DeliveryRow.stage)


def failing_deliveries(engine: Engine) -> Counts:
    """Return deliveries whose last attempt failed and that are to be tried again, by channel."""
    failed = DeliveryRow.stage.in_(WAITING) & DeliveryRow.error.is_not(None)
    return _counted(engine, DeliveryRow.channel, where=failed)


def ticket_counts(engine: Engine) -> Counts:
    """Return tickets by state and severity."""
    return _counted(engine, TicketRow.state, TicketRow.severity)


def finding_counts(engine: Engine) -> Counts:
    """Return findings of the newest day, by severity."""
    return _of_newest(engine, FindingRow.site_date, FindingRow.severity)


def problem_counts(engine: Engine) -> Counts:
    """Return problems of the newest day, by state and severity."""
    return _of_newest(engine, ProblemRow.site_date, ProblemRow.state, ProblemRow.severity)


def feed_counts(engine: Engine) -> Counts:
    """Return feeds of the newest day, by kind and state."""
    return _of_newest(engine, FeedDayRow.site_date, FeedDayRow.kind, FeedDayRow.state)


def forecast_counts(engine: Engine) -> Counts:
    """Return series of the newest forecasts: ``made``, and ``refused`` since data are missing."""
    table = ForecastRow
    newest = select(func.max(table.cutoff_date)).scalar_subquery()
    of_day = table.cutoff_date == newest
    every = fetch_value(engine, select(func.count()).select_from(table).where(of_day)) or 0
    refused = fetch_value(engine, select(func.count(table.refusal)).where(of_day)) or 0
    return {("made",): float(every - refused), ("refused",): float(refused)} if every else {}


def _of_newest(engine: Engine, day: Any, *columns: InstrumentedAttribute[str]) -> Counts:
    newest = select(func.max(day)).scalar_subquery()
    return _counted(engine, *columns, where=day == newest)


def _counted(engine: Engine, *columns: InstrumentedAttribute[str], where: Any = None) -> Counts:
    statement = select(*columns, func.count().label("rows_count")).group_by(*columns)
    if where is not None:
        statement = statement.where(where)
    rows = fetch_rows(engine, statement.order_by(*columns))
    return {tuple(str(row[each.key]) for each in columns): float(row["rows_count"]) for row in rows}
