"""Locks on parts of the lake, wherever it is: one writing process at a time.

In a folder they are locks of the file system. For a lake in an object store, which has none, they
are locks of the store's database, so that processes on several machines exclude each other.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mqcap.lake import locks as folder
from mqcap.lake.location import open_lake
from mqcap.lake.locks import LakePart
from mqcap.settings import Settings


@contextmanager
def exclusive(settings: Settings, part: LakePart) -> Iterator[None]:
    """Wait for the lock of this part of the lake, and hold it during the block.

    Raises ServiceUnavailable when the lock of a database cannot be acquired.
    """
    lake = open_lake(settings.lake)
    if isinstance(lake, Path):
        with folder.exclusive(lake, part):
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
