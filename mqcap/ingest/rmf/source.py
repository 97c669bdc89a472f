"""RMF coupling facility activity reports, as text and XML, as a source.

The facts become the sections that a 74.4 record would have carried: one R744P row per logical
processor with its share of busy and waiting time, one R744G row with the storage, one R744F row.
So every metric of the facility is computed the same way. Precision is that of the report (busy to
0.1 %). The reporting system is null; records of the same interval are preferred.

The figures are picked by their wording, with blanks collapsed, since columns and spacing vary
between releases and sites. Sizes carry K, M, G or T (of 1024). RMF writes the month first; any date
of the file with a first part above 12 shows that the day is first in all of them, and so do dots. A
decimal comma is read. A value that is not there leaves out its facility.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import dropwhile
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError, XMLPullParser
from zoneinfo import ZoneInfo

import pyarrow as pa

from mqcap.domain.errors import InputError
from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH, interval_columns
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.text import TextFile
from mqcap.ingest.text_reading import TextInput, TextReading

TITLE: Final = "C O U P L I N G F A C I L I T Y A C T I V I T Y"
MOST_PROCESSORS: Final = 1024
_END: Final = r"(?![\d.,])"
_NUMBER: Final = rf"(\d+(?:[.,]\d+)?){_END}"
_SIZE: Final = rf"(\d+(?:[.,]\d+)?[KMGT]?){_END}"
_DATE: Final = r"(\d+/\d+/\d{4}|\d+\.\d+\.\d{4}|\d{4}-\d\d-\d\d)"
_ANY_DATE: Final = re.compile(r"\b(\d\d)/\d\d/\d{4}\b")
_ANCHORS: Final = {
    "sysplex": re.compile(r"SYSPLEX (\S+) "),
    "date": re.compile(rf"DATE {_DATE}"),
    "interval": re.compile(r"INTERVAL (\d+\.\d\d\.\d{3})"),
    "time": re.compile(r"TIME (\d\d[.:]\d\d[.:]\d\d)"),
    "cf": re.compile(r"COUPLING FACILITY NAME = (\S+)"),
    "busy": re.compile(rf"AVERAGE CF UTILIZATION \(% BUSY\) {_NUMBER}"),
    "defined": re.compile(r"LOGICAL PROCESSORS: DEFINED (\d+)"),
    "dyndisp": re.compile(r"\bDYNDISP (OFF|ON|THIN)\b"),
    "shared": re.compile(r"\bSHARED (\d+) AVG WEIGHT"),
    "available": re.compile(rf"TOTAL CF STORAGE AVAILABLE {_SIZE}"),
    "total": re.compile(rf"TOTAL CF STORAGE SIZE {_SIZE}"),
}
_VARIABLES: Final = {
    "couplingfacilityname": "cf",
    "averagecfutilizationpctbusy": "busy",
    "logicalprocessorsdefined": "defined",
    "logicalprocessorsshared": "shared",
    "dyndisp": "dyndisp",
    "totalcfstorageavailable": "available",
    "totalcfstoragesize": "total",
}
BLOCK_BYTES: Final = 4096
_BYTES_OF_UNIT: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class FacilityReport:
    """A coupling facility in an interval; ``None`` where the report has no value."""

    sysplex: str
    cf: str
    start_local: datetime
    length: timedelta
    busy_pct: float
    engine_count: int
    storage_bytes: float | None
    storage_free_bytes: float | None
    shared_engine_count: int | None = None
    dyndisp: str | None = None
    """``OFF``, ``ON`` or ``THIN``."""


@dataclass
class ReportFacts:
    """State of the parser: facts of a facility hold until the next facility."""

    page: dict[str, str] = field(default_factory=dict)
    facility: dict[str, str] = field(default_factory=dict)
    incomplete: list[str] = field(default_factory=list)
    day_first: bool = False

    def take(self, name: str, value: str) -> Iterator[FacilityReport]:
        """Add a fact; the name of a facility finishes the one before."""
        if name == "cf" and self.facility.get("cf") != value:
            yield from self.finish()
            self.facility = {**self.page, "cf": value}
        elif name in {"sysplex", "date", "interval", "time"}:
            if value != self.page.get(name) and "cf" in self.facility:
                yield from self.finish()
            self.page[name] = value
        elif self.facility and value:
            self.facility[name] = value.replace(",", ".")

    def finish(self) -> Iterator[FacilityReport]:
        """Yield the facility if busy figure and time are known; else record it as incomplete."""
        facts, self.facility = self.facility, {}
        if not facts:
            return
        if facts.keys() >= {"busy", "defined", "sysplex", "date", "interval", "time"}:
            yield self._report(facts)
        else:
            self.incomplete.append(facts["cf"])

    def _report(self, facts: dict[str, str]) -> FacilityReport:
        if int(facts["defined"]) > MOST_PROCESSORS or float(facts["busy"]) > 100:
            raise ValueError(f"{facts['defined']} processors, {facts['busy']} % busy")
        minutes, seconds, thousandths = map(int, facts["interval"].split("."))
        return FacilityReport(
            sysplex=facts["sysplex"],
            cf=facts["cf"],
            start_local=self.moment(facts["date"], facts["time"]),
            length=timedelta(minutes=minutes, seconds=seconds, milliseconds=thousandths),
            busy_pct=float(facts["busy"]),
            engine_count=int(facts["defined"]),
            storage_bytes=_size(facts.get("total")),
            storage_free_bytes=_size(facts.get("available")),
            shared_engine_count=int(facts["shared"]) if "shared" in facts else None,
            dyndisp=facts.get("dyndisp", "").upper() or None,
        )

    def moment(self, day: str, clock: str) -> datetime:
        """Return a local time; raises ValueError when it is none."""
        first, second, third = map(int, re.split(r"[/.-]", day))
        year, month, day_number = third, first, second
        if "-" in day:
            year, month, day_number = first, second, third
        elif self.day_first or "." in day:
            month, day_number = second, first
        hour, minute, second = map(int, re.split(r"[.:]", clock))
        return datetime(year, month, day_number, hour, minute, second)  # noqa: DTZ001 - local


def has_day_first(lines: Iterable[str]) -> bool:
    """Return whether a date of a report begins with a number above 12."""
    return any(int(date[1]) > 12 for line in lines for date in _ANY_DATE.finditer(line))


def text_reports(lines: Iterable[str], facts: ReportFacts) -> Iterator[FacilityReport]:
    """Yield the facilities of a printed report. Raises ValueError for invalid figures."""
    for raw in lines:
        line = " ".join(raw.split()) + " "
        for name, anchor in _ANCHORS.items():
            if match := anchor.search(line):
                yield from facts.take(name, match[1])
    yield from facts.finish()


def xml_reports(text: TextFile, facts: ReportFacts) -> Iterator[FacilityReport]:
    """Yield the facilities of an XML report. Raises InputError when it is not well formed."""
    try:
        parser: Any = XMLPullParser(["start", "end"])
        for line in dropwhile(lambda text: not text.strip(), text.lines()):
            parser.feed(f"{line}\n")
            for event, element in parser.read_events():
                if event == "start":
                    element.tag = element.tag.rpartition("}")[2]  # without its namespace
                elif element.tag == "postprocessor":
                    yield from _postprocessor(element, facts)
                    element.clear()
        parser.close()
    except (ParseError, LookupError) as error:  # the second: an unknown encoding
        raise InputError(
            "the XML is not well formed",
            file=text.name,
            found=str(error),
            expected="output of the RMF Postprocessor",
            remedy="Write the report again and transfer it as it is.",
        ) from error


def _postprocessor(element: Element, facts: ReportFacts) -> Iterator[FacilityReport]:
    """Yield the facilities of one interval; reports other than CF have none."""
    metric = element.find("metric")
    if metric is None or metric.get("id") != "CF":
        return
    texts = {name: element.findtext(f".//{name}", "") for name in ("display-start", "display-end")}
    day, _, clock = texts["display-start"].rpartition("-")
    end_day, _, end_clock = texts["display-end"].rpartition("-")
    page: dict[str, Any] = {"sysplex": element.findtext("resource/resname", ""), "date": day}
    for name, value in {**page, "time": clock, "interval": "0.00.000"}.items():
        yield from facts.take(name, value)
    length = facts.moment(end_day, end_clock) - facts.moment(day, clock)
    for variable in element.iter("var"):
        heading = variable.findtext("name", "").lower().replace("%", "pct")
        name = re.sub(r"[^a-z0-9]", "", heading)
        if name in _VARIABLES:
            for report in facts.take(_VARIABLES[name], variable.findtext("value", "").strip()):
                yield replace(report, length=length)
    for report in facts.finish():
        yield replace(report, length=length)


def _size(text: str | None) -> float | None:
    if text is None:
        return None
    digits = text.rstrip("KMGT")
    return float(digits) * _BYTES_OF_UNIT[text[len(digits) :]]


_XML: Final = re.compile(r"<ddsml\b")
_CF_METRIC: Final = re.compile(r"<metric\b[^>]*\sid=[\"']CF[\"']")
_FLAGS: Final = {"OFF": 0x00, "ON": 0x10, "THIN": 0x18}
"""DYNDISP of the report as the bits of R744FFLG."""
_DEDICATED: Final = 0x80
_US: Final = timedelta(microseconds=1)


@dataclass
class _RmfReading(TextReading):
    """A pass over one report; all bytes of text count as decoded."""

    facts: ReportFacts = field(default_factory=ReportFacts)
    spans: list[tuple[datetime, datetime]] = field(default_factory=list)
    unzoned: set[str] = field(default_factory=set)

    @property
    def framing(self) -> str:
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
        return line.rstrip().endswith(">")

    @property
    def record_count(self) -> int:
        """Intervals of coupling facilities."""
        return len(self.spans)

    def _sections(self, report: FacilityReport) -> Iterator[tuple[str, pa.Table]]:
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
            **interval_columns(start, end),
            "utc_offset_minutes": offset // timedelta(minutes=1),
            "record_hash": LOWEST_PRINTED_HASH + int.from_bytes(digest, "big"),
            "file_sha256": self.file_sha256,
            "sysplex": report.sysplex,
            "cf": report.cf,
        }
        completed = [{**front, "section_index": index, **row} for index, row in enumerate(rows)]
        return self.table(layout.dataset, completed)

    def problems(self) -> Iterator[str]:
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
    if _is_xml(text):
        return _CF_METRIC.search(text.head) is not None and "<!DOCTYPE" not in text.head
    return TITLE in " ".join(text.head.split())


SOURCE: Final = TextInput(
    name="rmf",
    order=20,
    title="RMF report",
    description="an RMF coupling facility report",
    recognises=_recognises,
    begin=_RmfReading,
    first_line=r".{0,8}C O U P L I N G   F A C I L",
    named_behind="an RMF report",
)
