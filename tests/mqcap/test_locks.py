"""Locks of the lake: of the file system for a folder, of the store for an object store."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from mqcap.lake.locks import LakePart
from mqcap.locks import exclusive
from mqcap.settings import Settings


def is_locked(file: Path) -> bool:
    with file.open("a") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


@pytest.mark.parametrize(
    ("lake", "lock"),
    [("lake", "lake/locks/hourly"), ("memory://bucket/lake", "store.db.lake-hourly.lock")],
)
def test_a_part_is_locked_during_the_block_where_all_who_write_it_look(
    tmp_path: Path, lake: str, lock: str
) -> None:
    address = lake if "://" in lake else str(tmp_path / lake)
    settings = Settings(lake=address, store={"url": f"sqlite:///{tmp_path}/store.db"})
    with exclusive(settings, LakePart.hourly):
        assert is_locked(tmp_path / lock)
        with exclusive(settings, LakePart.sections):
            pass
    assert not is_locked(tmp_path / lock)
