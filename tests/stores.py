"""Stores for tests: the schema is created once per process and copied for each store."""

import tempfile
from functools import cache
from pathlib import Path

from mqcap.store.database import Store, open_store


def new_store(path: Path) -> Store:
    """Return an open store in a new SQLite file; rows of an existing file stay."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_empty())
    return open_store(f"sqlite:///{path}")


@cache
def _empty() -> bytes:
    """Return the bytes of a store with every table and no row."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        open_store(f"sqlite:///{path}").dispose()
        return path.read_bytes()
