"""Retention: remove from store and lake what is older than the settings say.

Whatever they say, nothing goes that a rerun of a day in the active window needs. What is gone is
remembered before it goes, so that a removal that was killed is completed by the next one.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from mqcap.domain.datasets import (
    FEED_INTERVAL,
    FORECAST_RESULT,
    METRIC_HOURLY,
    METRIC_INTERVAL,
    TRAINING,
)
from mqcap.lake.landing import landed_paths
from mqcap.lake.layout import CONFLICT, LANDING, METRIC_SOURCES, dated_paths, rows_path
from mqcap.lake.locks import LakePart, exclusive
from mqcap.lake.manifest import Manifest, manifests
from mqcap.lake.retention_state import RetentionState
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.upkeep import prune

MARGIN_DAYS: Final = 4
"""Days beside a day that its hours, its feeds and its zone reach into (ours)."""
_BY_HOUR_DATE: Final = (METRIC_HOURLY.name, FEED_INTERVAL.name, CONFLICT)
_BY_CUTOFF: Final = (TRAINING.name, FORECAST_RESULT.name)


def active_days(settings: Settings) -> int:
    """Return days back from the newest that can be run again at any time, with late data."""
    alerts = settings.alerts
    return MARGIN_DAYS + max(settings.rules.peak_days, alerts.reopen_days, alerts.clear_days)


def first_kept(settings: Settings, newest: date) -> dict[str, date]:
    """By table of the store, and by ``raw``, ``interval``, ``hourly`` and ``working`` of the lake.

    The oldest active day needs daily values as far back as a forecast looks, feeds as far back
    as rules look, and the hours beside every interval.
    """
    keep, active = settings.store.retention, active_days(settings)
    interval = max(keep.interval_days, active)
    days = {
        "observation_daily": max(keep.daily_days, active + settings.forecast.lookback_days),
        **dict.fromkeys(("forecast_point", "forecast", "crossing"), keep.forecast_days),
        **dict.fromkeys(("finding", "feed_day", "problem", "problem_date"), keep.finding_days),
        **dict.fromkeys(("delivery", "step_run"), keep.delivery_days),
        "raw": max(keep.raw_days, active),
        "interval": interval,
        "hourly": max(keep.hourly_days, interval + MARGIN_DAYS, 2 * active),
        "working": max(keep.working_days, settings.forecast.keep_models_days + 1, MARGIN_DAYS),
    }
    return {name: newest - timedelta(days=count - 1) for name, count in days.items()}


def remove_old(
    settings: Settings, engine: Store, newest: date, *, dry_run: bool = False
) -> dict[str, Any]:
    """Remove what is older than its first kept day. Returns days, and counts by what it was.

    ``rows`` of tables, ``files`` and their ``bytes`` by dataset, and under ``raw`` the hashes of
    delivered files. Repeated, it removes nothing.
    """
    kept = first_kept(settings, newest)
    lake = _Lake(Path(settings.lake), dry_run=dry_run)
    with ExitStack() as locks:
        for part in LakePart:
            locks.enter_context(exclusive(lake.path, part))
        raw = lake.remove(kept)
    tables = {name: day for name, day in kept.items() if name not in _OF_LAKE}
    return {
        "first_kept": {name: day.isoformat() for name, day in sorted(kept.items())},
        "rows": prune(engine, tables, dry_run=dry_run),
        "files": dict(sorted(lake.files.items())),
        "bytes": lake.bytes_count,
        "raw": raw,
    }


_OF_LAKE: Final = frozenset({"raw", "interval", "hourly", "working"})


@dataclass
class _Lake:
    """What is removed from a lake, and how much it was."""

    path: Path
    dry_run: bool
    files: Counter[str] = field(default_factory=Counter)
    bytes_count: int = 0

    def remove(self, kept: dict[str, date]) -> list[str]:
        """Everything that is old; the hashes of delivered files that are gone now."""
        landed, known = landed_paths(self.path), manifests(self.path)
        gone = {one.sha256: landed[one.sha256] for one in known
                if one.sha256 in landed and _newest(one) < kept["raw"]}  # fmt: skip
        if not self.dry_run:
            self._note(kept, gone)
        self._unlink(LANDING, (path for path in gone.values() if path.is_file()))
        for one in known:
            if _newest(one) < kept["interval"]:
                for dataset in one.rows:
                    path = rows_path(self.path, dataset, one.received_date, one.sha256)
                    self._unlink(dataset, [path] if path.is_file() else [])
        for dataset in _BY_HOUR_DATE:
            self._partitions(dataset, kept["hourly"])
        self._partitions(METRIC_INTERVAL.name, kept["interval"])
        for dataset in _BY_CUTOFF:
            self._partitions(dataset, kept["working"])
        self._unlink(METRIC_SOURCES, self._dated(METRIC_SOURCES, kept["hourly"]))
        return sorted(gone)

    def _note(self, kept: dict[str, date], gone: dict[str, Path]) -> None:
        before = RetentionState.load(self.path)
        removed = {sha256: str(path.relative_to(self.path)) for sha256, path in gone.items()}
        RetentionState(
            raw_from=max(before.raw_from, kept["raw"]),
            interval_from=max(before.interval_from, kept["interval"]),
            hourly_from=max(before.hourly_from, kept["hourly"]),
            removed=dict(sorted({**before.removed, **removed}.items())),
        ).save(self.path)

    def _partitions(self, dataset: str, first: date) -> None:
        for folder in self._dated(dataset, first):
            inside = [path for path in folder.rglob("*") if path.is_file()]
            self._count(dataset, inside)
            if not self.dry_run:
                shutil.rmtree(folder)

    def _dated(self, dataset: str, first: date) -> Iterator[Path]:
        """Yield the folders or files ``key=date`` of days before the first kept one."""
        return (path for day, path in dated_paths(self.path, dataset) if day < first)

    def _unlink(self, dataset: str, paths: Iterable[Path]) -> None:
        for path in list(paths):
            self._count(dataset, [path])
            if not self.dry_run:
                path.unlink()

    def _count(self, dataset: str, paths: list[Path]) -> None:
        self.files[dataset] += len(paths)
        self.bytes_count += sum(path.stat().st_size for path in paths)


def _newest(manifest: Manifest) -> date:
    """Return the last day a file speaks of; of one that speaks of none, the day it was received."""
    return max(manifest.hour_dates, default=manifest.received_date)
