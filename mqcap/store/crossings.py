"""Crossings by cutoff date: when a subject passes the limit of a rule.

Those of rolling origins (``ForecastBasis.hold_out``) are kept apart: days that nobody evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from sqlalchemy import Engine, delete, func, select

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.store.database import writing
from mqcap.store.fetch import (
    distinct_dates,
    fetch_first,
    fetch_models,
    fetch_value,
    fetch_values,
    select_columns,
)
from mqcap.store.problems import invalidate_problems
from mqcap.store.tables import CrossingRow, HoldOutCrossingRow, ProblemDateRow
from mqcap.store.upsert import insert_rows

_LIVE: Final = ForecastBasis.live


def replace_crossings(engine: Engine, cutoff_date: date, crossings: Iterable[Crossing]) -> int:
    """Make these the only crossings of a cutoff date. Returns how many.

    Problem states of the day and of later days become invalid and are computed again.
    """
    table = CrossingRow
    with writing(engine, CrossingRow, ProblemDateRow) as connection:
        invalidate_problems(connection, cutoff_date)
        connection.execute(delete(table).where(table.cutoff_date == cutoff_date))
        return insert_rows(connection, table, (crossing.model_dump() for crossing in crossings))


def replace_hold_out(engine: Engine, cutoff_date: date, crossings: Iterable[Crossing]) -> int:
    """Make these the only crossings of a rolling origin. Returns how many."""
    table = HoldOutCrossingRow
    with writing(engine, HoldOutCrossingRow) as connection:
        connection.execute(delete(table).where(table.cutoff_date == cutoff_date))
        return insert_rows(connection, table, (crossing.model_dump() for crossing in crossings))


def cutoff_dates(
    engine: Engine, first: date, last: date, basis: ForecastBasis = _LIVE
) -> set[date]:
    """Return the cutoff dates from ``first`` to ``last`` that have crossings."""
    column = _table(basis).cutoff_date
    return set(fetch_values(engine, distinct_dates(column, first, last)))


def read_crossings(
    engine: Engine, cutoff_date: date, basis: ForecastBasis = _LIVE
) -> list[Crossing]:
    """Return all crossings of a cutoff date, by rule and subject."""
    table = _table(basis)
    statement = (
        select_columns(table)
        .where(table.cutoff_date == cutoff_date)
        .order_by(table.rule_id, table.subject)
    )
    return fetch_models(engine, Crossing, statement)


def crossings_before(engine: Engine, day: date, basis: ForecastBasis = _LIVE) -> list[Crossing]:
    """Return the crossings of the last cutoff date before a day; empty without any."""
    column = _table(basis).cutoff_date
    last = fetch_value(engine, select(func.max(column)).where(column < day))
    return [] if last is None else read_crossings(engine, last, basis)


def dated_crossings(
    engine: Engine, first: date, last: date, basis: ForecastBasis = _LIVE
) -> list[Crossing]:
    """Return crossings stated from ``first`` to ``last`` that were expected by ``last``."""
    table = _table(basis)
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


def expected_before(
    engine: Engine,
    rule_id: str,
    subject: str,
    passed: date,
    tolerance: timedelta,
    basis: ForecastBasis = _LIVE,
) -> list[Crossing]:
    """Return the crossings, stated before a limit was passed, that had expected it, by day.

    The expected date is at most ``tolerance`` before the day on which the limit was passed.
    """
    table = _table(basis)
    statement = (
        select_columns(table)
        .where(
            table.rule_id == rule_id,
            table.subject == subject,
            table.cutoff_date < passed,
            table.state == CrossingState.will_cross,
            table.expected_date >= passed - tolerance,
        )
        .order_by(table.cutoff_date)
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


def _table(basis: ForecastBasis) -> type[CrossingRow | HoldOutCrossingRow]:
    return HoldOutCrossingRow if basis is ForecastBasis.hold_out else CrossingRow
