"""The store of the page's benchmark: series with years of days, two judged days, filled in bulk."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Engine, Table, insert, select, text, true

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
from mqcap.store.plans import replace_plans
from mqcap.store.problems import replace_problems
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from mqcap.store.tickets import save_ticket
from tests.factories import crossing, finding, forecast, problem_day, series_facts, step_run, ticket
from tests.plan_factories import plan, plan_change, plan_rule

DAY: Final = date(2026, 11, 20)
LOG: Final = "log_growth_mib_per_s"
RULE: Final = "LOG-FILL-30MIN"


class Measured(NamedTuple):
    """A metric, the kind of its subjects, the rule that watches it, and its unit."""

    metric: str
    kind: SubjectKind
    rule: str
    unit: str = "%"


OF_LOG: Final = Measured(LOG, SubjectKind.queue_manager, RULE, "MiB/s")
OF_CHINIT: Final = Measured("chinit_31bit_used_pct", SubjectKind.channel_initiator, "CHI-80-31BIT")
OF_PARTS: Final = {
    "PS": Measured("page_set_used_pct", SubjectKind.page_set, "PS-EXPAND-90"),
    "BP": Measured("buffer_pool_used_pct", SubjectKind.buffer_pool, "BP-FREE-15"),
}
PARTS: Final = 9
"""Page sets, and buffer pools, of a queue manager."""


class StoreSize(NamedTuple):
    """Queue managers and days of the store; each queue manager has 20 series."""

    queue_managers: int = 100
    days: int = 3 * 365

    def managers(self) -> list[str]:
        """Names of the queue managers: ``Q`` and a number of three digits."""
        return [f"Q{number:03}" for number in range(self.queue_managers)]

    def series(self) -> Iterator[tuple[Measured, str]]:
        """Yield what is measured and subject of each series."""
        for name in self.managers():
            manager = f"PLEX1/{name}"
            yield OF_LOG, manager
            yield OF_CHINIT, f"{manager}/CHINIT"
            for part in range(PARTS):
                for kind, measured in OF_PARTS.items():
                    yield measured, f"{manager}/{kind}{part:02}"


def _judge(engine: Engine, size: StoreSize, day: date) -> None:
    """Write results of all series; each seventh is urgent, dates of some have moved."""
    findings, crossings, forecasts = [], [], []
    lines = [(1.9, 2.0 + ahead / 300, 2.1 + ahead / 200) for ahead in range(1, 181)]
    for number, (measured, subject) in enumerate(size.series()):
        identity = series_id(measured.metric, subject)
        urgent = number % 7 == 0 or measured is OF_LOG
        found = finding(subject, rule_id=measured.rule, series_id=identity, unit=measured.unit,
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
    server = start_postgres(folder / "postgres") if postgres else None
    url = server.url(STORE_DATABASE, "psycopg2") if server else f"sqlite:///{folder / 'store.db'}"
    try:
        _fill(url, size)
        yield url
    finally:
        if server:
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
    engine = open_store(url)
    if not finding_dates(engine):
        _insert_series(engine, size)
        for day in (DAY - timedelta(days=1), DAY):
            _judge(engine, size, day)
        _plan(engine, size)
        ended = datetime.combine(DAY, datetime.min.time(), UTC) + timedelta(days=1)
        save_step_run(engine, step_run(ended_at_utc=ended, site_date=DAY))
    with writing(engine) as connection:  # what the database's own housekeeping does in a minute
        connection.execute(text("ANALYZE"))
    engine.dispose()


def _insert_series(engine: Engine, size: StoreSize) -> None:
    """Insert all series, the days of one, and from them in the database those of the others."""
    days = [DAY - timedelta(days=back) for back in range(size.days)]
    facts = [
        series_facts(subject, series_id=series_id(measured.metric, subject), metric=measured.metric,
                     subject_kind=measured.kind, unit=measured.unit, description="",
                     first_site_date=days[-1], last_site_date=DAY)
        for measured, subject in size.series()
    ]  # fmt: skip
    upsert_series(engine, facts)
    table, series = tables.ObservationRow.__table__, tables.SeriesRow.__table__
    assert isinstance(table, Table)
    model = facts[0].series_id
    values = [2.0 - 0.001 * back + 0.2 * math.sin(back / 7) for back in range(size.days)]
    rows = [
        {"series_id": model, "site_date": day, "mean": value * 0.5, "p95": value * 0.9,
         "peak": value, "total": None, "covered_hours": 24.0,
         "busiest_hour_utc": datetime(day.year, day.month, day.day, 9, tzinfo=UTC)}
        for day, value in zip(days, values, strict=True)
    ]  # fmt: skip
    names = [column.name for column in table.columns]
    others = (
        select(series.c.series_id, *(table.c[name] for name in names[1:]))
        .select_from(series.join(table, true()))
        .where(table.c.series_id == model, series.c.series_id != model)
        .order_by(series.c.series_id, table.c.site_date)
    )
    with writing(engine, tables.ObservationRow) as connection:
        connection.execute(insert(table), rows)
        connection.execute(insert(table).from_select(names, others))


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
