"""The store of the page's benchmark: series with years of days, two judged days, filled in bulk."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Engine, Table, bindparam, insert, literal, select, text

from devtools.local.postgres import STORE_DATABASE, start_postgres
from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind, series_id
from mqcap.domain.problem import ProblemState
from mqcap.queries.resources import resource_path
from mqcap.store import tables
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import open_store, writing
from mqcap.store.findings import finding_dates, read_findings, replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.models import SeriesFacts
from mqcap.store.plans import replace_plans
from mqcap.store.problems import replace_problems
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from mqcap.store.tickets import save_ticket
from tests.factories import crossing, finding, forecast, problem_day, series_facts, step_run, ticket
from tests.plan_factories import plan, plan_change, plan_rule

POSTGRES: Final = "postgres"
"""Folder of the PostgreSQL server's data."""
CACHE_KIB: Final = 500_000
DAY: Final = date(2026, 11, 20)
METRICS: Final = ("log_growth_mib_per_s", "chinit_31bit_used_pct", "buffer_pool_used_pct",
                  "page_set_used_pct")  # fmt: skip
KINDS: Final = dict(zip(METRICS, ("queue_manager", "channel_initiator", "buffer_pool", "page_set"),
                        strict=True))  # fmt: skip
SERIES_PER_QMGR: Final = 20
RULE: Final = "LOG-FILL-30MIN"


class StoreSize(NamedTuple):
    """Queue managers and days of the store; each queue manager has 20 series."""

    queue_managers: int = 100
    days: int = 3 * 365

    def managers(self) -> list[str]:
        """Names of the queue managers: ``Q`` and a number of three digits."""
        return [f"Q{number:03}" for number in range(self.queue_managers)]

    def subjects(self) -> Iterator[tuple[str, str]]:
        """Yield metric and subject of each series: one of the queue manager, the others below."""
        for name in self.managers():
            manager = f"PLEX1/{name}"
            yield METRICS[0], manager
            yield METRICS[1], f"{manager}/CHINIT"
            for part in range(SERIES_PER_QMGR - 2):
                metric, kind = (METRICS[2], "BP") if part % 2 else (METRICS[3], "PS")
                yield metric, f"{manager}/{kind}{part // 2:02}"


def series_of(size: StoreSize) -> list[SeriesFacts]:
    """Return every series of a store."""
    first = DAY - timedelta(days=size.days - 1)
    return [
        series_facts(subject, series_id=series_id(metric, subject), metric=metric,
                     subject_kind=SubjectKind(KINDS[metric]), unit=_unit(metric), description="",
                     first_site_date=first, last_site_date=DAY)
        for metric, subject in size.subjects()
    ]  # fmt: skip


def days_of(series_id: str, days: int) -> Iterator[dict[str, Any]]:
    """Yield the row of each day of a series, the last one first."""
    for back in range(days):
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


def _unit(metric: str) -> str:
    return "MiB/s" if metric == METRICS[0] else "%"


def _judge(engine: Engine, size: StoreSize, day: date) -> None:
    """Write results of all series; each seventh is urgent, dates of some have moved."""
    findings, crossings, forecasts = [], [], []
    lines = [(1.9, 2.0 + ahead / 300, 2.1 + ahead / 200) for ahead in range(1, 181)]
    for number, (metric, subject) in enumerate(size.subjects()):
        identity = series_id(metric, subject)
        rule = {"l": RULE, "c": "CHI-80-31BIT", "b": "BP-FREE-15"}.get(metric[0], "PS-EXPAND-90")
        urgent = number % 7 == 0 or metric == METRICS[0]
        found = finding(subject, rule_id=rule, series_id=identity, unit=_unit(metric),
                        site_date=day, severity=Severity.watch if urgent else Severity.ok,
                        observed=2.0, limit_value=2.2, headroom_ratio=0.09, breach=False,
                        advice="", caveats=(), inputs=())  # fmt: skip
        findings.append(found)
        state = CrossingState.will_cross if urgent else CrossingState.not_within_horizon
        moved = 20 if day < DAY and number % 20 == 0 else 0
        crossings.append(
            crossing(found, state=state, latest_date=None,
                     earliest_date=day + timedelta(days=40) if urgent else None,
                     expected_date=day + timedelta(days=60 + moved) if urgent else None)
        )  # fmt: skip
        forecasts.append(forecast(subject, lines, series_id=identity, cutoff_date=day))
    replace_forecasts(engine, day, forecasts)
    replace_crossings(engine, day, crossings)
    replace_findings(engine, day, findings)


