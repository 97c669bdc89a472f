"""Output of the formatter mqsmfcsv as a source: CSV (one structure per file) and JSON.

The rows get the datasets of the dump itself. Three things are lost in print: the UTC offset of
the system (given by ``zones``; a system that is not in it is taken to run in UTC), codes
that are printed as words (null here), and the record hash (see ``mqcap.ingest.mqsmfcsv.rows``).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from mqcap.domain.datasets import QUARANTINE
from mqcap.domain.errors import InputError
from mqcap.domain.source import Reading, SourceSummary
from mqcap.ingest.mqsmfcsv.rows import RowMaker
from mqcap.ingest.mqsmfcsv.text import Printed, csv_rows, json_rows
from mqcap.ingest.smf.dump_file import Lines, read_head
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.record_heads import ARROW_TYPES
from mqcap.ingest.smf.sections import dataset_schema

ROWS_PER_TABLE: Final = 5_000
KEPT_QUARANTINE_BYTES: Final = 4096
_NAMED_PROBLEMS: Final = 20
_HEADINGS: Final = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*"?Date"?\s*,\s*"?Time"?\s*,\s*"?LPAR"?\s*,\s*"?QMgr"?\s*,'
)
_NO_HEADINGS: Final = re.compile(rb'\s*"\d{4}/\d\d/\d\d","?\d\d:\d\d:\d\d')
_JSON: Final = re.compile(rb'[\s\[]*\{\s*"recordType"\s*:\s*\d+\s*,\s*"recordSubType"')
_QUARANTINE: Final = pa.schema(
    [(name, ARROW_TYPES[kind]) for name, kind in QUARANTINE.columns.items()]
)
_DAY: Final = timedelta(days=1)


@dataclass
class FormatterReading:
    """A pass over one file of the formatter."""

    path: Path
    maker: RowMaker
    is_json: bool
    content_bytes: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    first_utc: datetime | None = None
    last_utc: datetime | None = None
    dates: set[date] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    quarantined_count: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    unzoned: set[str] = field(default_factory=set)

    def tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield tables of at most 5,000 rows."""
        lines = Lines(self.path)
        waiting: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for printed in json_rows(lines) if self.is_json else csv_rows(lines, self.path.name):
            named_row = self._row(printed)
            if named_row is None:
                continue
            dataset, row = named_row
            waiting[dataset].append(row)
            if len(waiting[dataset]) >= ROWS_PER_TABLE:
                yield dataset, self._table(dataset, waiting.pop(dataset))
        for dataset, rows in waiting.items():
            yield dataset, self._table(dataset, rows)
        if lines.problem:
            self.problems.append(lines.problem)

    def summary(self) -> SourceSummary:
        """Return the summary of the file."""
        return SourceSummary(
            framing="json" if self.is_json else "csv",
            content_bytes=self.content_bytes.total(),
            decoded_bytes=self.content_bytes["decoded"],
            skipped_bytes=self.content_bytes["skipped"],
            quarantined_bytes=self.content_bytes["quarantined"],
            record_count=sum(self.rows.values()) - self.rows[QUARANTINE.name],
            rows_by_dataset=dict(sorted(self.rows.items())),
            first_interval_utc=self.first_utc,
            last_interval_utc=self.last_utc,
            hour_dates=tuple(sorted(self.dates)),
            problems=tuple(self._problems()),
        )

    def _row(self, printed: Printed) -> tuple[str, dict[str, Any]] | None:
        """Return dataset and row of one line or object; None when there is nothing to keep."""
        size = len(printed.raw)
        if printed.problem:
            return self._quarantine(printed, printed.problem)
        if printed.layout is None or printed.cells is None:
            self.content_bytes["skipped"] += size
            self.lost[printed.lost] += 1
            return None
        try:
            row = self.maker.row(printed.layout, printed.cells, printed.byte_offset)
        except (ValueError, KeyError, OverflowError) as error:
            return self._quarantine(printed, f"a row that cannot be read ({error})")
        self.content_bytes["decoded"] += size
        self._note(row)
        return printed.layout.dataset, row

    def _note(self, row: Mapping[str, Any]) -> None:
        """Remember the interval's range and the days that it touches."""
        if row["smfid"] not in self.maker.zones:
            self.unzoned.add(row["smfid"])
        start, end = row["interval_start_utc"], row["interval_end_utc"]
        if start is None:
            return
        self.first_utc = min(start, self.first_utc or start)
        self.last_utc = max(end, self.last_utc or end)
        last = (end - timedelta(microseconds=1)).date()
        self.dates.update(
            start.date() + number * _DAY for number in range((last - start.date()).days + 1)
        )

    def _quarantine(self, printed: Printed, reason: str) -> tuple[str, dict[str, Any]]:
        """Return one row of the quarantine."""
        self.content_bytes["quarantined"] += len(printed.raw)
        self.quarantined_count += 1
        if self.quarantined_count <= _NAMED_PROBLEMS:
            error = InputError(reason, file=self.path.name, byte_offset=printed.byte_offset)
            self.problems.append(str(error))
        return QUARANTINE.name, {
            "file_sha256": self.maker.file_sha256,
            "byte_offset": printed.byte_offset,
            "bytes_count": len(printed.raw),
            "reason": reason,
            "raw_hex": printed.raw[:KEPT_QUARANTINE_BYTES].hex(),
        }

    def _table(self, dataset: str, rows: list[dict[str, Any]]) -> pa.Table:
        self.rows[dataset] += len(rows)
        if dataset == QUARANTINE.name:
            return pa.Table.from_pylist(rows, schema=_QUARANTINE)
        layout = layouts()[dataset.removeprefix("section_").upper()]
        return pa.Table.from_pylist(rows, schema=dataset_schema(layout))

    def _problems(self) -> Iterator[str]:
        """Yield sentences for the operator."""
        yield from self.problems
        if self.quarantined_count > _NAMED_PROBLEMS:
            yield f"{self.quarantined_count - _NAMED_PROBLEMS} more rows were quarantined."
        for reason, count in sorted(self.lost.items()):
            if reason:
                yield f"{count} times {reason}: skipped."
        if self.unzoned:
            yield (
                f"The time zone of {', '.join(sorted(self.unzoned))} is not known (settings:"
                " estate): times of the formatter are local and were taken for UTC."
            )
        if shifts := sorted(self.maker.shifts - {timedelta(0)}):
            hours = ", ".join(f"{shift / timedelta(hours=1):+g}" for shift in shifts)
            yield (
                f"The formatter had shifted times by {hours} hours, the zone of the machine it ran"
                " on; that was undone. Run it with -g yes."
            )


