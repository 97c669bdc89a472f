"""The store of the page's benchmark: series with years of days, two judged days, filled in bulk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, Table, bindparam, insert, literal, select, text

from devtools.benchmarks.page_actions import fill_actions
from devtools.benchmarks.page_rows import DAY, StoreSize, days_of, judged, series_of
from devtools.local.postgres import STORE_DATABASE, start_postgres
from mqcap.store import tables
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import connect, open_store, reading, writing
from mqcap.store.findings import finding_dates, replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.models import StepRun
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run

POSTGRES: Final = "postgres"
"""Folder of the PostgreSQL server's data."""
CACHE_KIB: Final = 500_000
_SIZES: Final = {
    "sqlite": "SELECT name, sum(pgsize) FROM dbstat GROUP BY name",
    "postgresql": "SELECT relname, pg_relation_size(oid) FROM pg_class WHERE relkind IN ('r', 'i')",
}
"""Bytes of each table and index."""


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


def bytes_by_table(url: str) -> dict[str, int]:
    """Return the bytes on disk of each table with its indexes, largest first."""
    engine = connect(url)
    with reading(engine) as connection:
        parts = connection.execute(text(_SIZES[engine.dialect.name])).all()
        owner = _tables_of_indexes(connection)
    engine.dispose()
    found: dict[str, int] = {}
    for name, count in parts:
        table = owner.get(name, name)
        if table in tables.Base.metadata.tables:
            found[table] = found.get(table, 0) + int(count)
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _tables_of_indexes(connection: Connection) -> Mapping[str, str]:
    statement = {
        "sqlite": "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'",
        "postgresql": "SELECT indexname, tablename FROM pg_indexes",
    }[connection.dialect.name]
    return {row[0]: row[1] for row in connection.execute(text(statement))}


def _fill(url: str, size: StoreSize) -> None:
    """Write the rows, unless an earlier run has."""
    engine = open_store(url)
    if not finding_dates(engine):
        before = DAY - timedelta(days=1)
        upsert_series(engine, series_of(size))
        _insert_days(engine, size)
        replace_forecasts(engine, DAY, judged(size, DAY).forecasts)
        _copy_forecasts(engine, DAY, before)
        for day in (before, DAY):
            results = judged(size, day)
            replace_crossings(engine, day, results.crossings)
            replace_findings(engine, day, results.findings)
        save_step_run(engine, _last_step())
    fill_actions(engine, size, DAY)
    _know_statistics(engine)
    engine.dispose()


def _last_step() -> StepRun:
    """Return the step with which the day has ended, as the store of a site has it."""
    ended = datetime.combine(DAY, datetime.min.time(), UTC) + timedelta(days=1)
    return StepRun(step="alert", ended_at_utc=ended, site_date=DAY, versions={}, counts={})


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


def _copy_forecasts(engine: Engine, day: date, other: date) -> None:
    """Give another cutoff date the forecasts of a day."""
    with writing(engine, tables.ForecastRow, tables.ForecastPointRow) as connection:
        for row in (tables.ForecastRow, tables.ForecastPointRow):
            columns = row.__table__.columns
            copied = select(
                *(literal(other) if one.name == "cutoff_date" else one for one in columns)
            ).where(columns.cutoff_date == day)
            connection.execute(insert(row).from_select([one.name for one in columns], copied))


def _know_statistics(engine: Engine) -> None:
    """Do what the database's own housekeeping does within a minute or so."""
    with writing(engine) as connection:
        connection.execute(text("ANALYZE"))
