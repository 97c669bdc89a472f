"""Locks on parts of a lake in a folder: one writing process at a time.

A lock ends with its process, so a killed process blocks no other. They are locks of the
file system: processes on several machines exclude each other where it can lock (NFS from
version 4 on); Airflow's pools keep them apart anyway.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from mqcap.lake.layout import lock_path


class LakePart(StrEnum):
    """A part of the lake that one process at a time writes."""

    landing = "landing"
    sections = "sections"
    hourly = "hourly"
    forecast = "forecast"


@contextmanager
def exclusive(lake: Path, part: LakePart) -> Iterator[None]:
    """Wait for the lock of this part of this lake, and hold it during the block."""
    path = lock_path(lake, part)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
