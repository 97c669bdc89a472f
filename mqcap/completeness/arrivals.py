"""Intervals received of each feed, and MQ versions behind it, from the lake."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mqcap.domain.datasets import FEED_INTERVAL
from mqcap.domain.feed import FeedKind, VersionChange
from mqcap.domain.subject import Subject
from mqcap.domain.units import US_PER_S
from mqcap.lake.layout import hour_partition, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.tables import parquet_source

Instants = NDArray[np.int64]
"""Microseconds since 1970, UTC."""


class VersionHistory(NamedTuple):
    """MQ versions in order of time, each with the first instant at which it was stated."""

    since_us: Instants
    names: tuple[str, ...]

    def at(self, end_us: int) -> str:
        """Return the version last stated before an instant; empty when none was."""
        place = int(np.searchsorted(self.since_us, end_us))
        return self.names[place - 1] if place else ""

    def changes(self, begin_us: int, end_us: int) -> tuple[VersionChange, ...]:
        """Return the changes in a span; the first version ever stated is no change."""
        low, high = (int(place) for place in np.searchsorted(self.since_us, [begin_us, end_us]))
        return tuple(
            VersionChange(
                at_utc=instant_of(int(self.since_us[place])),
                before=self.names[place - 1],
                after=self.names[place],
            )
            for place in range(max(low, 1), high)
        )


def version_history(start_us: Instants, mq_versions: NDArray[np.object_]) -> VersionHistory:
    """Return the history of intervals in order of start; those without a version are skipped."""
    has_version = mq_versions.astype(bool)
    names, starts = mq_versions[has_version], start_us[has_version]
    if not len(names):
        return VersionHistory(starts, ())
    new = np.concatenate([[True], names[1:] != names[:-1]])
    return VersionHistory(starts[new], tuple(str(name) for name in names[new]))


def instant_of(instant_us: int) -> datetime:
    """Return microseconds since 1970 as an instant in UTC."""
    return datetime.fromtimestamp(instant_us // US_PER_S, UTC).replace(
        microsecond=instant_us % US_PER_S
    )


SETTLED_SECONDS: Final = 2.0
"""A file may change again within the resolution of its time, without a sign of it (ours)."""
_COLUMNS: Final = [*FEED_INTERVAL.key, "utc_offset_minutes"]


class FeedId(NamedTuple):
    """Identity of a feed; ``member`` is empty except for one member's records of a CF."""

    kind: FeedKind
    subject: str
    member: str = ""


@dataclass(frozen=True)
class FeedArrivals:
    """Intervals received of one feed, in order of start; several systems may report the same."""

    start_us: Instants
    end_us: Instants
    smfids: NDArray[np.object_]
    mq_versions: NDArray[np.object_]
    """MQ version in each; ``None`` where the record has none."""
    utc_offsets_minutes: NDArray[np.float64]
    """UTC offset of the system in each; NaN where the record has none."""

    @cached_property
    def versions(self) -> VersionHistory:
        """History of the MQ version."""
        return version_history(self.start_us, self.mq_versions)

    @cached_property
    def latest_end_us(self) -> Instants:
        """Latest end of each interval and all before it."""
        latest: Instants = np.maximum.accumulate(self.end_us)
        return latest

    @cached_property
    def lengths_s(self) -> NDArray[np.int64]:
        """Length of each interval, whole seconds."""
        return np.rint((self.end_us - self.start_us) / US_PER_S).astype(np.int64)

    def between(self, begin_us: int, end_us: int) -> tuple[Instants, Instants]:
        """Return starts and ends of the intervals that overlap a span."""
        first = int(np.searchsorted(self.latest_end_us, begin_us, "right"))
        last = int(np.searchsorted(self.start_us, end_us))
        starts, ends = self.start_us[first:last], self.end_us[first:last]
        overlaps = ends > begin_us
        return starts[overlaps], ends[overlaps]

    def covers(self, begin_us: int, end_us: int, slack_us: int) -> bool:
        """Return whether no span longer than the slack is uncovered from the first interval on."""
        starts, ends = self.between(begin_us, end_us)
        if not len(starts):
            return False
        covered = np.maximum.accumulate(ends)
        begins = max(begin_us, int(self.start_us[0]))
        return bool(
            starts[0] <= begins + slack_us
            and end_us <= covered[-1] + slack_us
            and (starts[1:] <= covered[:-1] + slack_us).all()
        )

    def systems(self, begin_us: int, end_us: int) -> tuple[str, ...]:
        """Return the SMF ids of intervals that start in a span, else of the last one before."""
        first, last = np.searchsorted(self.start_us, [begin_us, end_us])
        some = self.smfids[first:last] if last > first else self.smfids[max(0, last - 1) : last]
        return tuple(sorted({str(smfid) for smfid in some if smfid}))


