"""Site figures as samples: subject, figure, time, value and unit, whatever measured them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np

from mqcap.domain.datasets import SITE_SAMPLE
from mqcap.domain.errors import InputError
from mqcap.domain.estate import site_zone_key
from mqcap.domain.metric import sysplex_of
from mqcap.domain.numbers import counted
from mqcap.domain.source import Reading, SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.samples import Samples, SiteSampleKey, most_frequent
from mqcap.ingest.site_figures.lines import (
    HEADINGS,
    SiteFigureLine,
    csv_line,
    is_headings,
    json_line,
)
from mqcap.ingest.smf.dump_file import Lines, read_head

PROBLEMS_MAX: Final = 20
"""Lines that are named of those left out; the others are counted."""
_BOM: Final = b"\xef\xbb\xbf"
_KEYS: Final = tuple(f'"{name}"'.encode() for name in HEADINGS[:-1])


@dataclass
class SiteFigureReading:
    """A pass over one file."""

    path: Path
    file_sha256: str
    zones: Mapping[str, str]
    content_bytes: int = 0
    skipped_bytes: int = 0
    _samples: Samples = field(init=False)
    _columns: dict[SiteSampleKey, tuple[array[int], array[float]]] = field(default_factory=dict)
    _problems: list[str] = field(default_factory=list)
    _left_out_count: int = 0
    _is_csv: bool = False
    _column_count: int = 0

    def __post_init__(self) -> None:
        """Begin without samples."""
        self._samples = Samples(self.file_sha256, SITE_SAMPLE)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples; raises InputError when no line can be used."""
        lines = Lines(self.path)
        for number, line in enumerate(lines, start=1):
            self.content_bytes += len(line)
            try:
                self._take(line, is_first=number == 1)
            except ValueError as error:
                self.skipped_bytes += len(line)
                self._left_out_count += 1
                if self._left_out_count <= PROBLEMS_MAX:
                    self._problems.append(f"line {number}: {error}; the line is left out")
        if lines.problem:
            self._problems.append(f"{lines.problem}; what follows is missing")
        yield from self._tables()
        if not self._samples.row_count:
            raise InputError(
                "a file of site figures without any figure that can be used",
                file=self.path.name,
                found="; ".join(self._problems[:3]) or "no line with a value",
                expected="lines of subject,figure,time,value and, if stated, unit",
                remedy="Correct these lines and send the file again (docs/site-figures.md).",
            )
        yield from self._samples.rest()

    def summary(self) -> SourceSummary:
        """Return what was found."""
        name = self.path.name
        problems = [f"{name}: {text}." for text in self._problems]
        if self._left_out_count > PROBLEMS_MAX:
            more = counted(self._left_out_count - PROBLEMS_MAX, "more line")
            problems.append(f"{name}: {more} left out.")
        framing = "csv" if self._is_csv else "json"
        content, skipped = self.content_bytes, self.skipped_bytes
        return self._samples.summary(name, framing, content, skipped, problems)

    def _tables(self) -> Iterator[tuple[str, Any]]:
        for key, (times, values) in self._columns.items():
            reported_us = np.array(times)
            order = np.argsort(reported_us, kind="stable")
            step_us = most_frequent(np.diff(np.unique(reported_us)))
            seconds = None if step_us is None else step_us / US_PER_S
            self._samples.add(key, reported_us[order], seconds, np.array(values)[order])
            yield from self._samples.full()

    def _take(self, line: bytes, *, is_first: bool) -> None:
        text = line.removeprefix(_BOM).strip() if is_first else line.strip()
        if is_first:
            headings = text.decode("latin-1")
            self._is_csv = is_headings(headings)
            self._column_count = headings.count(",") + 1
            if self._is_csv:
                return
        if text:
            made = csv_line(_decoded(text), self._column_count) if self._is_csv else json_line(text)
            self._add(made)

    def _add(self, made: SiteFigureLine) -> None:
        key = SiteSampleKey(made.subject, made.figure, made.unit)
        columns = self._columns.get(key)
        earlier_us = columns[0][-1] if columns else None
        reported_us = self._instant_us(made, earlier_us)
        if columns is None:
            columns = self._columns[key] = (array("q"), array("d"))
        columns[0].append(reported_us)
        columns[1].append(made.value)

    def _instant_us(self, made: SiteFigureLine, earlier_us: int | None) -> int:
        """Return the instant of a line; a time without offset is local time of its site.

        Of a local time that occurs twice the second one counts after a later line of the series.
        """
        if made.time.tzinfo is not None:
            return _us(made.time)
        root = sysplex_of(made.subject)
        zone = self.zones.get(site_zone_key(root)) or self.zones.get(root)
        if zone is None:
            raise ValueError(
                f"the time {made.time.isoformat()} has no offset, and {root} is in no estate"
            )
        local = made.time.replace(tzinfo=ZoneInfo(zone))
        if local.astimezone(UTC).astimezone(local.tzinfo).replace(fold=0) != local:
            raise ValueError(f"{made.time.isoformat()} is no local time of {zone}")
        instant_us = _us(local)
        if earlier_us is not None and instant_us <= earlier_us:
            later_us = _us(local.replace(fold=1))
            return later_us if later_us > earlier_us else instant_us
        return instant_us


@dataclass(frozen=True)
class SiteFigureSource:
    """Files of site figures."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Time zone of each sysplex, and of each place by ``site_zone_key``."""
    name: str = "site_figures"
    order: int = 70
    title: str = "site figures"
    description: str = "site figures (subject,figure,time,value)"

    def in_zones(self, zones: Mapping[str, str]) -> SiteFigureSource:
        """Return the same source with these time zones."""
        return replace(self, zones=zones)

    def accepts(self, path: Path) -> bool:
        """Return whether the first line is the headings, or an object with those keys."""
        head = read_head(path).removeprefix(_BOM)
        first = next(iter(head.splitlines()), b"")
        if first.startswith(b"{"):
            return all(key in first for key in _KEYS)
        return is_headings(first.decode("latin-1"))

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return SiteFigureReading(path, file_sha256, self.zones)


def _us(instant: datetime) -> int:
    return round(instant.timestamp() * US_PER_S)


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("the line is not UTF-8") from error


SOURCE: Final = SiteFigureSource()
