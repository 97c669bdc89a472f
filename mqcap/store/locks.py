"""Locks between processes, which end with them: held by the system or the database server."""

import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, text
from sqlalchemy.exc import InterfaceError, OperationalError

from mqcap.domain.errors import ServiceUnavailable
from mqcap.files import locked

PROBLEMS_LOCK: Final = "problems"
"""Held while problem states are computed, and while their findings are replaced."""


@contextmanager
def exclusive(engine: Engine, name: str) -> Iterator[None]:
    """Hold the lock of a name and store after waiting for it; ServiceUnavailable where it fails."""
    if engine.dialect.name == "postgresql":
        with _advisory_lock(engine, zlib.crc32(f"mqcap {name}".encode())):
            yield
    else:
        with _file_lock(Path(f"{engine.url.database}.{name}.lock")):
            yield


@contextmanager
def _advisory_lock(engine: Engine, number: int) -> Iterator[None]:
    try:
        # no transaction stays open: it would keep the server from cleaning up
        connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.execute(text("SET lock_timeout = 0"))  # the wait may last as long as a step
        connection.execute(text("SELECT pg_advisory_lock(:number)"), {"number": number})
    except (OperationalError, InterfaceError) as error:
        raise _unavailable("the store", error) from error
    try:
        yield
    finally:
        # the session ends with the connection, and the lock with the session
        connection.invalidate()
        connection.close()


@contextmanager
def _file_lock(file: Path) -> Iterator[None]:
    with ExitStack() as held:
        try:
            held.enter_context(locked(file))
        except OSError as error:
            raise _unavailable(str(file), error) from error
        yield


def _unavailable(place: str, error: Exception) -> ServiceUnavailable:
    return ServiceUnavailable(
        f"the lock at {place} cannot be acquired",
        found=str(error).splitlines()[0],
        remedy="Make room or start the database; then run the step again.",
    )
