"""Daily observations: one measured day of one series each."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import Connection, Engine, delete, exists, func, null, select

from mqcap.domain.distributed.daily_limit import daily_limits
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Direction, Statistic, SubjectKind
from mqcap.store.database import writing
from mqcap.store.fetch import (
    AnySelect,
    distinct_dates,
    fetch_all,
    fetch_models,
    fetch_rows,
    fetch_value,
    fetch_values,
    select_columns,
)
from mqcap.store.models import Observation, TrainingRow, WindowDay
from mqcap.store.series import refresh_spans
from mqcap.store.tables import ObservationRow, ObservedHourDateRow, SeriesRow
from mqcap.store.upsert import BATCH_ROWS, KEYS_PER_STATEMENT, Row, batches, insert_rows, upsert

_OBSERVATIONS: Final = TypeAdapter(list[Observation])
TRAINED_STATISTICS: Final = (Statistic.peak, Statistic.p95, Statistic.mean)
"""The daily figures of which forecasts are made."""


def replace_observations(
    engine: Engine,
    site_dates: Iterable[date],
    rows: Iterable[Observation | Row],
    digests: Mapping[date, str | None],
) -> int:
    """Make ``rows`` the only observations of the given days, in one transaction.

    ``digests`` records from which version of each hour_date they were made; ``None`` deletes
    the entry of one whose partition is gone. Every row's day must be among ``site_dates``.
    Returns the number of rows.
    """
    days = sorted(set(site_dates))
    table = ObservationRow
    changed: set[str] = set()
    with writing(engine, ObservationRow, SeriesRow, ObservedHourDateRow) as connection:
        for batch in batches(days, KEYS_PER_STATEMENT):
            stored = select(table.series_id).where(table.site_date.in_(batch)).distinct()
            changed.update(connection.scalars(stored))
            connection.execute(delete(table).where(table.site_date.in_(batch)))
        count = 0
        for some in batches(rows, BATCH_ROWS):
            documents = _OBSERVATIONS.dump_python(_OBSERVATIONS.validate_python(some))
            count += insert_rows(connection, table, documents)
            changed.update(document["series_id"] for document in documents)
        refresh_spans(connection, changed)
        _write_digests(connection, digests)
    return count


def read_observations(
    engine: Engine, series_id: str, first: date | None = None, last: date | None = None
) -> list[Observation]:
    """Return the measured days of one series between two days (both included), in order."""
    table = ObservationRow
    statement = select_columns(table).where(table.series_id == series_id)
    if first is not None:
        statement = statement.where(table.site_date >= first)
    if last is not None:
        statement = statement.where(table.site_date <= last)
    return fetch_models(engine, Observation, statement.order_by(table.site_date))


def observations_of_series(
    engine: Engine, series_ids: Iterable[str], first: date, last: date
) -> dict[str, list[Observation]]:
    """Return the measured days of some series between two days (both included), in order."""
    table, found = ObservationRow, dict[str, list[Observation]]()
    for batch in batches(sorted(set(series_ids)), KEYS_PER_STATEMENT):
        statement = select_columns(table).where(
            table.series_id.in_(batch), table.site_date.between(first, last)
        )
        for day in fetch_models(engine, Observation, statement.order_by(table.site_date)):
            found.setdefault(day.series_id, []).append(day)
    return found


def read_figures(
    engine: Engine, series_id: str, statistic: Statistic, first: date, last: date
) -> list[tuple[date, float]]:
    """Return day and one figure of the measured days of a series between two days, in order."""
    table = ObservationRow
    statement = (
        select(table.site_date, getattr(table, statistic))
        .where(table.series_id == series_id, table.site_date.between(first, last))
        .order_by(table.site_date)
    )
    return [(day, float(figure)) for day, figure in fetch_all(engine, statement)]


def figures_of_series(
    engine: Engine, keys: Iterable[tuple[str, Statistic]], first: date, last: date
) -> dict[tuple[str, Statistic], list[tuple[date, float]]]:
    """Return day and one figure of the measured days of some series, in order, by series."""
    table, wanted = ObservationRow, sorted(set(keys))
    found: dict[tuple[str, Statistic], list[tuple[date, float]]] = {}
    for statistic in sorted({statistic for _, statistic in wanted}):
        names = [series_id for series_id, of in wanted if of is statistic]
        for batch in batches(names, KEYS_PER_STATEMENT):
            statement = select(table.series_id, table.site_date, getattr(table, statistic)).where(
                table.series_id.in_(batch), table.site_date.between(first, last)
            )
            for name, day, value in fetch_all(engine, statement.order_by(table.site_date)):
                found.setdefault((name, statistic), []).append((day, value))
    return found


def observed_dates(engine: Engine) -> list[date]:
    """Return the days that have observations, in order."""
    return fetch_values(engine, distinct_dates(ObservationRow.site_date))


def read_window(engine: Engine, first: date, last: date) -> list[WindowDay]:
    """Return all observations between the two days (included), by metric, subject and day."""
    day, facts = ObservationRow, SeriesRow
    statement = _window_days().where(day.site_date.between(first, last))
    return _fetch_window(engine, statement.order_by(facts.metric, facts.subject, day.site_date))


def _window_days() -> AnySelect:
    day, facts = ObservationRow, SeriesRow
    return select(
        facts.metric,
        facts.subject,
        facts.subject_kind,
        facts.unit,
        day.site_date,
        day.mean,
        day.p95,
        day.peak,
        null(),
        day.covered_hours,
    ).join(facts, facts.series_id == day.series_id)


def _fetch_window(engine: Engine, statement: AnySelect) -> list[WindowDay]:
    kinds: dict[str, SubjectKind] = {str(kind): kind for kind in SubjectKind}
    return [
        WindowDay(metric, subject, kinds[kind], *others)
        for metric, subject, kind, *others in fetch_all(engine, statement)
    ]


def require_observed(engine: Engine, day: date) -> None:
    """Do nothing when anything was measured on a day, or nothing at all is in the store.

    Raises:
        ConfigurationError: nothing was measured on it; names the days with data.
    """
    column = ObservationRow.site_date
    first = first_observed(engine)
    if first is None or fetch_value(engine, select(exists().where(column == day))):
        return
    raise ConfigurationError(
        f"no data of {day}",
        found=f"days {first} to {fetch_value(engine, select(func.max(column)))}",
        expected="a day with data",
        remedy="Load its files first: mqcap load FILE, or choose another day.",
    )


def first_observed(engine: Engine) -> date | None:
    """Return the first day with observations; ``None`` for an empty store."""
    return fetch_value(engine, select(func.min(ObservationRow.site_date)))


def read_training_rows(
    engine: Engine,
    cutoff_date: date,
    lookback_days: int,
    wanted: Iterable[tuple[str, Statistic]] | None = None,
) -> list[TrainingRow]:
    """Return what a forecast may use: ``lookback_days`` days up to and including the cutoff date.

    One row per forecast series, statistic and measured day, in that order. ``wanted`` are the
    metrics and their statistics; by default all.
    """
    table, facts = ObservationRow, SeriesRow
    days = [getattr(table, statistic) for statistic in TRAINED_STATISTICS]
    statement = (
        select(table.series_id, facts.metric, table.site_date, facts.ceiling, *days)
        .join(facts, facts.series_id == table.series_id)
        .where(
            facts.forecast,
            table.site_date <= cutoff_date,
            table.site_date > cutoff_date - timedelta(days=lookback_days),
        )
        .order_by(table.series_id, table.site_date)
    )
    if wanted is not None:
        wanted = set(wanted)
        statement = statement.where(facts.metric.in_(sorted({metric for metric, _ in wanted})))
    places = {statistic: place for place, statistic in enumerate(TRAINED_STATISTICS, start=4)}
    by_series: dict[str, list[TrainingRow]] = {}
    for (identity, metric), group in groupby(fetch_all(engine, statement), key=itemgetter(0, 1)):
        measured = list(group)
        by_series[identity] = [
            TrainingRow(identity, statistic, row[2], row[places[statistic]], row[3])
            for statistic in sorted(TRAINED_STATISTICS)
            if wanted is None or (metric, statistic) in wanted
            for row in measured
        ]
    return [row for identity in sorted(by_series) for row in by_series[identity]]


def changed_limits(
    engine: Engine, metrics: Iterable[str], cutoff_date: date, lookback_days: int
) -> dict[tuple[str, str], dict[date, float | None]]:
    """Return the daily limits by metric and subject, as far back as forecasts look.

    Only of subjects of which one of these metrics had two values in that time.
    """
    day, facts = ObservationRow, SeriesRow
    names = sorted(set(metrics))
    until_cutoff = (
        facts.metric.in_(names),
        day.site_date <= cutoff_date,
        day.site_date > cutoff_date - timedelta(days=lookback_days),
    )
    changed = (
        select(facts.subject)
        .join(day, day.series_id == facts.series_id)
        .where(*until_cutoff)
        .group_by(facts.series_id, facts.subject)
        .having(func.min(day.peak) != func.max(day.peak))
    )
    statement = (
        select(facts.metric, facts.subject, day.site_date, day.mean, day.peak)
        .join(day, day.series_id == facts.series_id)
        .where(*until_cutoff, facts.subject.in_(changed))
        .order_by(facts.metric, facts.subject, day.site_date)
    )
    found: dict[tuple[str, str], dict[date, tuple[float, float]]] = {}
    for row in fetch_rows(engine, statement):
        of_limit = found.setdefault((row["metric"], row["subject"]), {})
        of_limit[row["site_date"]] = (row["mean"], row["peak"])
    return {name: daily_limits(of_limit) for name, of_limit in found.items()}


def peak_hours(
    engine: Engine, series: Iterable[tuple[str, Direction]], first: date, last: date
) -> dict[str, datetime]:
    """Return by series the busiest hour of its worst day between the two days.

    Of several such days it is that of the last one. For a downward series the worst day is the
    one with the lowest figure. Series without an observation in these days are left out.
    """
    table, directions = ObservationRow, dict(series)
    worst: dict[str, tuple[float, datetime]] = {}
    for batch in batches(sorted(directions), KEYS_PER_STATEMENT):
        statement = select(table.series_id, table.peak, table.busiest_hour_utc).where(
            table.series_id.in_(batch), table.site_date.between(first, last)
        )
        for row in fetch_rows(engine, statement):
            name = row["series_id"]
            sign = 1 if directions[name] is Direction.upward else -1
            candidate = (sign * row["peak"], row["busiest_hour_utc"])
            worst[name] = max(worst.get(name, candidate), candidate)
    return {name: hour for name, (_, hour) in sorted(worst.items())}


def subjects_reaching(engine: Engine, least: Mapping[str, float]) -> set[str]:
    """Return the subjects of which any day has a peak at or above that of its metric."""
    day, facts = ObservationRow, SeriesRow
    joined = select(facts.subject).join(day, day.series_id == facts.series_id).distinct()
    return {
        row["subject"]
        for metric, value in least.items()
        for row in fetch_rows(engine, joined.where(facts.metric == metric, day.peak >= value))
    }


def observed_digests(engine: Engine) -> dict[date, str]:
    """Return by hour_date the version of the partition that the observations were made from."""
    table = ObservedHourDateRow
    rows = fetch_rows(engine, select_columns(table).order_by(table.hour_date))
    return {row["hour_date"]: row["sources_digest"] for row in rows}


def count_measured_series(engine: Engine, site_date: date) -> int:
    """Return how many series have a value on that day."""
    table = ObservationRow
    statement = select(func.count()).select_from(table).where(table.site_date == site_date)
    return fetch_value(engine, statement) or 0


def _write_digests(connection: Connection, digests: Mapping[date, str | None]) -> None:
    table = ObservedHourDateRow
    gone = sorted(day for day, digest in digests.items() if digest is None)
    for batch in batches(gone, KEYS_PER_STATEMENT):
        connection.execute(delete(table).where(table.hour_date.in_(batch)))
    upsert(
        connection,
        table,
        [
            {"hour_date": day, "sources_digest": digest}
            for day, digest in sorted(digests.items())
            if digest is not None
        ],
    )
