"""Check the consistency of the store, copy it, and delete rows past their retention."""

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Engine, delete, exists, func, select, text

from mqcap.domain.delivery import WAITING, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.progress.shown import tracked, work
from mqcap.store import tables
from mqcap.store.database import newest_revision, reading, stored_revision, writing
from mqcap.store.day_documents import EVERY
from mqcap.store.documents import RUN_AGAIN, unreadable_rows
from mqcap.store.forecasts import IS_OF_HEAD

COPIED_PAGES: Final = 4_096
"""Pages of SQLite that are copied before it is shown how far that is (ours)."""


class Flaw(NamedTuple):
    """Inconsistency of the store, and its remedy."""

    what: str
    remedy: str


def check(engine: Engine) -> list[Flaw]:
    """Return everything that is wrong with the store; empty when it is consistent."""
    fatal, others = (_schema, _file), (_orphans, _documents, _outbox)
    flaws: list[Flaw] = []
    with reading(engine) as connection:
        for find in tracked((*fatal, *others), "check the store", "checks"):
            if find in fatal or not flaws:
                flaws.extend(find(connection))
    return flaws


def _schema(connection: Connection) -> Iterator[Flaw]:
    newest = newest_revision()
    current = stored_revision(connection)
    if current != newest:
        yield Flaw(f"schema {current}, this version expects {newest}", "Start any command once.")


def _file(connection: Connection) -> Iterator[Flaw]:
    if connection.dialect.name != "sqlite":
        return
    for (line,) in connection.execute(text("PRAGMA integrity_check")):
        if line != "ok":
            yield Flaw(f"SQLite: {line}", "Restore the file from a backup.")


def _orphans(connection: Connection) -> Iterator[Flaw]:
    series, day = tables.SeriesRow, tables.ObservationRow
    point = tables.ForecastPointRow
    has_series = exists().where(series.series_id == day.series_id)
    has_head = exists().where(IS_OF_HEAD)
    for what, statement in (
        ("observations of unknown series", select(func.count(day.series_id)).where(~has_series)),
        ("points of unknown forecasts", select(func.count(point.series_id)).where(~has_head)),
    ):
        count = connection.scalar(statement)
        if count:
            yield Flaw(f"{count} {what}", "Run the days again: each step replaces its own rows.")


def _documents(connection: Connection) -> Iterator[Flaw]:
    for documents in EVERY:
        bad: list[date] = []
        deque(documents.parsed(connection.execute(documents.texts()), bad), maxlen=0)
        if bad:
            yield Flaw(unreadable_rows(documents.table.__tablename__, bad), RUN_AGAIN)


def _outbox(connection: Connection) -> Iterator[Flaw]:
    table = tables.DeliveryRow
    stages = {
        Stage.pending: ("not handed over yet", "The next run hands them over."),
        Stage.partly_sent: ("refused for some addresses", "The next run tries those again."),
        Stage.posting: ("left by a run that died", "The next run settles them."),
        Stage.unconfirmed: ("perhaps not arrived", "Ask the recipients; `mqcap outbox resend`."),
    }
    for stage, (words, remedy) in stages.items():
        rows = select(func.count()).where(table.stage == stage, ~table.replay)
        count = connection.scalar(rows)
        if count:
            yield Flaw(f"{count} deliveries {words}", remedy)


def back_up(engine: Engine, file: Path) -> None:
    """Copy a SQLite store of one moment, while others write; ConfigurationError where it cannot."""
    if engine.dialect.name != "sqlite":
        raise ConfigurationError(
            "this command copies a SQLite store only",
            found=engine.url.render_as_string(hide_password=True),
            remedy="For PostgreSQL: pg_dump --format=custom --file=FILE DATABASE.",
        )
    if file.exists():
        raise ConfigurationError(
            "the file is there already", found=str(file), expected="the name of a new file"
        )
    unfinished = file.with_name(f".{file.name}.part")
    try:
        with reading(engine) as connection, closing(sqlite3.connect(unfinished)) as copy:
            source: Any = connection.connection.driver_connection
            # What has begun to read sees the store of that moment, whatever is written meanwhile.
            connection.execute(text("SELECT count(*) FROM sqlite_master"))
            with work("copy the store", 0, "pages") as shown:

                def copied(_status: int, remaining: int, total: int) -> None:
                    shown.reached(total - remaining, total)

                source.backup(copy, pages=COPIED_PAGES, progress=copied)
        unfinished.rename(file)
    except (OSError, sqlite3.OperationalError) as error:
        unfinished.unlink(missing_ok=True)
        raise ConfigurationError(
            f"the store cannot be copied into {file}",
            found=str(error),
            expected="a folder that this user may write, with room for the store",
        ) from error


def prune(engine: Engine, before: dict[str, date], *, dry_run: bool = False) -> dict[str, int]:
    """Delete rows older than the dates of their tables, unless they wait. Returns how many."""
    counts = {}
    named: dict[str, Any] = {
        mapper.class_.__tablename__: mapper.class_ for mapper in tables.Base.registry.mappers
    }
    with writing(engine, *(named[name] for name in before)) as connection:
        for name, first_date in tracked(sorted(before.items()), "old rows", "tables"):
            table = named[name]
            dated = table.cutoff_date if hasattr(table, "cutoff_date") else table.site_date
            conditions = [dated < first_date]
            if name == "delivery":
                conditions.append(tables.DeliveryRow.stage.not_in(WAITING))
            old = select(func.count()).select_from(table).where(*conditions)
            counts[name] = int(connection.scalar(old) or 0)
            if not dry_run:
                connection.execute(delete(table).where(*conditions))
    return counts
