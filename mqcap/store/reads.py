"""Questions to the store. Answers are domain models or the models of ``mqcap.store.models``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Engine, Select, Text, cast, func, select

from mqcap.domain.crossing import Crossing
from mqcap.domain.delivery import Delivery, Stage
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.store import feed_days, tables
from mqcap.store.beyond import unpacked
from mqcap.store.database import reading
from mqcap.store.documents import parsed_finding
from mqcap.store.models import Observation, SeriesFacts, SourceFileFacts, TrainingRow
from mqcap.store.upsert import KEYS_PER_STATEMENT, batches

TRAINED_STATISTICS: Final = (Statistic.peak, Statistic.p95, Statistic.mean)
"""The daily figures of which forecasts are made."""


def latest_site_date(engine: Engine) -> date | None:
    """The last day with findings, else with observations; ``None`` in an empty store."""
    with reading(engine) as connection:
        for column in (tables.FindingRow.site_date, tables.ObservationDaily.site_date):
            latest: date | None = connection.scalar(select(func.max(column)))
            if latest is not None:
                return latest
    return None


def previous_findings_date(engine: Engine, site_date: date) -> date | None:
    """The last day before ``site_date`` that has findings."""
    column = tables.FindingRow.site_date
    with reading(engine) as connection:
        earlier: date | None = connection.scalar(select(func.max(column)).where(column < site_date))
    return earlier


def series(engine: Engine, metric: str | None = None) -> list[SeriesFacts]:
    """All series, or those of one metric, in order of their id."""
    question = select(*tables.Series.__table__.columns).order_by(tables.Series.series_id)
    if metric is not None:
        question = question.where(tables.Series.metric == metric)
    return [SeriesFacts.model_validate(row) for row in _rows(engine, question)]


def one_series(engine: Engine, series_id: str) -> SeriesFacts | None:
    """One series, or ``None`` when it is not known."""
    question = select(*tables.Series.__table__.columns).where(tables.Series.series_id == series_id)
    found = _rows(engine, question)
    return SeriesFacts.model_validate(found[0]) if found else None


def observations(
    engine: Engine, series_id: str, first: date | None = None, last: date | None = None
) -> list[Observation]:
    """The measured days of one series from ``first`` to ``last``, both included, in order."""
    table = tables.ObservationDaily
    question = select(*table.__table__.columns).where(table.series_id == series_id)
    if first is not None:
        question = question.where(table.site_date >= first)
    if last is not None:
        question = question.where(table.site_date <= last)
    rows = _rows(engine, question.order_by(table.site_date))
    return [Observation.model_validate(row) for row in rows]


def training_rows(engine: Engine, cutoff_date: date, lookback_days: int) -> list[TrainingRow]:
    """What a forecast may see: ``lookback_days`` days up to and with the cutoff date.

    One row per forecast series, statistic and measured day, in that order.
    """
    table, facts = tables.ObservationDaily, tables.Series
    question = (
        select(
            table.series_id,
            table.site_date,
            table.peak,
            table.p95,
            table.mean,
            facts.ceiling,
        )
        .join(facts, facts.series_id == table.series_id)
        .where(
            facts.forecast,
            table.site_date <= cutoff_date,
            table.site_date > cutoff_date - timedelta(days=lookback_days),
        )
    )
    rows = [
        TrainingRow(row["series_id"], statistic, row["site_date"], row[statistic], row["ceiling"])
        for row in _rows(engine, question)
        for statistic in TRAINED_STATISTICS
    ]
    return sorted(rows, key=lambda row: row[:3])


def forecast(
    engine: Engine, series_id: str, statistic: Statistic, cutoff_date: date
) -> Forecast | None:
    """One forecast as seen on its cutoff date, with its points in order."""
    table = tables.ForecastRow
    found = forecasts(
        engine, cutoff_date, table.series_id == series_id, table.statistic == statistic
    )
    return found[0] if found else None


def forecasts(engine: Engine, cutoff_date: date, *conditions: Any) -> list[Forecast]:
    """All forecasts of a cutoff date, by series and statistic.

    ``conditions`` are further clauses over ``ForecastRow``, used inside this package only.
    """
    table, point = tables.ForecastRow, tables.ForecastPointRow
    heads = _rows(
        engine,
        select(*table.__table__.columns)
        .where(table.cutoff_date == cutoff_date, *conditions)
        .order_by(table.series_id, table.statistic),
    )
    question = (
        select(*point.__table__.columns)
        .join(
            table,
            (table.series_id == point.series_id)
            & (table.statistic == point.statistic)
            & (table.cutoff_date == point.cutoff_date),
        )
        .where(table.cutoff_date == cutoff_date, *conditions)
        .order_by(point.series_id, point.statistic, point.site_date)
    )
    points: dict[tuple[str, str], list[ForecastPoint]] = {}
    for row in _rows(engine, question):
        points.setdefault((row["series_id"], row["statistic"]), []).append(
            ForecastPoint(
                site_date=row["site_date"],
                expected=row["expected"],
                lower=row["lower"],
                upper=row["upper"],
            )
        )
    return [
        Forecast(
            **head | {"beyond": unpacked(cutoff_date, head["horizon_days"], head["beyond"])},
            points=tuple(points.get((head["series_id"], head["statistic"]), ())),
        )
        for head in heads
    ]


def findings(engine: Engine, site_date: date) -> list[Finding]:
    """All findings of a day, by rule and subject."""
    table = tables.FindingRow
    question = (
        select(cast(table.document, Text))
        .where(table.site_date == site_date)
        .order_by(table.rule_id, table.subject)
    )
    with reading(engine) as connection:
        return [parsed_finding(one) for one in connection.scalars(question)]


def feeds(engine: Engine, site_date: date) -> list[FeedDay]:
    """Completeness of every feed on a day, by subject; empty when it was never computed.

    A problem must not be closed while a feed that it depends on ``is_incomplete``.
    """
    return feed_days.feeds(engine, site_date)


def crossings(engine: Engine, cutoff_date: date) -> list[Crossing]:
    """All crossings of a cutoff date, by rule and subject."""
    table = tables.CrossingRow
    rows = _rows(
        engine,
        select(*table.__table__.columns)
        .where(table.cutoff_date == cutoff_date)
        .order_by(table.rule_id, table.subject),
    )
    return [Crossing.model_validate(row) for row in rows]


def tickets(
    engine: Engine, backend: str | None = None, state: TicketState | None = None
) -> list[Ticket]:
    """Tickets by key; of one backend and in one state when given."""
    table = tables.TicketRow
    conditions = [] if backend is None else [table.backend == backend]
    return _tickets(engine, *conditions, *([] if state is None else [table.state == state]))


def ticket(engine: Engine, dedupe_key: str, backend: str) -> Ticket | None:
    """The ticket of one problem in one backend, open or closed."""
    table = tables.TicketRow
    found = _tickets(engine, table.backend == backend, table.dedupe_key == dedupe_key)
    return found[0] if found else None


def _tickets(engine: Engine, *conditions: Any) -> list[Ticket]:
    table = tables.TicketRow
    question = select(*table.__table__.columns).where(*conditions)
    return [
        Ticket.model_validate(row | {"first_seen_date": row["opened_date"]})
        for row in _rows(engine, question.order_by(table.dedupe_key, table.backend))
    ]


def delivery(engine: Engine, delivery_id: str) -> Delivery | None:
    """What became of one delivery, or ``None`` when it was never tried."""
    table = tables.Delivery
    found = _rows(engine, select(*table.__table__.columns).where(table.delivery_id == delivery_id))
    return Delivery.model_validate(found[0]) if found else None


def deliveries(engine: Engine, site_date: date | None = None) -> list[Delivery]:
    """Deliveries of a day (or all) by day, channel and recipient."""
    table = tables.Delivery
    question = select(*table.__table__.columns)
    if site_date is not None:
        question = question.where(table.site_date == site_date)
    rows = _rows(engine, question.order_by(table.site_date, table.channel, table.recipient))
    return [Delivery.model_validate(row) for row in rows]


def last_told_date(engine: Engine, channel: str, last: date) -> date | None:
    """The last day up to ``last`` of which something was said, or waits to be, by a channel.

    What is not known to have arrived was not said.
    """
    table = tables.Delivery
    question = select(func.max(table.site_date)).where(
        table.channel == channel,
        ~table.replay,
        table.site_date <= last,
        table.stage != Stage.unconfirmed,
    )
    with reading(engine) as connection:
        found: date | None = connection.scalar(question)
    return found


def waiting(engine: Engine) -> list[Delivery]:
    """Deliveries that nobody has yet, in the order in which they are to go out."""
    table = tables.Delivery
    question = (
        select(*table.__table__.columns)
        .where(table.stage.in_([Stage.pending, Stage.posting]), ~table.replay)
        .order_by(table.site_date, table.order_number, table.delivery_id)
    )
    return [Delivery.model_validate(row) for row in _rows(engine, question)]


def peak_hours(
    engine: Engine, series: Iterable[tuple[str, Direction]], first: date, last: date
) -> dict[str, datetime]:
    """By series: the busiest hour of its worst day between the two days, the last such day.

    For a downward series the worst day is the one with the lowest figure.
    """
    table, signs = tables.ObservationDaily, dict(series)
    worst: dict[str, tuple[float, datetime]] = {}
    for some in batches(sorted(signs), KEYS_PER_STATEMENT):
        question = select(table.series_id, table.peak, table.busiest_hour_utc).where(
            table.series_id.in_(some), table.site_date.between(first, last)
        )
        for row in _rows(engine, question):
            name = row["series_id"]
            sign = 1 if signs[name] is Direction.upward else -1
            found = (sign * row["peak"], row["busiest_hour_utc"])
            worst[name] = max(worst.get(name, found), found)
    return {name: hour for name, (_, hour) in sorted(worst.items())}


def source_files(engine: Engine) -> list[SourceFileFacts]:
    """All files ever delivered, by day of receipt and hash."""
    table = tables.SourceFile
    question = select(*table.__table__.columns).order_by(table.received_date, table.sha256)
    return [SourceFileFacts.model_validate(row) for row in _rows(engine, question)]


def observed_digests(engine: Engine) -> dict[date, str]:
    """By hour_date: the version of the partition that the observations were made from."""
    table = tables.ObservedHourDate
    question = select(*table.__table__.columns).order_by(table.hour_date)
    return {row["hour_date"]: row["sources_digest"] for row in _rows(engine, question)}


def _rows(engine: Engine, question: Select[*tuple[Any, ...]]) -> list[dict[str, Any]]:
    with reading(engine) as connection:
        return [dict(row) for row in connection.execute(question).mappings()]
