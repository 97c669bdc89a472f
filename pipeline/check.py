"""Look into an input file for a person: what it holds, what is missing, what to ask for.

Memory grows by 16 bytes per record (to find records that stand in the file twice) and by the
number of distinct intervals; rows are looked at batch by batch.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np

from domain.source import SourceSummary
from ingest.sources.registry import source_for
from pipeline.lake_paths import sha256_of

GAP_TOLERANCE: Final = timedelta(minutes=1)
"""Intervals of one writer may stand apart by this much without anything missing."""
_RECORD: Final = ("record_hash", "record_offset_bytes")
_INTERVAL: Final = ("interval_start_utc", "interval_end_utc")
_SMF: Final = "smf"
_REMEDIES: Final = (
    (
        {"section_qjst", "section_qpst"},
        (
            "There are no queue manager statistics (115.1, 115.2): ask for START TRACE(STAT)"
            " CLASS(1) DEST(SMF) and for type 115 in the SMF parameters."
        ),
    ),
    (
        {"section_qcct"},
        (
            "There are no channel initiator statistics (115.231): ask for START TRACE(STAT)"
            " CLASS(4) DEST(SMF)."
        ),
    ),
    (
        {"section_r744p"},
        (
            "There is no coupling facility activity (74.4): ask for RMF type 74 subtype 4, if queue"
            " sharing groups are used."
        ),
    ),
)


@dataclass
class Contents:
    """What one file holds; ``intervals`` by writer (``SYS1/MQP1 115.1 115.2``), sorted."""

    source: str
    summary: SourceSummary
    names: dict[str, Counter[str]]
    """Values of smfid, qmgr, mq_level, sysplex and cf, with their number of rows."""
    intervals: dict[str, list[tuple[datetime, datetime]]]
    repeated_records: int

    @property
    def accounted_bytes(self) -> int:
        """Bytes decoded, skipped and put aside: all of them, or the reader is wrong."""
        told = self.summary
        return told.decoded_bytes + told.skipped_bytes + told.quarantined_bytes

    def gaps(self) -> Iterator[tuple[str, datetime, datetime]]:
        """Writer, begin and end of every stretch between two intervals of the same writer."""
        for writer, intervals in sorted(self.intervals.items()):
            end = intervals[0][1]
            for start, stop in intervals:
                if start - end > GAP_TOLERANCE:
                    yield writer, end, start
                end = max(end, stop)

    def advice(self) -> Iterator[str]:
        """What to ask the mainframe team for."""
        if self.source != _SMF:
            return
        if self.summary.quarantined_bytes:
            yield (
                "Parts of the dump are damaged: ask for it again, transferred in binary with record"
                " descriptor words (FTP: binary, quote site rdw)."
            )
        if self.summary.framing == "nordw":
            yield (
                "The dump came without record descriptor words: it is readable as long as it holds"
                " types 74, 115 and 116 only. Ask for quote site rdw."
            )
        for datasets, sentence in _REMEDIES:
            if not datasets & set(self.summary.rows_by_dataset):
                yield sentence


@dataclass
class _Noted:
    """What is kept of the rows while a file is read."""

    names: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    intervals: dict[str, set[tuple[datetime, datetime]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    """By system, subject and kind of record: ``SYS1/MQP1 115.1``."""
    records: list[Any] = field(default_factory=list)

    def note(self, table: Any) -> None:
        """Take the facts of one table."""
        columns = set(table.column_names)
        for name in {"smfid", "qmgr", "mq_level", "sysplex", "cf"} & columns:
            for entry in table[name].value_counts().to_pylist():
                if entry["values"]:
                    self.names[name][entry["values"]] += entry["counts"]
        if columns.issuperset(_RECORD):
            pairs = table.group_by(list(_RECORD)).aggregate([])
            self.records.append(np.stack([np.asarray(pairs[name]) for name in _RECORD], axis=1))
        if columns.issuperset(_INTERVAL):
            self._note_intervals(table, "cf" if "cf" in columns else "qmgr")

    def _note_intervals(self, table: Any, subject: str) -> None:
        key = ["smfid", subject, "record_type", "record_subtype", *_INTERVAL]
        for row in table.group_by(key).aggregate([]).to_pylist():
            if row[_INTERVAL[0]] is not None:
                writer = (
                    f"{row['smfid']}/{row[subject]} {row['record_type']}.{row['record_subtype']}"
                )
                self.intervals[writer].add((row[_INTERVAL[0]], row[_INTERVAL[1]]))

    def of_writers(self) -> dict[str, list[tuple[datetime, datetime]]]:
        """Intervals by writer; kinds of record with the same intervals are named together."""
        together: dict[tuple[str, tuple[tuple[datetime, datetime], ...]], list[str]] = {}
        for writer, found in sorted(self.intervals.items()):
            subject, _, kind = writer.rpartition(" ")
            together.setdefault((subject, tuple(sorted(found))), []).append(kind)
        return {
            " ".join([subject, *kinds]): list(found) for (subject, found), kinds in together.items()
        }

    def repeated_records(self) -> int:
        """Records that are byte for byte equal to an earlier one."""
        if not self.records:
            return 0
        distinct = np.unique(np.concatenate(self.records), axis=0)
        return len(distinct) - len(np.unique(distinct[:, 0]))


def examine(file: Path) -> Contents:
    """Read a file to its end. Raises InputError when no source accepts it."""
    source = source_for(file)
    reading = source.read(file, sha256_of(file))
    noted = _Noted()
    for _, table in reading.tables():
        noted.note(table)
    return Contents(
        source=source.name,
        summary=reading.summary(),
        names=dict(noted.names),
        intervals=noted.of_writers(),
        repeated_records=noted.repeated_records(),
    )
