"""Series: which metrics of which subjects there are, and from when to when they are measured."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from sqlalchemy import ColumnElement, Connection, Engine, func, select, update

from mqcap.domain.metric import SubjectKind
from mqcap.domain.names.short_names import the_name_meant
from mqcap.store.database import writing
from mqcap.store.fetch import fetch_all, fetch_value, find_model, is_within, read_models
from mqcap.store.models import SeriesFacts, SeriesName
from mqcap.store.tables import ObservationRow, SeriesRow
from mqcap.store.upsert import KEYS_PER_STATEMENT, Row, key_batches, upsert

_SPAN: Final = {"first_site_date", "last_site_date"}


def upsert_series(engine: Engine, rows: Iterable[SeriesFacts | Row]) -> int:
    """Declare series; their first and last day are read off the observations. Returns how many."""
    documents = [SeriesFacts.model_validate(row).model_dump(exclude=_SPAN) for row in rows]
    with writing(engine, SeriesRow) as connection:
        count = upsert(connection, SeriesRow, documents)
        refresh_spans(connection, {document["series_id"] for document in documents})
    return count


def refresh_spans(connection: Connection, series_ids: Iterable[str]) -> None:
    """Set the first and last day of series from their observations, in the caller's transaction."""
    dates = ObservationRow.site_date
    of_series = ObservationRow.series_id == SeriesRow.series_id
    for batch in key_batches(series_ids):
        connection.execute(
            update(SeriesRow)
            .where(SeriesRow.series_id.in_(batch))
            .values(
                first_site_date=select(func.min(dates)).where(of_series).scalar_subquery(),
                last_site_date=select(func.max(dates)).where(of_series).scalar_subquery(),
            )
        )


def read_series(engine: Engine, metric: str | None = None) -> list[SeriesFacts]:
    """Return all series, or those of one metric, in order of their id."""
    return _series(engine, *([] if metric is None else [SeriesRow.metric == metric]))


def read_series_names(engine: Engine) -> list[SeriesName]:
    """Return the names of all series, in order of their id."""
    table = SeriesRow
    statement = select(table.series_id, table.metric, table.subject, table.subject_kind)
    kinds: dict[str, SubjectKind] = {str(kind): kind for kind in SubjectKind}
    return [
        SeriesName(series_id, metric, subject, kinds[kind])
        for series_id, metric, subject, kind in fetch_all(
            engine, statement.order_by(table.series_id)
        )
    ]


def series_with_ids(engine: Engine, series_ids: Sequence[str]) -> list[SeriesFacts]:
    """Return these series in this order; those that there are not are left out."""
    found = {
        facts.series_id: facts
        for batch in key_batches(series_ids)
        for facts in _series(engine, SeriesRow.series_id.in_(batch))
    }
    return [found[name] for name in series_ids if name in found]


def subject_meant(engine: Engine, wanted: str) -> str:
    """Return the subject that a person means, or what several belong to: ``PLEX1``, ``csq1``.

    As it is without any series; ConfigurationError where none or several have it.
    """
    known = {path for facts in read_series(engine) for path in facts.subject.and_above}
    return the_name_meant(wanted, known, "subject") if known else wanted


def find_series(engine: Engine, series_id: str) -> SeriesFacts | None:
    """Return one series, or ``None`` when there is none of that id."""
    return find_model(engine, SeriesFacts, SeriesRow, SeriesRow.series_id == series_id)


def series_below(engine: Engine, subject: str) -> list[SeriesFacts]:
    """Return the series of a subject and of its parts, in order of their id."""
    return _series(engine, is_within(SeriesRow.subject, subject))


def _series(engine: Engine, *conditions: ColumnElement[bool]) -> list[SeriesFacts]:
    order = (SeriesRow.series_id,)
    return read_models(engine, SeriesFacts, SeriesRow, *conditions, order=order)


def series_as_of(engine: Engine, series: Iterable[SeriesFacts], day: date) -> list[SeriesFacts]:
    """Return those of the series that existed on a day, each with its last measured day by then."""
    existing = [
        facts for facts in series if facts.first_site_date is None or facts.first_site_date <= day
    ]
    if not any(facts.last_site_date and facts.last_site_date > day for facts in existing):
        return existing
    table = ObservationRow
    statement = (
        select(table.series_id, func.max(table.site_date))
        .where(table.site_date <= day)
        .group_by(table.series_id)
    )
    if len(existing) <= KEYS_PER_STATEMENT:
        statement = statement.where(table.series_id.in_([facts.series_id for facts in existing]))
    last = dict(fetch_all(engine, statement))
    return [
        facts.model_copy(update={"last_site_date": last.get(facts.series_id)}) for facts in existing
    ]


def count_known_series(engine: Engine, site_date: date) -> int:
    """Return how many series had been measured on that day or before it."""
    statement = select(func.count()).where(SeriesRow.first_site_date <= site_date)
    return fetch_value(engine, statement) or 0
