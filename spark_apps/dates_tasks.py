"""Division of dates among tasks: successive dates, about as many rows in each task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from math import ceil
from pathlib import Path
from typing import Final

from mqcap.lake.manifest import Manifest, dataset_files
from spark_apps.aggregate_dates import DatesTask
from spark_apps.digests import Placement
from spark_apps.read import DateFiles
from spark_apps.registry import datasets_read
from spark_apps.transforms.duplicates import may_hold_duplicates

TASKS_PER_CORE: Final = 2
"""So that no core waits long for the last task (ours)."""
TASK_ROWS_MIN: Final = 20_000
"""Fewer rows than this take no longer than to begin another task (ours)."""
TASK_ROWS_MAX: Final = 1_000_000
"""Bounds the memory of a worker (ours)."""


def dates_tasks(
    lake: Path,
    digests: Mapping[date, str],
    sources: Sequence[Manifest],
    place: Placement,
    intervals_from: date,
    cores: int,
) -> list[DatesTask]:
    """Return the tasks that together rewrite some dates.

    Args:
        lake: Folder of the lake.
        digests: The dates, each with its new digest.
        sources: Manifests of the files that touch one of these dates.
        place: Where the systems belong.
        intervals_from: First date of which the single intervals are kept.
        cores: How many tasks run at once.
    """
    rows = _rows_by_date(digests, sources)
    return [
        DatesTask(
            lake,
            {day: digests[day] for day in dates},
            files_of_dates(lake, dates, sources),
            place,
            intervals_from,
        )
        for dates in divided(rows, task_count(sum(rows.values()), cores))
    ]


def task_count(rows: float, cores: int) -> int:
    """Return among how many tasks to divide so many rows."""
    most = max(TASKS_PER_CORE * cores, ceil(rows / TASK_ROWS_MAX))
    return max(1, min(most, ceil(rows / TASK_ROWS_MIN)))


def divided(rows: Mapping[date, float], count: int) -> Iterator[list[date]]:
    """Yield at most ``count`` groups of successive dates with about as many rows in each."""
    share = sum(rows.values()) / count
    group: list[date] = []
    before = 0.0
    made = 1
    for day in sorted(rows):
        if group and before >= made * share:
            yield group
            group = []
            made += 1
        group.append(day)
        before += rows[day]
    if group:
        yield group


def _rows_by_date(dates: Iterable[date], sources: Iterable[Manifest]) -> dict[date, float]:
    """Return about how many rows each date has: those of a file, in equal parts for its dates."""
    read = datasets_read()
    rows = dict.fromkeys(dates, 0.0)
    for source in sources:
        each = sum(source.rows.get(name, 0) for name in read) / max(1, len(source.hour_dates))
        for day in rows.keys() & set(source.hour_dates):
            rows[day] += each
    return rows


def files_of_dates(lake: Path, dates: Sequence[date], sources: Iterable[Manifest]) -> DateFiles:
    """Return the files of successive dates: those of the sources that touch one of them."""
    wanted = set(dates)
    touching = [source for source in sources if not wanted.isdisjoint(source.hour_dates)]
    files = {name: tuple(dataset_files(lake, name, touching)) for name in datasets_read()}
    repeated = frozenset(name for name in files if may_hold_duplicates(name, touching))
    return DateFiles(dates[0], dates[-1], files, repeated)
