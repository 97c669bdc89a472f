"""The intervals that have arrived of each feed, read from the lake."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mqcap.completeness.mq_versions import Instants, Levels, levels_of
from mqcap.domain.datasets import FEED_INTERVAL
from mqcap.domain.feed import FeedKind
from mqcap.lake.layout import hour_partition, parquet_files

_COLUMNS: Final = [*FEED_INTERVAL.key]


class FeedId(NamedTuple):
    """One feed; ``member`` is empty but for a member's part of a coupling facility."""

    kind: FeedKind
    subject: str
    member: str = ""


@dataclass(frozen=True)
class Arrivals:
    """What has arrived of one feed, in order of the start; several systems may report the same."""

    start_us: Instants
    end_us: Instants
    smfids: NDArray[np.object_]
    stated: NDArray[np.object_]
    """The level of MQ in each; ``None`` where it states none."""

    @cached_property
    def levels(self) -> Levels:
        """The levels one after the other."""
        return levels_of(self.start_us, self.stated)

    def between(self, begin_us: int, end_us: int) -> tuple[Instants, Instants]:
        """Starts and ends of the intervals that overlap a span."""
        last = int(np.searchsorted(self.start_us, end_us))
        kept = self.end_us[:last] > begin_us
        return self.start_us[:last][kept], self.end_us[:last][kept]

    def systems(self, begin_us: int, end_us: int) -> tuple[str, ...]:
        """SMF ids of the intervals that start in a span; else of the last one before its end."""
        first, last = np.searchsorted(self.start_us, [begin_us, end_us])
        some = self.smfids[first:last] if last > first else self.smfids[max(0, last - 1) : last]
        return tuple(sorted({str(smfid) for smfid in some if smfid}))


ArrivalsOf = dict[FeedId, Arrivals]


def until(arrivals: Mapping[FeedId, Arrivals], ends_us: Callable[[str], int]) -> ArrivalsOf:
    """What had ended by an instant that depends on the subject; feeds without any are left out."""
    found: ArrivalsOf = {}
    for feed, arrived in arrivals.items():
        known = arrived.end_us <= ends_us(feed.subject)
        if known.any():
            found[feed] = Arrivals(
                arrived.start_us[known],
                arrived.end_us[known],
                arrived.smfids[known],
                arrived.stated[known],
            )
    return found


def has_feeds(lake: Path) -> bool:
    """Whether the lake tells anything of feeds; one of an older version does not."""
    return (lake / FEED_INTERVAL.name).is_dir()


def read_arrivals(lake: Path, hour_dates: Iterable[date]) -> ArrivalsOf:
    """All feeds of which something starts on the given UTC dates."""
    tables = []
    for day in sorted(set(hour_dates)):
        for path in parquet_files(hour_partition(lake, FEED_INTERVAL.name, day)):
            with pq.ParquetFile(path) as file:
                tables.append(file.read(columns=_COLUMNS))
    return arrivals_of(pa.concat_tables(tables, promote_options="default")) if tables else {}


def arrivals_of(table: pa.Table) -> dict[FeedId, Arrivals]:
    """Feeds of a table with the columns of FEED_INTERVAL; each member of a facility by itself.

    Dates that an older version made, and that are frozen, have no column for the level.
    """
    has_levels = "mq_level" in table.column_names
    frame = pa.table(
        {
            "kind": table["kind"],
            "subject": table["subject"],
            "smfid": table["smfid"],
            "start": _microseconds(table["interval_start_utc"]),
            "end": _microseconds(table["interval_end_utc"]),
            "level": table["mq_level"] if has_levels else pa.nulls(len(table), pa.string()),
        }
    ).to_pandas()
    frame = frame.sort_values(["kind", "subject", "start", "end", "smfid"], kind="stable")
    found: dict[FeedId, Arrivals] = {}
    for (kind, subject), rows in frame.groupby(["kind", "subject"], sort=True):
        found[FeedId(FeedKind(kind), str(subject))] = _arrivals(rows)
        if kind == FeedKind.coupling_facility:
            for smfid, some in rows[rows["smfid"] != ""].groupby("smfid", sort=True):
                found[FeedId(FeedKind.member, str(subject), str(smfid))] = _arrivals(some)
    return found


def by_system(arrivals: Mapping[FeedId, Arrivals]) -> dict[str, list[FeedId]]:
    """SMF id to the feeds that it has ever sent; a facility's whole is left to its members."""
    found: dict[str, list[FeedId]] = {}
    for feed, arrived in arrivals.items():
        if feed.kind is not FeedKind.coupling_facility:
            for smfid in {str(one) for one in arrived.smfids if one}:
                found.setdefault(smfid, []).append(feed)
    return found


def _arrivals(rows: object) -> Arrivals:
    return Arrivals(
        rows["start"].to_numpy(np.int64),  # type: ignore[index]
        rows["end"].to_numpy(np.int64),  # type: ignore[index]
        rows["smfid"].to_numpy(object),  # type: ignore[index]
        rows["level"].to_numpy(object),  # type: ignore[index]
    )


def _microseconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    zone = column.type.tz
    return pc.cast(pc.cast(column, pa.timestamp("us", tz=zone)), pa.int64())
