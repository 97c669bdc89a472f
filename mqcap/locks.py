"""Locks on parts of the lake: one writing process at a time.

Of the file system, or for a lake in an object store, which has none, of the store's database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from mqcap.files import locked
from mqcap.lake.layout import lock_path
from mqcap.lake.location import open_lake
from mqcap.settings import Settings


class LakePart(StrEnum):
    """A part of the lake that one process at a time writes."""

    landing = "landing"
    sections = "sections"
    hourly = "hourly"
    forecast = "forecast"


@contextmanager
def exclusive(settings: Settings, part: LakePart) -> Iterator[None]:
    """Hold the lock of this part of the lake; ServiceUnavailable when it cannot be acquired."""
    lake = open_lake(settings.lake)
    if isinstance(lake, Path):
        path = lock_path(lake, part)
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path):
            yield
        return
    from mqcap.store import locks as database  # noqa: PLC0415 - Spark's workers need no database
    from mqcap.store.database import connect  # noqa: PLC0415 - likewise

    engine = connect(settings.store.url.get_secret_value())
    try:
        with database.exclusive(engine, f"lake-{part}"):
            yield
    finally:
        engine.dispose()
