"""Parser of RMF coupling facility activity reports (text or XML): facts per facility.

The figures are picked by their wording, with blanks collapsed, since columns and spacing vary
between releases and sites. Sizes carry K, M, G or T (of 1024). RMF writes the month first; any date
of the file with a first part above 12 shows that the day is first in all of them, and so do dots. A
decimal comma is read. A value that is not there leaves out its facility.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import dropwhile
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from mqcap.domain.errors import InputError
from mqcap.ingest.text import TextFile

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
        for line in dropwhile(lambda each: not each.strip(), text.lines()):
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
    """Return bytes of a size such as 7.75G."""
    if text is None:
        return None
    digits = text.rstrip("KMGT")
    return float(digits) * _BYTES_OF_UNIT[text[len(digits) :]]
