"""Rows of the store for programs of the site, and figures of the platform itself."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import InstrumentedAttribute

from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing
from mqcap.domain.delivery import WAITING
from mqcap.domain.finding import Finding
from mqcap.domain.metric import split_series_id
from mqcap.domain.names.short_names import Columns, day, number, text
from mqcap.domain.units import SECONDS_PER_HOUR
from mqcap.progress.shown import tracked
from mqcap.store.crossings import read_crossings
from mqcap.store.fetch import fetch_models, fetch_rows, fetch_value, select_columns
from mqcap.store.findings import read_findings
from mqcap.store.forecasts import read_forecasts
from mqcap.store.models import StepRun
from mqcap.store.series import read_series
from mqcap.store.tables import (
    DeliveryRow,
    FeedDayRow,
    FindingRow,
    ForecastRow,
    ObservationRow,
    ProblemRow,
    SeriesRow,
    SourceFileRow,
    StepRunRow,
    TicketRow,
)

_UNIT: Final = text("unit of the figures of the row")
_SUBJECT: Final = text("path of what is measured, such as PLEX1/CSQ1")
_METRIC: Final = text("name of the metric, as docs/reference/metrics.md lists")
OBSERVATION_COLUMNS: Final[Columns] = {
    "metric": _METRIC,
    "subject": _SUBJECT,
    "site_date": day("day in the time zone of the subject's sysplex or site"),
    "mean": number("mean of the measured time of the day"),
    "peak": number("highest hour of the day; the lowest one where less is worse"),
    "p95": number("95th percentile of the hours of the day"),
    "covered_seconds": number("measured time of the day, in seconds"),
    "unit": _UNIT,
}
FINDING_COLUMNS: Final[Columns] = {
    "rule": text("rule id, as docs/rules.md lists"),
    "subject": _SUBJECT,
    "severity": text("act, watch, ok, unknown or suggestion"),
    "observed": number("figure that is compared with the limit; absent where it is not known"),
    "limit": number("limit; absent where none is known, and for events"),
    "unit": _UNIT,
    "superseded_by": text("rule that is shown in its place; absent for most"),
    "crossing_state": text("what the forecast says of the limit; absent for rules without one"),
    "crossing_earliest": day("day by which the limit is passed at the lower bound of the forecast"),
    "crossing_expected": day("day by which it is passed with a probability of 50 %"),
    "crossing_latest": day("day by which it is passed at the upper bound of the forecast"),
}
FORECAST_COLUMNS: Final[Columns] = {
    "metric": _METRIC,
    "subject": _SUBJECT,
    "statistic": text("figure of the day that is forecast: peak, p95 or mean"),
    "cutoff_date": day("last day of the data that it rests on"),
    "site_date": day("day that is forecast"),
    "expected": number("expected value"),
    "lower": number("lower bound of the prediction interval"),
    "upper": number("upper bound of the prediction interval"),
    "interval_width": number("probability of a value between the bounds, such as 0.8"),
    "unit": _UNIT,
    "model": text("model that made it"),
}
_OF_FORECAST: Final = ("statistic", "cutoff_date", "interval_width", "model")
_OF_DAY: Final = ("site_date", "expected", "lower", "upper")
CROSSING_COLUMNS: Final[Columns] = {
    "rule": text("rule id, as docs/rules.md lists"),
    "subject": _SUBJECT,
    "cutoff_date": day("day of the findings"),
    "series": text("id of the series that is forecast, metric/subject"),
    "statistic": text("figure of the day that is forecast"),
    "direction": text("upward where more is worse, downward where less is"),
    "limit": number("limit in the unit of the series"),
    "unit": _UNIT,
    "state": text("breached, will_cross, not_within_horizon or why there is no date"),
    "earliest_date": day("day by which the limit is passed at the lower bound; absent if later"),
    "expected_date": day("day by which it is passed with a probability of 50 %"),
    "latest_date": day("day by which it is passed at the upper bound"),
    "breached_since": day("first day of a breach that lasts"),
    **{
        f"probability_{days}_days": number(f"probability of passing it within {days} days, 0 to 1")
        for days in PROBABILITY_DAYS
    },
    "reason": text("why there is no date"),
}
ExportedRow = Mapping[str, Any]


def exported_observations(engine: Engine) -> Iterator[ExportedRow]:
    """Yield OBSERVATION_COLUMNS of each measured site day, by metric, subject and day."""
    measured, facts = ObservationRow, SeriesRow
    figures = (measured.mean, measured.peak, measured.p95, measured.covered_hours)
    every = select(facts.series_id, facts.metric, facts.subject, facts.unit)
    in_order = fetch_rows(engine, every.order_by(facts.metric, facts.subject))
    for series in tracked(in_order, "read observations", "series"):
        of_series = measured.series_id == series["series_id"]
        days = select(measured.site_date, *figures).where(of_series)
        for row in fetch_rows(engine, days.order_by(measured.site_date)):
            covered_seconds = round(row["covered_hours"] * SECONDS_PER_HOUR, 6)
            yield {**series, **row, "covered_seconds": covered_seconds}


def exported_findings(engine: Engine, site_date: date) -> Iterator[ExportedRow]:
    """Yield FINDING_COLUMNS of the findings of a day, by rule and subject.

    A limit that is passed has the first day in breach as all three dates; a date that is not known,
    or after the horizon, is ``None``.
    """
    crossings = {(item.rule_id, item.subject): item for item in read_crossings(engine, site_date)}
    findings = sorted(
        read_findings(engine, site_date), key=lambda item: (item.rule_id, item.subject)
    )
    for finding in findings:
        crossing = crossings.get((finding.rule_id, finding.subject))
        since = crossing.breached_since if crossing else None
        dates = {
            f"crossing_{name}": since or getattr(crossing, f"{name}_date", None)
            for name in ("earliest", "expected", "latest")
        }
        state = str(crossing.state) if crossing else None
        yield _row(FINDING_COLUMNS, finding, **dates, crossing_state=state)


def exported_forecasts(engine: Engine, cutoff_date: date) -> Iterator[ExportedRow]:
    """Yield FORECAST_COLUMNS of each day of forecasts made on a day; refused have none."""
    units = {facts.series_id: facts.unit for facts in read_series(engine)}
    for made in read_forecasts(engine, cutoff_date):
        metric, subject = split_series_id(made.series_id)
        facts = {"metric": metric, "subject": subject, "unit": units.get(made.series_id)}
        facts |= {name: getattr(made, name) for name in _OF_FORECAST}
        for point in made.every_day:
            yield facts | {name: getattr(point, name) for name in _OF_DAY}


def exported_crossings(engine: Engine, site_date: date) -> Iterator[ExportedRow]:
    """Yield the crossings of a day, by rule and subject. Keys are CROSSING_COLUMNS."""
    crossings = read_crossings(engine, site_date)
    for crossing in sorted(crossings, key=lambda item: (item.rule_id, item.subject)):
        yield _row(CROSSING_COLUMNS, crossing, series=crossing.series_id)


def _row(columns: Columns, judged: Finding | Crossing, **more: Any) -> ExportedRow:
    facts = {**dict(judged), "rule": judged.rule_id, "limit": judged.limit_value, **more}
    return {name: facts[name] for name in columns}


Counts = dict[tuple[str, ...], float]
"""By the values of a few columns; a combination without a row is absent."""


def file_sums(engine: Engine) -> dict[str, int]:
    """Return files, records and bytes of all files in the store, and files with a problem."""
    table = SourceFileRow
    (sums,) = fetch_rows(
        engine,
        select(
            func.count().label("files"),
            func.count(table.problem).label("problems"),
            func.coalesce(func.sum(table.record_count), 0).label("records"),
            func.coalesce(func.sum(table.bytes_count), 0).label("delivered"),
            func.coalesce(func.sum(table.decoded_bytes), 0).label("decoded"),
            func.coalesce(func.sum(table.skipped_bytes), 0).label("skipped"),
            func.coalesce(func.sum(table.quarantined_bytes), 0).label("quarantined"),
        ),
    )
    return {name: int(value) for name, value in sums.items()}


def newest_runs(engine: Engine) -> list[StepRun]:
    """Return the newest run of each step, in the order in which they ended."""
    table = StepRunRow
    last = (
        select(table.step, func.max(table.ended_at_utc).label("ended_at_utc"))
        .group_by(table.step)
        .subquery()
    )
    matching = (table.step == last.c.step) & (table.ended_at_utc == last.c.ended_at_utc)
    statement = select_columns(table, order=(table.ended_at_utc,)).join(last, matching)
    return fetch_models(engine, StepRun, statement)


def row_counts(engine: Engine) -> dict[str, Counts]:
    """Return runs of steps, feeds, findings and so on, by what is counted; of the newest day.

    A delivery is failing while it waits after an error; a forecast is ``made`` or ``refused``.
    """
    failing = DeliveryRow.stage.in_(WAITING) & DeliveryRow.error.is_not(None)
    return {
        "step_runs": _counted(engine, StepRunRow.step),
        "feeds": _of_newest(engine, FeedDayRow.site_date, FeedDayRow.kind, FeedDayRow.state),
        "forecasts": _forecast_counts(engine),
        "findings": _of_newest(engine, FindingRow.site_date, FindingRow.severity),
        "problems": _of_newest(engine, ProblemRow.site_date, ProblemRow.state, ProblemRow.severity),
        "tickets": _counted(engine, TicketRow.state, TicketRow.severity),
        "deliveries": _counted(engine, DeliveryRow.channel, DeliveryRow.stage),
        "deliveries_failing": _counted(engine, DeliveryRow.channel, where=failing),
    }


def _forecast_counts(engine: Engine) -> Counts:
    table = ForecastRow
    of_day = table.cutoff_date == select(func.max(table.cutoff_date)).scalar_subquery()
    every = fetch_value(engine, select(func.count()).where(of_day)) or 0
    refused = fetch_value(engine, select(func.count(table.refusal)).where(of_day)) or 0
    return {("made",): float(every - refused), ("refused",): float(refused)} if every else {}


def _of_newest(engine: Engine, day: Any, *columns: InstrumentedAttribute[str]) -> Counts:
    newest = select(func.max(day)).scalar_subquery()
    return _counted(engine, *columns, where=day == newest)


def _counted(engine: Engine, *columns: InstrumentedAttribute[str], where: Any = None) -> Counts:
    statement = select(*columns, func.count().label("rows_count")).group_by(*columns)
    if where is not None:
        statement = statement.where(where)
    rows = fetch_rows(engine, statement.order_by(*columns))
    return {
        tuple(str(row[column.key]) for column in columns): float(row["rows_count"]) for row in rows
    }
