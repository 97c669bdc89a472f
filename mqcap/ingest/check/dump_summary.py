"""Summary of an input file: contents, gaps and cross checks.

Memory grows by 24 bytes a record (to find records that are there twice) and by distinct intervals.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from mqcap.domain.source import SourceSummary
from mqcap.files import sha256_of
from mqcap.ingest.check.cross_checks import SUBJECTS, CheckResult, CrossChecks
from mqcap.ingest.parquet import plain
from mqcap.ingest.registry import source_for
from mqcap.ingest.shown_reading import shown_tables
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.dump_file import is_packed, unpacked
from mqcap.ingest.smf.source import SmfReading

GAP_TOLERANCE: Final = timedelta(minutes=1)
"""Intervals of one writer may be this far apart without a gap."""
SMF: Final = "smf"
_RECORD: Final = ("record_hash", "record_offset_bytes", "record_type", "record_subtype")
_INTERVAL: Final = ("interval_start_utc", "interval_end_utc")
_OFFSET: Final = ("smfid", "utc_offset_minutes", "record_utc")
_NAMED: Final = ("smfid", "sysplex", "cf")
_NOT_LISTED: Final = {(116, 0), (116, 1), (116, 2), (115, 5), (115, 6), (115, 7)}
"""Accounting of tasks, whose intervals are their own, and records that borrow theirs."""
_MAY_PAUSE: Final = (116, 10)
"""Channel accounting has no record of an interval in which no channel ran."""

Interval = tuple[datetime, datetime]


class Writer(NamedTuple):
    """A system's queue manager or coupling facility, and the records that it writes together."""

    smfid: str
    """Empty where the records name no system."""
    subject: str
    kinds: tuple[tuple[int, int], ...]
    """Record types and subtypes, ascending."""

    @property
    def name(self) -> str:
        """``SYS1/MQP1``."""
        return "/".join(filter(None, (self.smfid, self.subject)))

    @property
    def records(self) -> str:
        """``115.1 115.2``."""
        return " ".join(f"{kind}.{subtype}" for kind, subtype in self.kinds)

    def __str__(self) -> str:
        """Return ``SYS1/MQP1 115.1 115.2``."""
        return f"{self.name} {self.records}"


@dataclass(frozen=True)
class ClockOffset:
    """The UTC offset of a system over a span of time; ``smfid`` is empty where none is known."""

    smfid: str
    offset_minutes: int
    first_utc: datetime
    last_utc: datetime


@dataclass
class DumpSummary:
    """Contents of one file; ``intervals`` by writer and time."""

    source: str
    source_title: str
    totals: SourceSummary
    """Bytes, records and rows as the reader counted them."""
    names: dict[str, set[str]]
    """Values of smfid, sysplex and cf."""
    queue_managers: tuple[tuple[str, str, str], ...]
    """Queue manager, MQ version and queue sharing group, as they occur together."""
    records: dict[str, int]
    """Records by type and subtype, those included that were skipped."""
    clocks: tuple[ClockOffset, ...]
    intervals: dict[Writer, list[Interval]]
    repeats: tuple[tuple[int, int], ...]
    """Places of records that are there again, and of the same record before."""
    check_results: tuple[CheckResult, ...]
    corruptions: frozenset[Corruption]
    """What the quarantined bytes of a dump show; empty for other inputs."""
    is_unpacked: bool = True
    """False where a gzip file could not be unpacked to its end."""

    @property
    def is_cut_off(self) -> bool:
        """Whether the file ends before its content does; how much is missing is not known."""
        return not self.is_unpacked or Corruption.truncated in self.corruptions

    @property
    def is_corrupt(self) -> bool:
        """Whether bytes are missing, or could not be read."""
        return self.is_cut_off or self.totals.quarantined_bytes > 0

    @property
    def failed_count(self) -> int:
        """Figures that fail a check, but for those of a wrong layout."""
        return sum(result.failed for result in self.check_results if not result.structure)

    @property
    def disagreeing(self) -> list[str]:
        """Structures of which our layout is wrong."""
        return sorted({result.structure for result in self.check_results if result.structure})

    def gaps(self) -> Iterator[tuple[Writer, datetime, datetime]]:
        """Yield writer, begin and end of every span between two intervals of the same writer."""
        for writer, intervals in sorted(self.intervals.items()):
            end = intervals[0][1]
            for start, stop in () if writer.kinds == (_MAY_PAUSE,) else intervals:
                if start - end > GAP_TOLERANCE:
                    yield writer, end, start
                end = max(end, stop)