@dataclass
class FormatterSource:
    """CSV and JSON files of mqsmfcsv."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Time zone (``Europe/Berlin``) of each system, by its name."""
    name: str = "formatter"
    order: int = 10
    title: str = "output of mqsmfcsv"
    description: str = "CSV or JSON of mqsmfcsv"

    def in_zones(self, zones: Mapping[str, str]) -> FormatterSource:
        """Return the same source with these time zones."""
        return replace(self, zones=zones)

    def accepts(self, path: Path) -> bool:
        """Return whether the file begins as the formatter's files do."""
        head = read_head(path)
        return any(shape.match(head) for shape in (_HEADINGS, _NO_HEADINGS, _JSON))

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading; raises InputError when the file has no headings or unknown ones."""
        head = read_head(path)
        is_json = _JSON.match(head) is not None
        if not is_json and not _has_rows(head, path.name):
            has_headings = _HEADINGS.match(head) is not None
            raise InputError(
                "a CSV file of mqsmfcsv that cannot be assigned to a structure",
                file=path.name,
                found="headings that no structure has, or no rows"
                if has_headings
                else "no headings, and a first row that fits no structure or several",
                expected="headings in the first line, or the name that the formatter gave the file"
                " (SMF-QJST.csv)",
                remedy="Run the formatter without -h no, keep its file names, or send the dump.",
            )
        return FormatterReading(path, RowMaker(file_sha256, self.zones), is_json)


def _has_rows(head: bytes, file_name: str) -> bool:
    return any(row.layout for row in csv_rows(head.splitlines(keepends=True), file_name))


SOURCE: Final = FormatterSource()
