"""Site figures as samples: subject, figure, time, value and unit, whatever measured them."""

import csv
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from mqcap.domain.datasets import SITE_SAMPLE
from mqcap.domain.estate import zone_key
from mqcap.domain.subject import Subject
from mqcap.domain.units import US_PER_S
from mqcap.ingest.samples import GatheredFigure, SiteSampleKey, usual_seconds
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput

HEADINGS: Final = ("subject", "figure", "time", "value", "unit")
"""Headings of the CSV; the last one may be missing."""
PARTS_MIN, PARTS_MAX = 2, 4
_PART: Final = re.compile(r"[A-Za-z0-9@#$_.%()+:-]{1,144}")
_FIGURE: Final = re.compile(r"[a-z][a-z0-9_]{0,47}")
_SHOWN: Final = 40


SiteFigureLine = tuple[SiteSampleKey, datetime, float]
"""Whose figure, time without a zone where none is stated, value (NaN where it is infinite)."""


class _Object(msgspec.Struct):
    subject: str
    figure: str
    time: str
    value: float | str
    unit: str | None = None


def headings_of(line: str) -> tuple[str, ...]:
    """Return the headings of a CSV of site figures, in any order; empty for another line."""
    try:
        names = tuple(name.lower() for name in _cells(line))
    except ValueError:
        return ()
    has_each_once = len(set(names)) == len(names) and set(names) >= set(HEADINGS[:-1])
    return names if has_each_once else ()


def csv_line(text: str, headings: Sequence[str]) -> SiteFigureLine:
    """Return the figure of a line of CSV under its headings; raises ValueError with the cause."""
    cells = _cells(text)
    if len(cells) != len(headings):
        raise ValueError(f"expected {len(headings)} cells, found {len(cells)}")
    by_name = dict(zip(headings, cells, strict=True))
    return _line(*(by_name.get(name, "") for name in HEADINGS))


def _cells(text: str) -> list[str]:
    try:
        read = csv.reader([text], strict=True, skipinitialspace=True)
        return [cell.strip() for cell in next(read, [])]
    except csv.Error as error:
        raise ValueError(f"the line is no CSV: {error}") from error


def site_key(subject: str, figure: str, unit: str) -> SiteSampleKey:
    """Return whose figure it is; raises ValueError with the name that is none."""
    parts = Subject(subject).names
    is_path = PARTS_MIN <= len(parts) <= PARTS_MAX and len(subject) <= 200
    if not is_path or not all(map(_PART.fullmatch, parts)):
        raise ValueError(f"{subject[:_SHOWN]!r} is no subject such as EAST/mq1 or PLEX1/CSQ1")
    if not _FIGURE.fullmatch(figure):
        raise ValueError(f"{figure[:_SHOWN]!r} is no name of a figure such as disk_busy_pct")
    if len(unit) > 20 or not unit.isprintable():
        raise ValueError(f"{unit[:_SHOWN]!r} is no unit")
    return SiteSampleKey(subject, figure, unit)


def _line(subject: str, figure: str, time: str, value: str, unit: str) -> SiteFigureLine:
    return site_key(subject, figure, unit), _time(time), _number(value)


def _time(text: str) -> datetime:
    try:
        made = datetime.fromisoformat(text)
    except ValueError:
        made = None
    if made is None or len(text) <= len("2026-07-09") or made.year not in range(2000, 2100):
        raise ValueError(f"{text[:_SHOWN]!r} is no time such as 2026-07-09T00:15:00+02:00")
    return made


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise ValueError(f"{text[:_SHOWN]!r} is no number such as 72.5") from error
    return math.nan if math.isinf(value) else value


@dataclass
class _SiteFigureReading(SamplesReading):
    dataset = SITE_SAMPLE
    nothing = Refusal(
        "a file of site figures without any figure that can be used",
        expected="lines of subject,figure,time,value and, if stated, unit",
        remedy="Correct these lines and send the file again (docs/inputs.md).",
        otherwise="no line with a value",
    )
    _latest_us: dict[SiteSampleKey, int] = field(default_factory=dict)

    @property
    def framing(self) -> str:
        return "json" if self.text.is_json else "csv"

    def take_all(self) -> None:
        if self.text.is_json:
            for made, number in self.objects(_Object, "line"):
                cells = made.subject, made.figure, made.time, str(made.value), made.unit or ""
                self._take(partial(_line, *cells), number)
            return
        headings: tuple[str, ...] = ()
        for number, line in enumerate(self.text.lines(), start=1):
            if headings and line.strip():
                if not self.left_out.is_other(line, number):
                    self._take(partial(csv_line, line, headings), number, len(line.encode()) + 1)
            elif line.strip():
                headings = headings_of(line)

    def add(self, figure: GatheredFigure[SiteSampleKey]) -> None:
        seconds = usual_seconds(figure.reported_us)
        self.samples.add(figure.key, figure.reported_us, seconds, figure.values)

    def _take(self, read: Callable[[], SiteFigureLine], number: int, size: int = 0) -> None:
        try:
            key, time, value = read()
            reported_us = self._instant_us(key, time)
        except ValueError as error:
            self.left_out.add(str(error), line_number=number)
            self.skipped_bytes += size
        else:
            self._latest_us[key] = reported_us
            self.gathered.add(key, reported_us, value)

    def _instant_us(self, key: SiteSampleKey, time: datetime) -> int:
        """Return the instant; of a local time that occurs twice by order."""
        if time.tzinfo is not None:
            return _us(time)
        root = Subject(key.subject).sysplex
        zone = self.zones.get(zone_key("site", root)) or self.zones.get(root)
        if zone is None:
            raise ValueError(
                f"the time {time.isoformat()} has no offset, and {root} is in no estate"
            )
        local = time.replace(tzinfo=ZoneInfo(zone))
        if local.astimezone(UTC).astimezone(local.tzinfo).replace(fold=0) != local:
            raise ValueError(f"{time.isoformat()} is no local time of {zone}")
        first_us, second_us = _us(local), _us(local.replace(fold=1))
        is_second = first_us <= self._latest_us.get(key, first_us - 1) < second_us
        return second_us if is_second else first_us


def _us(instant: datetime) -> int:
    return round(instant.timestamp() * US_PER_S)


SOURCE: Final = TextInput(
    name="site_figures",
    order=70,
    title="site figures",
    description="site figures (subject,figure,time,value)",
    recognises=lambda text: bool(headings_of(text.first_line)),
    recognises_json=lambda text: text.keys >= set(HEADINGS[:-1]),
    begin=_SiteFigureReading,
    first_line=r"subject,figure,time,|\{(?=.*\"subject\").*\"figure\"",
)
