"""Step prune: remove data from store and lake that is older than the retention settings.

What a rerun of an active day needs stays. A removal is recorded before it happens.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

from mqcap.domain.datasets import FORECAST_RESULT, METRIC_INTERVAL, TRAINING
from mqcap.lake.aggregated import AGGREGATED
from mqcap.lake.files import files_below, remove
from mqcap.lake.layout import LANDING, METRIC_SOURCES, dated_paths, landed_paths, rows_path
from mqcap.lake.location import Location, below, open_lake
from mqcap.lake.manifest import Manifest, manifests
from mqcap.lake.retention_state import RetentionState, newest_date
from mqcap.locks import LakePart, exclusive
from mqcap.progress.shown import tracked
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.upkeep import prune

MARGIN_DAYS: Final = 4
"""Days around a day that its hours, its feeds and its time zone reach into (ours)."""
_ONE_DAY: Final = timedelta(days=1)
_BY_CUTOFF: Final = (TRAINING.name, FORECAST_RESULT.name)


def active_days(settings: Settings) -> int:
    """Return how many of the newest days can be run again at any time, with late data."""
    alerts = settings.alerts
    return MARGIN_DAYS + max(settings.rules.peak_days, alerts.reopen_days, alerts.clear_days)


def first_retained(settings: Settings, newest: date) -> dict[str, date]:
    """Return the first retained day by table of the store and by kind of data in the lake.

    Kinds are ``raw``, ``interval``, ``hourly`` and ``working``. The oldest active day needs daily
    values as far as a forecast looks back, and the hours beside every interval.
    """
    keep, active = settings.store.retention, active_days(settings)
    interval = max(keep.interval_days, active)
    days = {
        "observation_daily": max(keep.daily_days, active + settings.forecast.lookback_days),
        **dict.fromkeys(
            ("forecast_point", "forecast", "crossing", "hold_out_crossing", "site_correction"),
            keep.forecast_days,
        ),
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
    """Remove data before its first retained day. Returns these days and counts.

    ``rows`` by table, ``files`` and ``bytes`` by dataset, under ``raw`` hashes of delivered files.
    """
    first_days = first_retained(settings, newest)
    lake = _LakeRemoval(open_lake(settings.lake), dry_run=dry_run)
    with ExitStack() as locks:
        for part in LakePart:
            locks.enter_context(exclusive(settings, part))
        raw = lake.remove(first_days)
    of_lake = {"raw", "interval", "hourly", "working"}
    tables = {name: day for name, day in first_days.items() if name not in of_lake}
    return {
        "first_kept": {name: day.isoformat() for name, day in sorted(first_days.items())},
        "rows": prune(engine, tables, dry_run=dry_run),
        "files": dict(sorted(lake.files.items())),
        "bytes": lake.bytes_count,
        "raw": raw,
    }


@dataclass
class _LakeRemoval:
    path: Location
    dry_run: bool
    files: Counter[str] = field(default_factory=Counter)
    bytes_count: int = 0

    def remove(self, first_days: dict[str, date]) -> list[str]:
        """Remove all old data; returns the hashes of the delivered files that were removed."""
        landed, decoded = landed_paths(self.path), manifests(self.path)
        removed = {
            manifest.sha256: landed[manifest.sha256]
            for manifest in decoded
            if manifest.sha256 in landed and newest_date(manifest) < first_days["raw"]
        }
        emptied = [file for file in decoded if newest_date(file) < first_days["interval"]]
        if not self.dry_run:
            self._record(removed, emptied)
        self._unlink(LANDING, (path for path in removed.values() if path.is_file()))
        for manifest in tracked(emptied, "old rows of files", "files"):
            for dataset in manifest.rows:
                path = rows_path(self.path, dataset, manifest.received_date, manifest.sha256)
                self._unlink(dataset, [path] if path.is_file() else [])
        first_by_dataset = {
            **dict.fromkeys(AGGREGATED, first_days["hourly"]),
            METRIC_INTERVAL.name: first_days["interval"],
            **dict.fromkeys(_BY_CUTOFF, first_days["working"]),
        }
        for dataset, first in tracked(first_by_dataset.items(), "old days", "datasets"):
            for folder in self._dated(dataset, first):
                self._count(dataset, files_below(folder))
                if not self.dry_run:
                    remove(folder)
        self._unlink(METRIC_SOURCES, self._dated(METRIC_SOURCES, first_days["hourly"]))
        return sorted(removed)

    def _record(self, removed: dict[str, Location], emptied: list[Manifest]) -> None:
        """Record what will be gone: no date of which nothing was there."""
        before = RetentionState.load(self.path)
        former = {sha256: str(below(path, self.path)) for sha256, path in removed.items()}
        touched = [day for manifest in emptied for day in manifest.hour_dates]
        RetentionState(
            interval_from=max([before.interval_from, *(day + _ONE_DAY for day in touched)]),
            removed=dict(sorted({**before.removed, **former}.items())),
        ).save(self.path)

    def _dated(self, dataset: str, first: date) -> Iterator[Location]:
        return (path for day, path in dated_paths(self.path, dataset) if day < first)

    def _unlink(self, dataset: str, paths: Iterable[Location]) -> None:
        for path in list(paths):
            self._count(dataset, [path])
            if not self.dry_run:
                path.unlink()

    def _count(self, dataset: str, paths: list[Location]) -> None:
        self.files[dataset] += len(paths)
        self.bytes_count += sum(path.stat().st_size for path in paths)