ArrivalsByFeed = dict[FeedId, FeedArrivals]


def until(arrivals: Mapping[FeedId, FeedArrivals], ends_us: Callable[[str], int]) -> ArrivalsByFeed:
    """Return the intervals that had ended by an instant per subject, without empty feeds."""
    ended: ArrivalsByFeed = {}
    for feed, arrived in arrivals.items():
        has_ended = arrived.end_us <= ends_us(feed.subject)
        if has_ended.any():
            columns = (getattr(arrived, field.name) for field in fields(arrived))
            ended[feed] = FeedArrivals(*(column[has_ended] for column in columns))
    return ended


def has_feeds(lake: Location) -> bool:
    """Return True when the lake has intervals of feeds; one of an older release has none."""
    return (lake / FEED_INTERVAL.name).is_dir()


def read_arrivals(lake: Location, hour_dates: Iterable[date]) -> ArrivalsByFeed:
    """Return the intervals that start on the given UTC dates, by feed."""
    tables = [
        _rows_of(path)
        for day in sorted(set(hour_dates))
        for path in parquet_files(hour_partition(lake, FEED_INTERVAL.name, day))
    ]
    return arrivals_of(pa.concat_tables(tables, promote_options="default")) if tables else {}


def _rows_of(file: Location) -> pa.Table:
    source = parquet_source(file)
    if not isinstance(source, Path):
        return _read(source)
    stamp = source.stat()
    if time.time() - stamp.st_mtime < SETTLED_SECONDS:
        return _read(source)
    return _settled(source, (stamp.st_ino, stamp.st_mtime_ns, stamp.st_size))


@lru_cache(maxsize=128)
def _settled(file: Path, stamp: tuple[int, int, int]) -> pa.Table:
    del stamp
    return _read(file)


def _read(source: Path | BytesIO) -> pa.Table:
    with pq.ParquetFile(source) as file:
        return file.read(columns=_COLUMNS)


def arrivals_of(table: pa.Table) -> dict[FeedId, FeedArrivals]:
    """Return the feeds of a table of FEED_INTERVAL, some columns of which may be absent."""
    frame = pa.table(
        {
            "kind": table["kind"],
            "subject": table["subject"],
            "smfid": table["smfid"],
            "start": _microseconds(table["interval_start_utc"]),
            "end": _microseconds(table["interval_end_utc"]),
            "level": _of(table, "mq_level", pa.string()),
            "offset": _of(table, "utc_offset_minutes", pa.int32()),
        }
    ).to_pandas()
    frame = frame.sort_values(["kind", "subject", "start", "end", "smfid"], kind="stable")
    feeds: dict[FeedId, FeedArrivals] = {}
    for (kind, subject), rows in frame.groupby(["kind", "subject"], sort=True):
        feeds[FeedId(FeedKind(kind), str(subject))] = _arrivals(rows)
        if kind == FeedKind.coupling_facility:
            for smfid, member_rows in rows[rows["smfid"] != ""].groupby("smfid", sort=True):
                member = FeedId(FeedKind.member, str(subject), str(smfid))
                feeds[member] = _arrivals(member_rows)
    return feeds


def by_system(arrivals: Mapping[FeedId, FeedArrivals]) -> dict[tuple[str, str], list[FeedId]]:
    """Return the feeds by sysplex and SMF id that sent them; for a CF only those of its members."""
    feeds: dict[tuple[str, str], list[FeedId]] = {}
    for feed, arrived in arrivals.items():
        if feed.kind is not FeedKind.coupling_facility:
            for smfid in {str(smfid) for smfid in arrived.smfids if smfid}:
                feeds.setdefault((Subject(feed.subject).sysplex, smfid), []).append(feed)
    return feeds


def _arrivals(rows: Any) -> FeedArrivals:
    kinds = {"start": np.int64, "end": np.int64, "smfid": object, "level": object}
    columns = {**kinds, "offset": np.float64}
    return FeedArrivals(*(rows[name].to_numpy(kind) for name, kind in columns.items()))


def _of(table: pa.Table, column: str, kind: pa.DataType) -> pa.ChunkedArray | pa.Array:
    return table[column] if column in table.column_names else pa.nulls(len(table), kind)


def _microseconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    zone = column.type.tz
    return pc.cast(pc.cast(column, pa.timestamp("us", tz=zone)), pa.int64())