@contextmanager
def store_in(folder: Path, size: StoreSize, *, postgres: bool) -> Iterator[str]:
    """The address of the filled store: a SQLite file, or a PostgreSQL server kept in the folder."""
    if not postgres:
        url = f"sqlite:///{folder / 'store.db'}"
        _fill(url, size)
        yield url
        return
    server = start_postgres(folder / POSTGRES)
    try:
        url = server.url(STORE_DATABASE, "psycopg2")
        _fill(url, size)
        yield url
    finally:
        server.stop()


def settings_text(url: str, size: StoreSize) -> str:
    """Settings of a site with the queue managers of the store."""
    managers = ", ".join(f"{{name: {name}}}" for name in size.managers())
    return (
        "site: {name: Benchmark, timezone: UTC}\n"
        f'store: {{url: "{url}"}}\n'
        f"estate:\n  - {{sysplex: PLEX1, timezone: UTC, qmgrs: [{managers}]}}\n"
    )


def _fill(url: str, size: StoreSize) -> None:
    """Write the rows, unless an earlier run has."""
    engine = open_store(url)
    if not finding_dates(engine):
        upsert_series(engine, series_of(size))
        _insert_days(engine, size)
        for day in (DAY - timedelta(days=1), DAY):
            _judge(engine, size, day)
        _plan(engine, size)
        ended = datetime.combine(DAY, datetime.min.time(), UTC) + timedelta(days=1)
        save_step_run(engine, step_run(ended_at_utc=ended, site_date=DAY))
    with writing(engine) as connection:  # what the database's own housekeeping does in a minute
        connection.execute(text("ANALYZE"))
    engine.dispose()


def _insert_days(engine: Engine, size: StoreSize) -> None:
    """Insert the days of one series; in the database, give them to every other one too.

    The index by day is made afterwards, and SQLite has memory for the rows of a transaction.
    """
    table, series = tables.ObservationRow.__table__, tables.SeriesRow.__table__
    model = next(iter(series_of(size))).series_id
    assert isinstance(table, Table)
    names = [column.name for column in table.columns]
    of_model = [table.c[name] for name in names[1:]]
    every = (
        select(series.c.series_id, *of_model)
        .select_from(series.join(table, literal(value=True)))
        .where(table.c.series_id == bindparam("model"), series.c.series_id != bindparam("model"))
        .order_by(series.c.series_id, table.c.site_date)
    )
    with writing(engine, tables.ObservationRow) as connection:
        if engine.dialect.name == "sqlite":
            connection.execute(text(f"PRAGMA cache_size = -{CACHE_KIB}"))
        for index in table.indexes:
            index.drop(connection)
        connection.execute(insert(table), list(days_of(model, size.days)))
        connection.execute(insert(table).from_select(names, every), {"model": model})
        for index in table.indexes:
            index.create(connection)


def _plan(engine: Engine, size: StoreSize) -> None:
    """Write plans, problems and tickets of all active logs, and problems of urgent findings."""
    subjects = [f"PLEX1/{name}" for name in size.managers()]
    plans = (
        plan(resource=resource_path(f"{RULE}/{subject}"), label=f"{subject} active logs",
             owner_subject=subject, severity=Severity.watch, worst_rule=RULE,
             worst_subject=subject, site_date=DAY, made_on=DAY, owner="",
             earliest_date=DAY + timedelta(days=14), due_date=DAY + timedelta(days=26),
             horizon_date=DAY + timedelta(days=180), rules=(plan_rule(RULE, subject),),
             changes=(plan_change(subject=subject, decided_by=(RULE,)),),
             lasts_until=DAY + timedelta(days=200))
        for subject in subjects
    )  # fmt: skip
    replace_plans(engine, DAY, plans)
    problems = [
        problem_day(found.key, site_date=DAY, state=ProblemState.lasting, over=False,
                    severity=Severity.watch, first_seen_date=DAY - timedelta(days=9),
                    raised_date=DAY - timedelta(days=7))
        for found in read_findings(engine, DAY)
        if found.severity is Severity.watch
    ]  # fmt: skip
    replace_problems(engine, DAY, problems)
    for problem in problems:
        if problem.key.startswith(RULE):
            made = ticket(dedupe_key=problem.resource, severity=problem.severity,
                          first_seen_date=problem.first_seen_date,
                          last_seen_date=problem.site_date, members=(problem.key,))  # fmt: skip
            save_ticket(engine, made, "embedded")
