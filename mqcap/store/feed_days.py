"""Completeness of each feed and site day: replaced by day, read as domain models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Engine, delete, select

from mqcap.domain.feed import FeedDay, FeedState
from mqcap.store import tables
from mqcap.store.database import reading, writing
from mqcap.store.upsert import insert_rows


def replace_feed_days(engine: Engine, first: date, last: date, days: Iterable[FeedDay]) -> int:
    """Make these the only feed days from ``first`` to ``last``, both included. Returns how many.

    Every row's day must lie in that range.
    """
    table = tables.FeedDayRow
    with writing(engine) as connection:
        connection.execute(delete(table).where(table.site_date.between(first, last)))
        return insert_rows(connection, table, (_row(day) for day in days))


def feeds(engine: Engine, site_date: date) -> list[FeedDay]:
    """Every feed that was expected or seen on a day, by subject, kind and member.

    An empty list means that completeness was never computed for the day: then nothing is known
    of it, which is not the same as complete.
    """
    return _read(engine, [tables.FeedDayRow.site_date == site_date])


def feeds_between(
    engine: Engine, first: date, last: date, states: Sequence[FeedState] | None = None
) -> list[FeedDay]:
    """Feed days from ``first`` to ``last`` (included), by subject, kind, member and day."""
    table = tables.FeedDayRow
    conditions: list[ColumnElement[bool]] = [table.site_date.between(first, last)]
    if states is not None:
        conditions.append(table.state.in_([str(state) for state in states]))
    return _read(engine, conditions)


def _read(engine: Engine, conditions: Sequence[ColumnElement[bool]]) -> list[FeedDay]:
    table = tables.FeedDayRow
    question = (
        select(table.document)
        .where(*conditions)
        .order_by(table.subject, table.kind, table.member, table.site_date)
    )
    with reading(engine) as connection:
        return [FeedDay.model_validate(one) for one in connection.scalars(question)]


def _row(day: FeedDay) -> dict[str, Any]:
    return {
        "kind": str(day.kind),
        "subject": day.subject,
        "member": day.member,
        "site_date": day.site_date,
        "state": str(day.state),
        "expected_seconds": day.expected_seconds,
        "received_seconds": day.received_seconds,
        "document": json.loads(day.model_dump_json()),
    }
