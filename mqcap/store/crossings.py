"""Crossings by cutoff date: when a subject passes the limit of a rule."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sqlalchemy import Engine, delete, func, select

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.store.database import writing
from mqcap.store.fetch import fetch_first, fetch_models, fetch_value, select_columns
from mqcap.store.problems import invalidate_problems
from mqcap.store.tables import CrossingRow
from mqcap.store.upsert import insert_rows


def replace_crossings(engine: Engine, cutoff_date: date, crossings: Iterable[Crossing]) -> int:
    """Make these the only crossings of a cutoff date. Returns how many.

    Problem states of the day and of later days become invalid and are computed again.
    """
    table = CrossingRow
    with writing(engine) as connection:
        invalidate_problems(connection, cutoff_date)
        connection.execute(delete(table).where(table.cutoff_date == cutoff_date))
        return insert_rows(connection, table, (crossing.model_dump() for crossing in crossings))


def read_crossings(engine: Engine, cutoff_date: date) -> list[Crossing]:
    """Return all crossings of a cutoff date, by rule and subject."""
    table = CrossingRow
    statement = (
        select_columns(table)
        .where(table.cutoff_date == cutoff_date)
        .order_by(table.rule_id, table.subject)
    )
    return fetch_models(engine, Crossing, statement)


def crossings_before(engine: Engine, day: date) -> list[Crossing]:
    """Return the crossings of the last cutoff date before a day; empty without any."""
    column = CrossingRow.cutoff_date
    last = fetch_value(engine, select(func.max(column)).where(column < day))
    return [] if last is None else read_crossings(engine, last)


def dated_crossings(engine: Engine, first: date, last: date) -> list[Crossing]:
    """Return crossings stated from ``first`` to ``last`` that were expected by ``last``."""
    table = CrossingRow
    statement = (
        select_columns(table)
        .where(
            table.cutoff_date.between(first, last),
            table.state == CrossingState.will_cross,
            table.expected_date <= last,
        )
        .order_by(table.cutoff_date, table.rule_id, table.subject)
    )
    return fetch_models(engine, Crossing, statement)


def crossings_below(engine: Engine, cutoff_date: date, subject: str) -> list[Crossing]:
    """Return the crossings of a day on a subject and on its parts, by rule and subject."""
    table = CrossingRow
    parts = table.subject.startswith(f"{subject}{SERIES_SEPARATOR}", autoescape=True)
    statement = (
        select_columns(table)
        .where(table.cutoff_date == cutoff_date, (table.subject == subject) | parts)
        .order_by(table.rule_id, table.subject)
    )
    return fetch_models(engine, Crossing, statement)


def find_crossing(engine: Engine, rule_id: str, subject: str, cutoff_date: date) -> Crossing | None:
    """Return one crossing of a day, or ``None`` when there is none."""
    table = CrossingRow
    statement = select_columns(table).where(
        table.rule_id == rule_id, table.subject == subject, table.cutoff_date == cutoff_date
    )
    return fetch_first(engine, Crossing, statement)


def crossing_of_finding(engine: Engine, finding: Finding) -> Crossing | None:
    """Return the crossing of a finding; ``None`` for rules that have no date."""
    return find_crossing(engine, finding.rule_id, finding.subject, finding.site_date)
