"""Division of dates among tasks: successive dates, about as many rows in each task.

A large date is divided further, by sysplexes and sites.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate, groupby
from math import ceil
from typing import Final

from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest, dataset_files
from spark_apps.aggregate_dates import DatesTask
from spark_apps.digests import Placement
from spark_apps.read import DateFiles, Share
from spark_apps.registry import datasets_read
from spark_apps.transforms.duplicates import may_hold_duplicates

TASKS_PER_CORE: Final = 2
"""So that no core waits long for the last task (ours)."""
TASK_ROWS_MIN: Final = 20_000
"""Fewer rows than this take no longer than to begin another task (ours)."""
TASK_ROWS_MAX: Final = 500_000
"""Bounds the memory of a worker, to some 800 MiB (ours)."""
SHARE_ROWS_MIN: Final = 200_000
"""Smaller shares of a date cost more for reading its files again than they save (ours)."""


def dates_tasks(
    lake: Location,
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
    rows = rows_by_date(digests, sources)
    count = task_count(sum(rows.values()), cores)
    return [
        DatesTask(lake, {day: digests[day] for day in dates}, files, place, intervals_from)
        for dates in divided(rows, count)
        for files in _shared(
            files_of_dates(lake, dates, sources, place),
            shares(
                rows_by_root(dates, sources, place),
                share_count(dates, sum(rows[day] for day in dates), sum(rows.values()) / count),
            ),
        )
    ]


def _shared(files: DateFiles, shares: Sequence[Share | None]) -> list[DateFiles]:
    return [replace(files, share=share) for share in shares]


def task_count(rows: float, cores: int) -> int:
    """Return among how many tasks to divide so many rows."""
    most = max(TASKS_PER_CORE * cores, ceil(rows / TASK_ROWS_MAX))
    return max(1, min(most, ceil(rows / TASK_ROWS_MIN)))


def divided(rows: Mapping[date, float], count: int) -> Iterator[list[date]]:
    """Yield at most ``count`` groups of successive dates with about as many rows in each."""
    ends = list(accumulate(rows[day] for day in sorted(rows)))
    share = sum(rows.values()) / count or 1.0
    places = {
        day: min(int((end - rows[day] / 2) / share), count - 1)
        for day, end in zip(sorted(rows), ends, strict=True)
    }
    for _, group in groupby(sorted(rows), key=places.__getitem__):
        yield list(group)


def share_count(dates: Sequence[date], rows: float, rows_each: float) -> int:
    """Return among how many tasks to divide the systems of dates: of one large date alone."""
    if len(dates) > 1 or rows < 2 * SHARE_ROWS_MIN:
        return 1
    return round(rows / max(rows_each, SHARE_ROWS_MIN))


def shares(rows_by_root: Mapping[str, float], count: int) -> list[Share | None]:
    """Return at most ``count`` shares with about as many rows; one alone is ``None``, for all.

    The last share is that of all sysplexes and sites that no other share names.
    """
    groups: list[list[str]] = [[] for _ in range(min(count, len(rows_by_root)))]
    if len(groups) < 2:
        return [None]
    for root in sorted(rows_by_root, key=lambda root: (-rows_by_root[root], root)):
        least = min(groups, key=lambda group: sum(rows_by_root[name] for name in group))
        least.append(root)
    *named, _ = groups
    others = frozenset(root for group in named for root in group)
    made = [Share(number, frozenset(group)) for number, group in enumerate(named)]
    return [*made, Share(len(named), others, is_rest=True)]


def rows_by_root(
    dates: Iterable[date], sources: Iterable[Manifest], place: Placement
) -> dict[str, float]:
    """Return about how many rows each sysplex and site has: those of a file in equal parts."""
    wanted = set(dates)
    rows: defaultdict[str, float] = defaultdict(float)
    for source in sources:
        if not wanted.isdisjoint(source.hour_dates):
            roots = _roots_of(source, place)
            for root in roots:
                rows[root] += sum(source.rows.values()) / len(roots)
    return dict(rows)


def _roots_of(source: Manifest, place: Placement) -> set[str]:
    place = place.for_file(source.sha256)
    of_other_platforms = place.distributed
    found = (
        *(place.sysplex or place.sysplex_by_smfid.get(smfid) for smfid in source.smfids),
        *(of_other_platforms.site_by_qmgr.get(qmgr) for qmgr in source.qmgrs),
        *(of_other_platforms.site_by_ztpf.get(system) for system in source.ztpf_systems),
        *(fact.root for fact in source.site_figures),
    )
    return {root for root in found if root}


def rows_by_date(dates: Iterable[date], sources: Iterable[Manifest]) -> dict[date, float]:
    """Return about how many rows each date has: those of a file by its time in each date."""
    read = datasets_read()
    rows = dict.fromkeys(dates, 0.0)
    for source in sources:
        of_file = sum(source.rows.get(name, 0) for name in read)
        for day, part in _parts_by_date(source).items():
            if day in rows:
                rows[day] += of_file * part
    return rows


def _parts_by_date(source: Manifest) -> dict[date, float]:
    """Return the part of a file's time that is in each of its dates: equal parts where unknown."""
    first, last = source.first_interval_utc, source.last_interval_utc
    seconds = dict.fromkeys(source.hour_dates, 0.0)
    if first is not None and last is not None:
        for day in seconds:
            begin = datetime.combine(day, time(), UTC)
            inside = min(last, begin + timedelta(days=1)) - max(first, begin)
            seconds[day] = max(0.0, inside.total_seconds())
    total = sum(seconds.values())
    return {day: each / total if total else 1 / len(seconds) for day, each in seconds.items()}


def files_of_dates(
    lake: Location,
    dates: Sequence[date],
    sources: Iterable[Manifest],
    place: Placement | None = None,
) -> DateFiles:
    """Return the files of successive dates: those of the sources that touch one of them."""
    wanted = set(dates)
    touching = [source for source in sources if not wanted.isdisjoint(source.hour_dates)]
    files = {name: tuple(dataset_files(lake, name, touching)) for name in datasets_read()}
    place = place or Placement()
    sysplexes = {source.sha256: place.for_file(source.sha256).sysplex for source in touching}
    repeated = frozenset(name for name in files if may_hold_duplicates(name, touching, sysplexes))
    arrivals = sorted(source.arrival for source in touching)
    return DateFiles(
        dates[0], dates[-1], files, repeated, arrivals=tuple(sha256 for _, sha256 in arrivals)
    )
