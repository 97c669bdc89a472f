"""Feeds of each day, and files as delivered, by content."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from sqlalchemy import ColumnElement, Engine

from mqcap.domain.feed import FeedDay, FeedState
from mqcap.store.database import writing
from mqcap.store.day_documents import FEEDS
from mqcap.store.fetch import read_models
from mqcap.store.models import SourceFileFacts
from mqcap.store.tables import FeedDayRow, SourceFileRow
from mqcap.store.upsert import Row, upsert


def replace_feed_days(engine: Engine, first: date, last: date, days: Iterable[FeedDay]) -> int:
    """Make these the only feed days from ``first`` to ``last``, in which all of them are."""
    return FEEDS.replace(engine, first, last, days)


def read_feeds(engine: Engine, site_date: date) -> list[FeedDay]:
    """Return the feeds of a day, by subject, kind and member; empty where none was judged."""
    return feeds_between(engine, site_date, site_date)


def feeds_between(
    engine: Engine, first: date, last: date, states: Sequence[FeedState] | None = None
) -> list[FeedDay]:
    """Return feed days from ``first`` to ``last`` (included), by subject, kind, member and day."""
    table = FeedDayRow
    of_state = [] if states is None else [table.state.in_([str(state) for state in states])]
    order = (table.subject, table.kind, table.member, table.site_date)
    return FEEDS.read(engine, table.site_date.between(first, last), *of_state, order=order)


def feeds_of_subjects(
    engine: Engine, subjects: Iterable[str], first: date, last: date
) -> list[FeedDay]:
    """Return the feed days of some subjects between two days (included), by day and subject."""
    table = FeedDayRow
    order = (table.site_date, table.subject, table.kind, table.member)
    of_subjects = table.subject.in_(sorted(subjects))
    return FEEDS.read(engine, of_subjects, table.site_date.between(first, last), order=order)


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
    return _files(engine)


def source_files_between(engine: Engine, begin: datetime, end: datetime) -> list[SourceFileFacts]:
    """Return files with intervals from ``begin`` up to ``end``, by day of receipt and hash."""
    table = SourceFileRow
    return _files(engine, table.first_interval_utc < end, table.last_interval_utc >= begin)


def _files(engine: Engine, *conditions: ColumnElement[bool]) -> list[SourceFileFacts]:
    table = SourceFileRow
    order = (table.received_date, table.sha256)
    return read_models(engine, SourceFileFacts, table, *conditions, order=order)
