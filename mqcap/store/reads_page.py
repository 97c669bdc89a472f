"""Questions that only the capacity page asks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from sqlalchemy import Engine, Text, cast, func, select

from mqcap.domain.crossing import Crossing
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.store import tables
from mqcap.store.database import reading
from mqcap.store.documents import parsed_finding
from mqcap.store.models import SeriesFacts, SourceFileFacts, Standing
from mqcap.store.upsert import KEYS_PER_STATEMENT


def finding_dates(engine: Engine) -> list[date]:
    """Every site day on which rules were judged, in order."""
    column = tables.FindingRow.site_date
    with reading(engine) as connection:
        return list(connection.scalars(select(column).distinct().order_by(column)))


def next_findings_date(engine: Engine, site_date: date) -> date | None:
    """The first day after ``site_date`` that has findings."""
    column = tables.FindingRow.site_date
    with reading(engine) as connection:
        later: date | None = connection.scalar(select(func.min(column)).where(column > site_date))
    return later


def findings_below(engine: Engine, site_date: date, subject: str) -> list[Finding]:
    """Findings of a day on one subject and on what lies below it, by rule and subject."""
    table = tables.FindingRow
    below = table.subject.startswith(f"{subject}{SERIES_SEPARATOR}", autoescape=True)
    question = (
        select(cast(table.document, Text))
        .where(table.site_date == site_date, (table.subject == subject) | below)
        .order_by(table.rule_id, table.subject)
    )
    with reading(engine) as connection:
        return [parsed_finding(one) for one in connection.scalars(question)]


def crossings_below(engine: Engine, cutoff_date: date, subject: str) -> list[Crossing]:
    """Crossings of a day on one subject and on what lies below it, by rule and subject."""
    table = tables.CrossingRow
    below = table.subject.startswith(f"{subject}{SERIES_SEPARATOR}", autoescape=True)
    question = (
        select(*table.__table__.columns)
        .where(table.cutoff_date == cutoff_date, (table.subject == subject) | below)
        .order_by(table.rule_id, table.subject)
    )
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [Crossing.model_validate(dict(row)) for row in rows]


def crossing(engine: Engine, rule_id: str, subject: str, cutoff_date: date) -> Crossing | None:
    """One crossing of a day, or ``None`` when there was none."""
    table = tables.CrossingRow
    question = select(*table.__table__.columns).where(
        table.rule_id == rule_id, table.subject == subject, table.cutoff_date == cutoff_date
    )
    with reading(engine) as connection:
        row = connection.execute(question).mappings().one_or_none()
    return Crossing.model_validate(dict(row)) if row else None


def series_below(engine: Engine, subject: str) -> list[SeriesFacts]:
    """Series of one subject and of what lies below it, in order of their id."""
    table = tables.Series
    below = table.subject.startswith(f"{subject}{SERIES_SEPARATOR}", autoescape=True)
    question = (
        select(*table.__table__.columns)
        .where((table.subject == subject) | below)
        .order_by(table.series_id)
    )
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [SeriesFacts.model_validate(dict(row)) for row in rows]


def series_on(engine: Engine, known: Iterable[SeriesFacts], day: date) -> list[SeriesFacts]:
    """Those of the series that were known on a day, each with its last measured day by then."""
    by_then = [one for one in known if one.first_site_date is None or one.first_site_date <= day]
    if not any(one.last_site_date and one.last_site_date > day for one in by_then):
        return by_then
    table = tables.ObservationDaily
    question = (
        select(table.series_id, func.max(table.site_date).label("last"))
        .where(table.site_date <= day)
        .group_by(table.series_id)
    )
    if len(by_then) <= KEYS_PER_STATEMENT:
        question = question.where(table.series_id.in_([one.series_id for one in by_then]))
    with reading(engine) as connection:
        last = {row.series_id: row.last for row in connection.execute(question)}
    return [one.model_copy(update={"last_site_date": last.get(one.series_id)}) for one in by_then]


def measured_count(engine: Engine, site_date: date) -> int:
    """How many series have a value on that day."""
    table = tables.ObservationDaily
    question = select(func.count()).select_from(table).where(table.site_date == site_date)
    with reading(engine) as connection:
        return connection.scalar(question) or 0


def known_count(engine: Engine, site_date: date) -> int:
    """How many series had been measured on that day or before it."""
    table = tables.Series
    question = select(func.count()).select_from(table).where(table.first_site_date <= site_date)
    with reading(engine) as connection:
        return connection.scalar(question) or 0


def standings(engine: Engine, site_date: date) -> dict[tuple[str, str], Standing]:
    """By rule and subject: how each finding stood on a day; empty when it was not judged."""
    found, dated = tables.FindingRow, tables.CrossingRow
    question = (
        select(
            found.rule_id,
            found.subject,
            found.severity,
            found.headroom_ratio,
            dated.expected_date,
        )
        .outerjoin(
            dated,
            (dated.rule_id == found.rule_id)
            & (dated.subject == found.subject)
            & (dated.cutoff_date == found.site_date),
        )
        .where(found.site_date == site_date)
    )
    with reading(engine) as connection:
        return {
            (row.rule_id, row.subject): Standing(
                Severity(row.severity), row.headroom_ratio, row.expected_date
            )
            for row in connection.execute(question)
        }


def feeds_of(engine: Engine, subjects: Iterable[str], first: date, last: date) -> list[FeedDay]:
    """What arrived of the feeds of some subjects between two days, by day and subject."""
    table = tables.FeedDayRow
    question = (
        select(table.document)
        .where(table.subject.in_(sorted(subjects)), table.site_date.between(first, last))
        .order_by(table.site_date, table.subject, table.kind, table.member)
    )
    with reading(engine) as connection:
        return [FeedDay.model_validate(one) for one in connection.scalars(question)]


def files_between(engine: Engine, begin: datetime, end: datetime) -> list[SourceFileFacts]:
    """Files with intervals from ``begin`` up to ``end``, by day of receipt and hash."""
    table = tables.SourceFile
    question = (
        select(*table.__table__.columns)
        .where(table.first_interval_utc < end, table.last_interval_utc >= begin)
        .order_by(table.received_date, table.sha256)
    )
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [SourceFileFacts.model_validate(dict(row)) for row in rows]
