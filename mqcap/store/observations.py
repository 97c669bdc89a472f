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
    days_of_series,
    distinct_dates,
    fetch_all,
    fetch_value,
    fetch_values,
    read_models,
)
from mqcap.store.models import Observation, TrainingRow, WindowDay
from mqcap.store.series import refresh_spans
from mqcap.store.tables import ObservationRow, ObservedHourDateRow, SeriesRow
from mqcap.store.upsert import BATCH_ROWS, Row, batches, insert_rows, key_batches, upsert

_OBSERVATIONS: Final = TypeAdapter(list[Observation])
TRAINED_STATISTICS: Final = (Statistic.peak, Statistic.p95, Statistic.mean)
"""The daily figures of which forecasts are made."""


def replace_observations(
    engine: Engine,
    site_dates: Iterable[date],
    rows: Iterable[Observation | Row],
    digests: Mapping[date, str | None],
) -> int:
    """Make ``rows`` the only observations of the given days. Returns how many.

    ``digests`` has the version of each hour_date that they were made from; ``None`` deletes one.
    """
    table = ObservationRow
    changed: set[str] = set()
    with writing(engine, ObservationRow, SeriesRow, ObservedHourDateRow) as connection:
        for batch in key_batches(site_dates):
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
    within = table.site_date.between(first or date.min, last or date.max)
    of_series, order = table.series_id == series_id, (table.site_date,)
    return read_models(engine, Observation, table, of_series, within, order=order)


def read_figures(
    engine: Engine, series_id: str, statistic: Statistic, first: date, last: date
) -> list[tuple[date, float]]:
    """Return day and one figure of the measured days of a series between two days, in order."""
    key = (series_id, statistic)
    return figures_of_series(engine, [key], first, last).get(key, [])


def figures_of_series(
    engine: Engine, keys: Iterable[tuple[str, Statistic]], first: date, last: date
) -> dict[tuple[str, Statistic], list[tuple[date, float]]]:
    """Return day and one figure of the measured days of some series, in order, by series."""
    table = ObservationRow

    def measured(statistic: Statistic) -> AnySelect:
        figure = getattr(table, statistic)
        within = table.site_date.between(first, last)
        return select(table.series_id, table.site_date, figure).where(within)

    return days_of_series(engine, table, keys, measured)


def observed_dates(engine: Engine) -> list[date]:
    """Return the days that have observations, in order."""
    return fetch_values(engine, distinct_dates(ObservationRow.site_date))


def read_window(engine: Engine, first: date, last: date) -> list[WindowDay]:
    """Return all observations between the two days (included), by metric, subject and day."""
    day, facts = ObservationRow, SeriesRow
    of_series = (facts.metric, facts.subject, facts.subject_kind, facts.unit)
    figures = (day.mean, day.p95, day.peak, null(), day.covered_hours)
    statement = (
        select(*of_series, day.site_date, *figures)
        .join(facts, facts.series_id == day.series_id)
        .where(day.site_date.between(first, last))
        .order_by(facts.metric, facts.subject, day.site_date)
    )
    kinds: dict[str, SubjectKind] = {str(kind): kind for kind in SubjectKind}
    return [
        WindowDay(metric, subject, kinds[kind], *others)
        for metric, subject, kind, *others in fetch_all(engine, statement)
    ]


def require_observed(engine: Engine, day: date) -> None:
    """Raise ConfigurationError when nothing was measured on a day and the store has others."""
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
    """Return days by forecast series, statistic and day; of ``wanted`` metrics and statistics."""
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
    """Return daily limits by metric and subject, where one of the metrics had two values."""
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
    for metric, subject, site_date, mean, peak in fetch_all(engine, statement):
        found.setdefault((metric, subject), {})[site_date] = (mean, peak)
    return {name: daily_limits(of_limit) for name, of_limit in found.items()}


def peak_hours(
    engine: Engine, series: Iterable[tuple[str, Direction]], first: date, last: date
) -> dict[str, datetime]:
    """Return by series the busiest hour of the last of its worst days; absent without a day."""
    table, directions = ObservationRow, dict(series)
    worst: dict[str, tuple[float, datetime]] = {}
    for batch in key_batches(directions):
        statement = select(table.series_id, table.peak, table.busiest_hour_utc).where(
            table.series_id.in_(batch), table.site_date.between(first, last)
        )
        for name, peak, hour in fetch_all(engine, statement):
            sign = 1 if directions[name] is Direction.upward else -1
            candidate = (sign * peak, hour)
            worst[name] = max(worst.get(name, candidate), candidate)
    return {name: hour for name, (_, hour) in sorted(worst.items())}


def subjects_reaching(engine: Engine, least: Mapping[str, float]) -> set[str]:
    """Return the subjects of which any day has a peak at or above that of its metric."""
    day, facts = ObservationRow, SeriesRow
    joined = select(facts.subject).join(day, day.series_id == facts.series_id).distinct()
    return {
        subject
        for metric, value in least.items()
        for subject in fetch_values(engine, joined.where(facts.metric == metric, day.peak >= value))
    }


def observed_digests(engine: Engine) -> dict[date, str]:
    """Return by hour_date the version of the partition that the observations were made from."""
    table = ObservedHourDateRow
    statement = select(table.hour_date, table.sources_digest).order_by(table.hour_date)
    return dict(fetch_all(engine, statement))


def count_measured_series(engine: Engine, site_date: date) -> int:
    """Return how many series have a value on that day."""
    table = ObservationRow
    statement = select(func.count()).where(table.site_date == site_date)
    return fetch_value(engine, statement) or 0


def _write_digests(connection: Connection, digests: Mapping[date, str | None]) -> None:
    table = ObservedHourDateRow
    for batch in key_batches(day for day, digest in digests.items() if digest is None):
        connection.execute(delete(table).where(table.hour_date.in_(batch)))
    made = ((day, digest) for day, digest in sorted(digests.items()) if digest is not None)
    rows = ({"hour_date": day, "sources_digest": digest} for day, digest in made)
    upsert(connection, table, rows)
