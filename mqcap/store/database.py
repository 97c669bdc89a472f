"""Open the store: a SQLite file or a PostgreSQL database, migrated to the newest schema.

``writing`` and ``reading`` turn a database that does not answer into ServiceUnavailable.
"""

import sqlite3
import weakref
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
)

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.store.documents import dump_json
from mqcap.store.tables import Base

MIGRATIONS: Final = Path(__file__).with_name("migrations")
VERSION_TABLE: Final = "mqcap_version"
BUSY_TIMEOUT_MS: Final = 60_000
"""Time that a writer waits for another one; a daily run writes for a few seconds."""
CONNECT_SECONDS: Final = 10

Store = Engine
"""Type of an open store for packages that do not import SQLAlchemy."""

BEGIN_OPTION: Final = "mqcap_begin"
"""Name of the execution option with the kind of transaction that SQLite begins."""


def open_store(url: str) -> Engine:
    """Return the engine of a store after migrating it to the newest schema; once per process.

    Raises ConfigurationError for an address that is not supported, ServiceUnavailable when the
    database does not answer.
    """
    engine = connect(url)
    if schema_revision(engine) != newest_revision():
        from mqcap.store.migrate import migrate  # noqa: PLC0415 - importing Alembic takes long

        with answering(engine):
            migrate(engine)
    return engine


def connect(url: str) -> Engine:
    """Return the engine of a store, not migrated; ConfigurationError for a bad address."""
    address = _address(url)
    is_file = address.get_backend_name() == "sqlite"
    if is_file and address.database:
        folder = Path(address.database).parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(
                f"the folder of the store, {folder}, cannot be made",
                found=str(error),
                expected="a folder that this user may write",
                remedy="Set store.url (MQCAP_STORE__URL) to a file in another one.",
            ) from error
    waits = {"timeout": BUSY_TIMEOUT_MS / 1000} if is_file else {"connect_timeout": CONNECT_SECONDS}
    engine = create_engine(
        address, json_serializer=dump_json, pool_pre_ping=True, connect_args=waits
    )
    event.listen(engine, "connect", _prepare_sqlite if is_file else _prepare_postgresql)
    if is_file:
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def missing_file(url: str) -> Path | None:
    """Return the file of a SQLite store that does not exist; ``None`` for any other store."""
    address = _address(url)
    name = address.database
    if address.get_backend_name() != "sqlite" or not name or name.startswith((":", "file:")):
        return None
    return None if Path(name).exists() else Path(name)


def schema_revision(engine: Engine) -> str | None:
    """Return the revision of the schema; ``None`` for none. Raises ServiceUnavailable."""
    with answering(engine), engine.connect() as connection:
        return stored_revision(connection)


@contextmanager
def writing(engine: Engine, *tables: type[Base]) -> Iterator[Connection]:
    """Run one transaction that changes these tables: commit at the end, roll back on an error.

    Those that change a table take turns, on SQLite all of them: rows that two replace are of the
    later.
    """
    begun = engine.execution_options(**{BEGIN_OPTION: "IMMEDIATE"})
    with answering(engine), begun.begin() as connection:
        if engine.dialect.name == "postgresql":
            take_turns(connection, (table.__tablename__ for table in tables))
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Run one transaction that only reads."""
    with answering(engine), engine.connect() as connection:
        yield connection


@contextmanager
def answering(engine: Engine) -> Iterator[None]:
    """Raise ServiceUnavailable for a database that does not answer, ConfigurationError for none."""
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise _unavailable(engine, error) from error
    except DatabaseError as error:
        if type(error.orig) is not sqlite3.DatabaseError:  # those of a statement have a subclass
            raise
        raise ConfigurationError(
            f"the store {engine.url.database} is no longer a whole SQLite database",
            found=str(error.orig),
            remedy="Move it away, and put a backup of `mqcap store backup` in its place. Without "
            "one `mqcap load` makes a new store from the lake; acknowledgements, notes and which "
            "tickets are open are not in the lake.",
        ) from error


def take_turns(connection: Connection, names: Iterable[str]) -> None:
    """Wait for transactions that change these tables, in one order: nobody waits in a circle."""
    for name in sorted(names):
        number = zlib.crc32(f"mqcap table {name}".encode())
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


def _address(url: str) -> URL:
    try:
        address = make_url(url)
        if address.drivername in {"postgresql", "postgres"}:
            address = address.set(drivername="postgresql+psycopg2")
        backend = address.get_dialect().name
    except (ArgumentError, NoSuchModuleError) as error:
        raise ConfigurationError(
            "store.url is not the address of a database",
            expected="sqlite:///path/store.db or postgresql://user@host:port/database",
            remedy="Correct store.url in the settings, or MQCAP_STORE__URL.",
        ) from error
    if backend not in {"sqlite", "postgresql"}:
        raise ConfigurationError(
            "store.url names a database that is not supported",
            found=backend,
            expected="sqlite or postgresql",
            remedy="Correct store.url in the settings, or MQCAP_STORE__URL.",
        )
    return address


def _prepare_sqlite(connection: Any, record: Any) -> None:
    weakref.finalize(record, connection.close)  # with the pool, where nobody disposes of it
    connection.isolation_level = None  # transactions are begun by _begin_sqlite alone
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _prepare_postgresql(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"SET lock_timeout = {BUSY_TIMEOUT_MS}")
    cursor.close()
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once: a reader that later wants to write could deadlock."""
    kind = connection.get_execution_options().get(BEGIN_OPTION, "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {kind}")


@cache
def newest_revision() -> str:
    """Return the number of the newest revision without Alembic, which takes long to import."""
    files = (MIGRATIONS / "versions").glob("[0-9]*_*.py")
    return max(path.name.partition("_")[0] for path in files)


def stored_revision(connection: Connection) -> str | None:
    """Return the revision of the schema that a connection sees; ``None`` without one."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    revision: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608 - a constant
    return revision


def _unavailable(engine: Engine, error: OperationalError | InterfaceError) -> ServiceUnavailable:
    first_line = str(error.orig).strip().splitlines()[0] if error.orig else str(error)
    expected, remedy = "a database that accepts connections", "Start it"
    if engine.dialect.name == "sqlite":
        expected = (
            "a file that this user may write, on a disk with space, locked by nobody for long"
        )
        remedy = "Give the permission, make room, wait until other commands end"
    return ServiceUnavailable(
        f"the store {engine.url.render_as_string(hide_password=True)} does not answer",
        found=first_line,
        expected=expected,
        remedy=f"{remedy}, or correct store.url (MQCAP_STORE__URL); then run the step again.",
    )
