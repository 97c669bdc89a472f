"""The store of the page's benchmark: 2,000 series, three years of days, two judged days."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, insert, text

from devtools.local.postgres import STORE_DATABASE, start_postgres
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Change, Citation, Finding, Severity
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction, Statistic, SubjectKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.store import tables
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import open_store, writing
from mqcap.store.findings import finding_dates, replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.models import SeriesFacts
from mqcap.store.series import upsert_series

DAY: Final = date(2026, 11, 20)
DAYS: Final = 3 * 365
QMGRS: Final = 100
SERIES_PER_QMGR: Final = 20
METRICS: Final = ("log_growth_mib_per_s", "chinit_31bit_used_pct", "buffer_pool_used_pct",
                  "page_set_used_pct")  # fmt: skip
KINDS: Final = dict(zip(METRICS, ("queue_manager", "channel_initiator", "buffer_pool", "page_set"),
                        strict=True))  # fmt: skip


@contextmanager
def store_in(folder: Path, *, postgres: bool) -> Iterator[str]:
    """The address of the filled store: a SQLite file, or a PostgreSQL server kept in the folder."""
    if not postgres:
        url = f"sqlite:///{folder / 'store.db'}"
        _fill(url)
        yield url
        return
    server = start_postgres(folder / "postgres")
    try:
        url = server.url(STORE_DATABASE, "psycopg2")
        _fill(url)
        yield url
    finally:
        server.stop()


def settings_text(url: str) -> str:
    """Settings of a site with the queue managers of the store."""
    managers = ", ".join(f"{{name: Q{number:03}}}" for number in range(QMGRS))
    return (
        "site: {name: Benchmark, timezone: UTC}\n"
        f'store: {{url: "{url}"}}\n'
        f"estate:\n  - {{sysplex: PLEX1, timezone: UTC, qmgrs: [{managers}]}}\n"
    )


def _subjects() -> Iterator[tuple[str, str]]:
    """Metric and subject of each series: one of the queue manager, the others below it."""
    for number in range(QMGRS):
        manager = f"PLEX1/Q{number:03}"
        yield METRICS[0], manager
        yield METRICS[1], f"{manager}/CHINIT"
        for part in range(SERIES_PER_QMGR - 2):
            metric, kind = (METRICS[2], "BP") if part % 2 else (METRICS[3], "PS")
            yield metric, f"{manager}/{kind}{part // 2:02}"


def _fill(url: str) -> None:
    """Write the rows, unless an earlier run has."""
    engine = open_store(url)
    if not finding_dates(engine):
        series = [
            SeriesFacts(series_id=f"{metric}/{subject}", metric=metric, subject=subject,
                        subject_kind=SubjectKind(KINDS[metric]), unit=_unit(metric), forecast=True,
                        first_site_date=DAY - timedelta(days=DAYS - 1), last_site_date=DAY)
            for metric, subject in _subjects()
        ]  # fmt: skip
        upsert_series(engine, series)
        with writing(engine, tables.ObservationRow) as connection:
            for facts in series:
                _insert_days(connection, list(_days(facts.series_id)))
        for day in (DAY - timedelta(days=1), DAY):
            findings, crossings, forecasts = _judged(day)
            replace_forecasts(engine, day, forecasts)
            replace_crossings(engine, day, crossings)
            replace_findings(engine, day, findings)
        _know_statistics(engine)
    engine.dispose()


def _insert_days(connection: Connection, days: list[dict[str, Any]]) -> None:
    table = tables.ObservationRow
    if connection.dialect.name == "sqlite":
        connection.execute(insert(table), days)
        return
    lines = io.StringIO()
    csv.DictWriter(lines, list(days[0])).writerows(days)
    lines.seek(0)
    cursor: Any = connection.connection.cursor()
    with cursor:
        names = ", ".join(days[0])
        cursor.copy_expert(f"COPY {table.__tablename__} ({names}) FROM STDIN (FORMAT csv)", lines)


def _know_statistics(engine: Engine) -> None:
    """Do what the database's own housekeeping does within a minute or so."""
    with writing(engine) as connection:
        connection.execute(text("ANALYZE"))


def _unit(metric: str) -> str:
    return "MiB/s" if metric == METRICS[0] else "%"


def _days(series_id: str) -> Iterator[dict[str, Any]]:
    for back in range(DAYS):
        day = DAY - timedelta(days=back)
        value = 2.0 - 0.001 * back + 0.2 * math.sin(back / 7)
        yield {
            "series_id": series_id,
            "site_date": day,
            "mean": value * 0.5,
            "p95": value * 0.9,
            "peak": value,
            "total": None,
            "busiest_hour_utc": datetime(day.year, day.month, day.day, 9, tzinfo=UTC),
            "covered_hours": 24.0,
        }


def _judged(day: date) -> tuple[list[Any], list[Any], list[Any]]:
    """Return findings, crossings and forecasts of all series; each seventh urgent, some moved."""
    findings, crossings, forecasts = [], [], []
    for number, (metric, subject) in enumerate(_subjects()):
        identity = f"{metric}/{subject}"
        rule = {"l": "LOG-FILL-30MIN", "c": "CHI-80-31BIT", "b": "BP-FREE-15"}.get(
            metric[0], "PS-EXPAND-90"
        )
        urgent = number % 7 == 0 or metric == METRICS[0]
        about: dict[str, Any] = {"rule_id": rule, "subject": subject, "series_id": identity,
                                 "statistic": Statistic.peak, "unit": _unit(metric)}  # fmt: skip
        findings.append(
            Finding(**about, site_date=day, severity=Severity.watch if urgent else Severity.ok,
                    title="A limit of the benchmark", summary=f"{subject}: a sentence.",
                    observed=2.0, limit_value=2.2, headroom_ratio=0.09, breach=False,
                    arithmetic=("limit = 4050 MiB / 1800 s = 2.25 MiB/s",),
                    changes=(Change(action="Define larger logs.",
                                    amount=TypedAmount.of(TypedKind.cylinders, 4_883)),),
                    citation=Citation(document="MP16", section="Active logs"))
        )  # fmt: skip
        state = CrossingState.will_cross if urgent else CrossingState.not_within_horizon
        moved = 20 if day < DAY and number % 20 == 0 else 0
        crossings.append(
            Crossing(**about, cutoff_date=day, direction=Direction.upward, limit_value=2.2,
                     state=state, earliest_date=day + timedelta(days=40) if urgent else None,
                     expected_date=day + timedelta(days=60 + moved) if urgent else None)
        )  # fmt: skip
        points = tuple(
            ForecastPoint(site_date=day + timedelta(days=ahead), expected=2.0 + ahead / 300,
                          lower=1.9, upper=2.1 + ahead / 200)
            for ahead in range(1, 181)
        )  # fmt: skip
        forecasts.append(
            Forecast(series_id=identity, statistic=Statistic.peak, cutoff_date=day, model="made up",
                     horizon_days=180, trained_days=730, interval_width=0.8, points=points)
        )  # fmt: skip
    return findings, crossings, forecasts
