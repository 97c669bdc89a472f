"""One process at a time on a part of the lake, and what killed ones have left there.

The locks end with their process, so that one that is killed blocks nobody. They are those of
the file system: processes on several machines see each other where it can lock (NFS from
version 4 on); Airflow's pools keep them apart anyway.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final

LOCKS: Final = "locks"


class Part(StrEnum):
    """What is written by one process at a time."""

    landing = "landing"
    sections = "sections"
    hourly = "hourly"
    forecast = "forecast"


@contextmanager
def alone(lake: Path, part: Part) -> Iterator[None]:
    """Wait until no other process is inside ``alone`` with this part of this lake."""
    folder = lake / LOCKS
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / part).open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def remove_left(found: Iterable[Path]) -> None:
    """Remove files and folders that a process has not given their names before it was killed.

    Only while ``alone`` with their part: then nobody is writing them.
    """
    for path in found:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
