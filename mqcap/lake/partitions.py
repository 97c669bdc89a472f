"""Partitions of a dataset: the folders ``hour_date=D`` or ``cutoff_date=D``."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from mqcap.lake.layout import dated_paths, parquet_files

PartitionFiles = Mapping[date, frozenset[str]]
"""The names of the Parquet files of each partition."""


def partitions(lake: Path, dataset: str) -> dict[date, Path]:
    """Return the partitions of a dataset by date, in order; none when there is no dataset."""
    return {day: path for day, path in dated_paths(lake, dataset) if not path.name.startswith(".")}


def partition_files(lake: Path, dataset: str) -> PartitionFiles:
    """Return the names of the files in each partition of a dataset."""
    return {
        day: frozenset(path.name for path in parquet_files(folder))
        for day, folder in partitions(lake, dataset).items()
    }


def remove_unreplaced(
    lake: Path, dataset: str, before: PartitionFiles, rewritten: Iterable[date]
) -> int:
    """Remove the partitions that should have been rewritten but got no rows; returns how many.

    ``before`` is the result of ``partition_files`` ahead of the write: a partition that still has
    the same files was not replaced, because there is nothing left to put in it.
    """
    after = partition_files(lake, dataset)
    folders = partitions(lake, dataset)
    unreplaced = [day for day in rewritten if day in before and after.get(day) == before[day]]
    for day in unreplaced:
        shutil.rmtree(folders[day])
    return len(unreplaced)


def remove_before(lake: Path, dataset: str, first: date) -> int:
    """Remove the partitions of dates before ``first``; returns how many."""
    old = [folder for day, folder in partitions(lake, dataset).items() if day < first]
    for folder in old:
        shutil.rmtree(folder)
    return len(old)