@dataclass
class _Facts:
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    queue_managers: set[tuple[str, str, str]] = field(default_factory=set)
    intervals: dict[Writer, set[Interval]] = field(default_factory=lambda: defaultdict(set))
    """By writer of one kind of record."""
    clocks: dict[tuple[str, int], tuple[datetime, datetime]] = field(default_factory=dict)
    records: list[Any] = field(default_factory=list)

    def add(self, table: Any) -> None:
        """Add the facts of one table."""
        columns = set(table.column_names)
        if columns.issuperset(_RECORD) and not table[_RECORD[1]].null_count:
            records = table.group_by(list(_RECORD)).aggregate([])
            numbers = [np.asarray(records[name], dtype=np.int64) for name in _RECORD]
            self.records.append(np.stack([*numbers[:2], numbers[2] * 1000 + numbers[3]], axis=1))
        if columns.issuperset(_INTERVAL):
            self._note_intervals(table, next(name for name in SUBJECTS if name in columns))
        if columns.issuperset(_OFFSET):
            self._note_clocks(table)
        self._note_names(columns, table)

    def _note_names(self, columns: set[str], table: Any) -> None:
        for name in columns.intersection(_NAMED):
            if found := set(filter(None, table[name].unique().to_pylist())):
                self.names[name] |= found
        if columns.issuperset({"qmgr", "mq_level", "qsg"}):
            for row in table.group_by(["qmgr", "mq_level", "qsg"]).aggregate([]).to_pylist():
                self.queue_managers.add((row["qmgr"], row["mq_level"] or "", row["qsg"] or ""))

    def _note_intervals(self, table: Any, subject: str) -> None:
        key = ["smfid", subject, "record_type", "record_subtype", *_INTERVAL]
        for row in table.group_by(key).aggregate([]).to_pylist():
            smfid, name, *kind, start, end = row.values()
            if start is not None and tuple(kind) not in _NOT_LISTED:
                self.intervals[Writer(smfid or "", name or "", (tuple(kind),))].add((start, end))

    def _note_clocks(self, table: Any) -> None:
        ends = [("record_utc", "min"), ("record_utc", "max")]
        for row in table.group_by(["smfid", "utc_offset_minutes"]).aggregate(ends).to_pylist():
            smfid, offset, first, last = row.values()
            if first is not None:
                key = smfid or "", offset
                known = self.clocks.get(key, (first, last))
                self.clocks[key] = (min(first, known[0]), max(last, known[1]))

    def of_writers(self) -> dict[Writer, list[Interval]]:
        """Return intervals by writer; record types with the same intervals are one entry."""
        together: dict[tuple[Writer, tuple[Interval, ...]], list[tuple[int, int]]] = {}
        by_name = sorted(self.intervals.items(), key=lambda item: (item[0].name, item[0].kinds))
        for writer, intervals in by_name:
            key = writer._replace(kinds=()), tuple(sorted(intervals))
            together.setdefault(key, []).extend(writer.kinds)
        return {
            writer._replace(kinds=tuple(kinds)): list(intervals)
            for (writer, intervals), kinds in together.items()
        }

    def distinct(self) -> Any:
        """Return hash, place and kind of every record, in order of position."""
        if not self.records:
            return np.zeros((0, 3), dtype=np.int64)
        every = np.concatenate(self.records)
        _, first = np.unique(every[:, 1], return_index=True)
        return every[first]


def summarise(file: Path, name: str = "") -> DumpSummary:
    """Read a file to its end and show how far that is, under its name for people.

    Raises InputError when no source accepts it.
    """
    facts, checks = _Facts(), CrossChecks()
    with unpacked(file) as content:
        source = source_for(content)
        reading = source.read(content, sha256_of(file))
        for dataset, read in shown_tables(reading, content, name or file.name):
            table = plain(read)
            facts.add(table)
            if source.name == SMF:
                checks.add(dataset, table)
    clocks = [ClockOffset(*whose, *times) for whose, times in facts.clocks.items()]
    records = facts.distinct()
    return DumpSummary(
        source=source.name,
        source_title=source.title,
        totals=reading.summary(),
        names=dict(facts.names),
        queue_managers=tuple(sorted(facts.queue_managers)),
        records=_by_type(records, reading),
        clocks=tuple(sorted(clocks, key=lambda clock: (clock.smfid, clock.first_utc))),
        intervals=facts.of_writers(),
        repeats=tuple(_repeats(records)),
        check_results=tuple(checks.in_order()),
        corruptions=frozenset(reading.corruptions if isinstance(reading, SmfReading) else ()),
        is_unpacked=content != file or not is_packed(file),
    )


def _repeats(records: Any) -> Iterator[tuple[int, int]]:
    _, first, whose = np.unique(records[:, 0], return_index=True, return_inverse=True)
    earlier = first[whose]
    for row in np.flatnonzero(earlier != np.arange(len(records))).tolist():
        yield int(records[row, 1]), int(records[earlier[row], 1])


def _by_type(records: Any, reading: Any) -> dict[str, int]:
    kinds, counts = np.unique(records[:, 2], return_counts=True)
    counts_by_kind = {
        divmod(int(kind), 1000): int(n) for kind, n in zip(kinds, counts, strict=True)
    }
    if isinstance(reading, SmfReading):
        counts_by_kind |= {
            (kind.record_type, kind.record_subtype): n for kind, n in reading.skipped.items()
        }
    return {
        f"{kind}.{subtype}" if subtype >= 0 else str(kind): count
        for (kind, subtype), count in sorted(counts_by_kind.items())
    }
