"""RMF coupling facility activity reports, as text and XML, as a source.

The facts become the sections that a 74.4 record would have carried: one R744P row per logical
processor with its share of busy and waiting time, one R744G row with the storage, one R744F row.
So every metric of the facility is computed the same way. Precision is that of the report (busy to
0.1 %). The reporting system is null; records of the same interval are preferred.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import pyarrow as pa

from mqcap.domain.errors import InputError
from mqcap.domain.source import SourceSummary
from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from mqcap.ingest.rmf.report import (
    TITLE,
    FacilityReport,
    ReportFacts,
    has_day_first,
    text_reports,
    xml_reports,
)
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.sections import dataset_schema
from mqcap.ingest.text import TextFile
from mqcap.ingest.text_reading import RowsReading, TextInput

BLOCK_BYTES: Final = 4096
_XML: Final = re.compile(r"<ddsml\b")
_CF_METRIC: Final = re.compile(r"<metric\b[^>]*\sid=[\"']CF[\"']")
_FLAGS: Final = {"OFF": 0x00, "ON": 0x10, "THIN": 0x18}
"""DYNDISP of the report as the bits of R744FFLG."""
_DEDICATED: Final = 0x80
_US: Final = timedelta(microseconds=1)


@dataclass
class RmfReading(RowsReading):
    """A pass over one report; all bytes of text count as decoded."""

    facts: ReportFacts = field(default_factory=ReportFacts)
    spans: list[tuple[datetime, datetime]] = field(default_factory=list)
    unzoned: set[str] = field(default_factory=set)

    @property
    def framing(self) -> str:  # type: ignore[override]
        """The form of the report."""
        return "rmf xml" if _is_xml(self.text) else "rmf text"

    def tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield three small tables per facility and interval. Raises InputError for bad XML."""
        self.facts.day_first = has_day_first(self.text.lines())
        try:
            for report in (
                xml_reports(self.text, self.facts)
                if _is_xml(self.text)
                else text_reports(self._lines(), self.facts)
            ):
                if report.length > timedelta(0):
                    yield from self._sections(report)
                else:
                    self.facts.incomplete.append(report.cf)
        except (ValueError, OverflowError) as error:
            raise InputError(
                "a figure of the report cannot be read", file=self.name, found=str(error)
            ) from error
        if not self.spans:
            raise self.unusable(
                "an RMF report without any coupling facility that can be used",
                found="; ".join(self._problems()),
                expected="name, interval and average utilization of a coupling facility",
                remedy="Run the Postprocessor with REPORTS(CF), and send its whole output.",
            )

    def _lines(self) -> Iterator[str]:
        """Yield the lines; those of a printed report are free but for other kinds of text."""
        for number, line in enumerate(self.text.lines(), start=1):
            if not self.left_out.is_other(line, number):
                yield line

    def is_end(self, line: str) -> bool:
        """Return whether the line ends a report in XML."""
        return line.rstrip().endswith(">")

    def summary(self) -> SourceSummary:
        """Return what was found."""
        return self.summed(len(self.spans))

    def _sections(self, report: FacilityReport) -> Iterator[tuple[str, pa.Table]]:
        """Yield the rows of one facility and interval."""
        if report.sysplex not in self.zones:
            self.unzoned.add(report.sysplex)
        zone = ZoneInfo(self.zones.get(report.sysplex, "UTC"))
        start = report.start_local.replace(tzinfo=zone).astimezone(UTC)
        self.spans.append((start, start + report.length))
        self.note_dates(*self.spans[-1])
        elapsed_us = report.length // _US
        busy_us = round(elapsed_us * report.busy_pct / 100)
        processor = {"r744pbsy": busy_us, "r744pwai": elapsed_us - busy_us}
        numbers = range(report.engine_count)
        yield self._table(
            "R744P",
            report,
            [{"r744pnum": n, "r744ptyp": _type_of(n, report), **processor} for n in numbers],
        )
        flags = _FLAGS.get(report.dyndisp or "")
        yield self._table("R744F", report, [{"r744fnam": report.cf, "r744fflg": flags}])
        if report.storage_bytes is not None and report.storage_free_bytes is not None:
            blocks = {
                "r744gtsd": round(report.storage_bytes / BLOCK_BYTES),
                "r744gtsf": round(report.storage_free_bytes / BLOCK_BYTES),
            }
            yield self._table("R744G", report, [blocks])

    def _table(
        self, structure: str, report: FacilityReport, rows: list[dict[str, Any]]
    ) -> tuple[str, pa.Table]:
        layout = layouts()[structure]
        start, end = self.spans[-1]
        offset = report.start_local.replace(tzinfo=UTC) - start
        digest = hashlib.blake2b(repr((structure, report)).encode(), digest_size=4).digest()
        front = {
            "record_type": 74,
            "record_subtype": 4,
            "interval_start_utc": start,
            "interval_end_utc": end,
            "interval_seconds": report.length / timedelta(seconds=1),
            "utc_offset_minutes": offset // timedelta(minutes=1),
            "record_hash": LOWEST_PRINTED_HASH + int.from_bytes(digest, "big"),
            "file_sha256": self.file_sha256,
            "sysplex": report.sysplex,
            "cf": report.cf,
        }
        completed = [{**front, "section_index": index, **row} for index, row in enumerate(rows)]
        return self.table(layout.dataset, completed, dataset_schema(layout))

    def problems(self) -> Iterator[str]:
        """Yield sentences for the operator."""
        yield from super().problems()
        yield from self._problems()

    def _problems(self) -> Iterator[str]:
        if self.facts.incomplete:
            names = ", ".join(sorted(set(self.facts.incomplete)))
            yield f"The report has no busy figure or no time for {names}: it gave no rows."
        if self.unzoned:
            yield (
                f"The time zone of sysplex {', '.join(sorted(self.unzoned))} is not known"
                " (settings: estate): the report's local times were taken for UTC."
            )


def _type_of(number: int, report: FacilityReport) -> int | None:
    """Return R744PTYP of a processor: the report has only the number of shared ones."""
    if report.shared_engine_count is None:
        return None
    return _DEDICATED if number < report.engine_count - report.shared_engine_count else 0


def _is_xml(text: TextFile) -> bool:
    return _XML.search(text.head) is not None


def _recognises(text: TextFile) -> bool:
    """Return whether a text is such a report."""
    if _is_xml(text):
        return _CF_METRIC.search(text.head) is not None and "<!DOCTYPE" not in text.head
    return TITLE in " ".join(text.head.split())


SOURCE: Final = TextInput(
    name="rmf",
    order=20,
    title="RMF report",
    description="an RMF coupling facility report",
    recognises=_recognises,
    begin=RmfReading,
)
