"""Feeds of each day, and files as delivered, by content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Engine, delete

from mqcap.domain.feed import FeedDay, FeedState
from mqcap.store.database import writing
from mqcap.store.documents import as_document, parse_feed_day
from mqcap.store.fetch import fetch_documents, fetch_models, select_columns, select_document
from mqcap.store.models import SourceFileFacts
from mqcap.store.tables import FeedDayRow, SourceFileRow
from mqcap.store.upsert import Row, insert_rows, upsert


def replace_feed_days(engine: Engine, first: date, last: date, days: Iterable[FeedDay]) -> int:
    """Make these the only feed days from ``first`` to ``last``, both included. Returns how many.

    Every row's day must be in that range.
    """
    table = FeedDayRow
    with writing(engine, FeedDayRow) as connection:
        connection.execute(delete(table).where(table.site_date.between(first, last)))
        return insert_rows(connection, table, map(_row, days))


def read_feeds(engine: Engine, site_date: date) -> list[FeedDay]:
    """Return every feed that was expected or seen on a day, by subject, kind and member.

    An empty list means that completeness was never computed for the day, which is not the same
    as complete. A problem must not be closed while a feed that it depends on ``is_incomplete``.
    """
    return feeds_between(engine, site_date, site_date)


def feeds_between(
    engine: Engine, first: date, last: date, states: Sequence[FeedState] | None = None
) -> list[FeedDay]:
    """Return feed days from ``first`` to ``last`` (included), by subject, kind, member and day."""
    table = FeedDayRow
    statement = select_document(table.document).where(table.site_date.between(first, last))
    if states is not None:
        statement = statement.where(table.state.in_([str(state) for state in states]))
    order = (table.subject, table.kind, table.member, table.site_date)
    return fetch_documents(engine, statement.order_by(*order), parse_feed_day)


def feeds_of_subjects(
    engine: Engine, subjects: Iterable[str], first: date, last: date
) -> list[FeedDay]:
    """Return the feed days of some subjects between two days (included), by day and subject."""
    table = FeedDayRow
    statement = (
        select_document(table.document)
        .where(table.subject.in_(sorted(subjects)), table.site_date.between(first, last))
        .order_by(table.site_date, table.subject, table.kind, table.member)
    )
    return fetch_documents(engine, statement, parse_feed_day)


def _row(day: FeedDay) -> dict[str, Any]:
    return {
        "kind": str(day.kind),
        "subject": day.subject,
        "member": day.member,
        "site_date": day.site_date,
        "state": str(day.state),
        "expected_seconds": day.expected_seconds,
        "received_seconds": day.received_seconds,
        "document": as_document(day),
    }


def upsert_source_files(engine: Engine, rows: Iterable[SourceFileFacts | Row]) -> int:
    """Store files by content; a known file keeps its first landing instant. Returns how many."""
    with writing(engine, SourceFileRow) as connection:
        return upsert(
            connection,
            SourceFileRow,
            [SourceFileFacts.model_validate(row).model_dump() for row in rows],
            keep=frozenset({"landed_at_utc"}),
        )


def read_source_files(engine: Engine) -> list[SourceFileFacts]:
    """Return all files ever delivered, by day of receipt and hash."""
    table = SourceFileRow
    statement = select_columns(table).order_by(table.received_date, table.sha256)
    return fetch_models(engine, SourceFileFacts, statement)


def source_files_between(engine: Engine, begin: datetime, end: datetime) -> list[SourceFileFacts]:
    """Return files with intervals from ``begin`` up to ``end``, by day of receipt and hash."""
    table = SourceFileRow
    statement = (
        select_columns(table)
        .where(table.first_interval_utc < end, table.last_interval_utc >= begin)
        .order_by(table.received_date, table.sha256)
    )
    return fetch_models(engine, SourceFileFacts, statement)
