"""Spooled text of z/TPF: stamps, displays of queue manager and queues, console lines on sweeps.

z/TPF writes times of the day without date or zone. The automation of the site writes in front of
each display, and at the start of each day's console file::

    NOW(2026-07-09T00:15:00-0400) SYSTEM(TPF1)

Other messages and lines of displays are not used. Source of the lines: Deep dive into 64-bit
support for IBM MQ on z/TPF.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.domain.units import US_PER_S
from mqcap.ingest.text_reading import Omissions

MESSAGE: Final = re.compile(r"^(MQSC\d{4})[IWE] (?:(\d\d)\.(\d\d)\.(\d\d) )?(.*)")
_DISPLAY: Final = "MQSC0283"
_OF_QUEUE: Final = "MQSC0285"
_SWEPT: Final = "MQSC0801"
_STAMP: Final = re.compile(r"^NOW\(([^)]*)\)(?:\s+SYSTEM\(([^)]*)\))?\s*$")
_SWEEP: Final = re.compile(r"SWEEP FOR (\S+) COMPLETED")
_VALUE: Final = re.compile(r"^\s+(\S.*?) - +(\S+)")
_QUEUE_NAME: Final = re.compile(r"^\s*(?=\S*[A-Za-z0-9])(\S+)\s*$")
_OTHER: Final = re.compile(r"\s|.+ - +\S|[A-Z]{4}\d{4}[A-Z]\b|Z[A-Z]{4,5}\b|END OF DISPLAY")
"""Other lines of displays, other messages of z/TPF, and commands."""
_NONE: Final = "NONE"
_FIGURES: Final = {
    "Total MQM": ZtpfFigure.mqm_total_blocks,
    "In Use MQM": ZtpfFigure.mqm_in_use_blocks,
    "HW In Use Count MQM": ZtpfFigure.mqm_high_water_blocks,
    "MQMSWPL (%)": ZtpfFigure.sweep_level_pct,
}
_QUEUE_FIGURES: Final = {
    "Current Depth": ZtpfFigure.queue_depth_count,
    "Num of SWBs in use": ZtpfFigure.queue_swb_count,
    "Num of MQMs in use": ZtpfFigure.queue_mqm_blocks,
}
MIDNIGHT_PASSED: Final = timedelta(hours=12)
"""A time so far before the line above is of the next day; a change of clocks goes back an hour or
less (ours)."""
SET_BACK: Final = timedelta(minutes=1)
"""A time further before the line above is one after clocks were set back; lines are out of order by
less (ours)."""


class Stamp(NamedTuple):
    """Time and system of what follows."""

    now: str
    system: str


@dataclass
class Display:
    """A display of the queue manager, or of the statistics of a queue."""

    queue: str | None = ""
    """Empty for the queue manager; ``None`` as long as the line with the name has not come."""
    values: dict[ZtpfFigure, str] = field(default_factory=dict)


class ConsoleLine(NamedTuple):
    """A message with its time of the day; ``queue`` is set where its sweep has ended."""

    at: time
    queue: str = ""


@dataclass
class ConsoleDay:
    """The local date of the lines behind a stamp."""

    last: datetime
    """Local time of the last line, first that of the stamp."""
    is_set_back: bool = False
    """Whether clocks were set back on this date: of a time that occurs twice, the second counts."""
    has_lines: bool = False
    """Whether a line came behind the stamp, whose own time need not be before those of lines."""

    @classmethod
    def from_stamp(cls, local: datetime) -> ConsoleDay:
        """Begin with the local time of a stamp."""
        return cls(local.replace(tzinfo=None), is_set_back=bool(local.fold))

    def of(self, at: time) -> date:
        """Return the date of the next line."""
        here = datetime.combine(self.last, at)
        if self.last - here > MIDNIGHT_PASSED:
            here += timedelta(days=1)
            self.is_set_back = False
        elif self.last - here > SET_BACK and self.has_lines:
            self.is_set_back = True
        self.last, self.has_lines = here, True
        return here.date()


def items(lines: Iterable[str], left_out: Omissions) -> Iterator[Stamp | Display | ConsoleLine]:
    """Yield stamps, displays and console lines in order; a display once it is complete."""
    display: Display | None = None
    for number, line in enumerate(lines, start=1):
        stamp, message = _STAMP.match(line), MESSAGE.match(line)
        if display is not None and (stamp or message):
            yield display
            display = None
        if stamp:
            yield Stamp(stamp[1].strip(), (stamp[2] or "").strip())
        elif message:
            if message[1] in {_DISPLAY, _OF_QUEUE}:
                display = Display("" if message[1] == _DISPLAY else None)
            yield from _timed(message)
        elif not (_add(display, line) or _OTHER.match(line)):
            left_out.not_understood(line, number)
    if display is not None:
        yield display


def count_of(text: str) -> float | None:
    """Return a number of a display, in which ``NONE`` is zero; ``None`` for any other text."""
    if text == _NONE:
        return 0.0
    return float(text) if text.isascii() and text.isdigit() else None


def _add(display: Display | None, line: str) -> bool:
    """Add what a line of a display says; the first name behind that of a queue is its own.

    Returns whether it says anything.
    """
    if display is None:
        return False
    if display.queue is None:
        named = _QUEUE_NAME.match(line)
        display.queue = named[1] if named else None
        return named is not None
    figures = _QUEUE_FIGURES if display.queue else _FIGURES
    value = _VALUE.match(line)
    if value and value[1] in figures:
        display.values[figures[value[1]]] = value[2]
    return value is not None


def _timed(message: re.Match[str]) -> Iterator[ConsoleLine]:
    """Yield the console line of a message that has a time of the day."""
    if message[2] is None:
        return
    try:
        at = time(int(message[2]), int(message[3]), int(message[4]))
    except ValueError:
        return
    swept = _SWEEP.match(message[5]) if message[1] == _SWEPT else None
    yield ConsoleLine(at, swept[1] if swept else "")


HEADER: Final = (
    "system", "time_utc", "queue", "interval_s", "add_persistent_rate", "add_nonpersistent_rate",
    "persistent_length", "nonpersistent_length", "mqm_total", "mqm_in_use", "mqm_high_water",
    "sweep_level_pct", "sweep_target_pct", "depth",
)  # fmt: skip
REQUIRED: Final = HEADER[:2]
FIGURES: Final = {
    "mqm_total": ZtpfFigure.mqm_total_blocks,
    "mqm_in_use": ZtpfFigure.mqm_in_use_blocks,
    "mqm_high_water": ZtpfFigure.mqm_high_water_blocks,
    "sweep_level_pct": ZtpfFigure.sweep_level_pct,
}
_NUMBER: Final = re.compile(r"\d{1,18}(?:\.\d*)?(?:[eE][+-]?\d{1,2})?")


class TableRow(NamedTuple):
    """What one line tells of its system and queue."""

    system: str
    reported_us: int
    """End of the interval."""
    seconds: float
    """Length of the interval; NaN where it is not known."""
    values: dict[ZtpfFigure, float]
    """Of the system."""
    queue: str
    queue_values: dict[ZtpfFigure, float]


def columns_of(lines: Iterator[str]) -> list[str]:
    """Return the names of the first line."""
    return [name.strip() for name in next(csv.reader(lines), [])]


def rows_of(lines: Iterable[str], columns: list[str]) -> Iterator[TableRow | ValueError]:
    """Yield the rows behind the header, and for each that cannot be used the reason why."""
    reader = csv.reader(lines)
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield ValueError(str(error))
            continue
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        try:
            yield _row(cells, columns)
        except ValueError as error:
            yield error


def _row(cells: list[str], columns: list[str]) -> TableRow:
    if len(cells) != len(columns):
        raise ValueError(f"it has not the {len(columns)} columns of the header")
    cell = {name: text.strip() for name, text in zip(columns, cells, strict=True)}
    values = {figure: _number(name, cell) for name, figure in FIGURES.items()}
    seconds = _number("interval_s", cell)
    of_queue = {
        ZtpfFigure.queue_depth_count: _number("depth", cell),
        ZtpfFigure.queue_put_bytes_per_s: _put_bytes_per_s(cell),
    }
    return TableRow(
        system=cell["system"],
        reported_us=_instant_us(cell["time_utc"]),
        seconds=seconds or float("nan"),
        values=_known(values),
        queue=cell.get("queue", ""),
        queue_values=_known(of_queue),
    )


def _known(values: dict[ZtpfFigure, float | None]) -> dict[ZtpfFigure, float]:
    return {figure: value for figure, value in values.items() if value is not None}


def _put_bytes_per_s(cell: dict[str, str]) -> float | None:
    """Return rate x length of persistent and other messages; ``None`` where either is not known."""
    total = 0.0
    for kind in ("persistent", "nonpersistent"):
        rate, length = _number(f"add_{kind}_rate", cell), _number(f"{kind}_length", cell)
        if rate is None or (rate and length is None):
            return None
        total += rate * (length or 0.0)
    return total


def _number(name: str, cell: dict[str, str]) -> float | None:
    """Return a number with a point; ``None`` for an empty cell."""
    if not (text := cell.get(name, "")):
        return None
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{name} is no number from 0 on with a point")
    return float(text)


def _instant_us(text: str) -> int:
    if not text:
        raise ValueError("time_utc is empty")
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError("time_utc is no time such as 2026-07-09T04:30:00Z") from error
    utc = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return round(utc.timestamp() * US_PER_S)


_SECOND: Final = timedelta(seconds=1)


class Sweep(NamedTuple):
    """A sweep as the console has it."""

    system: str
    queue: str
    local_date: str
    local_time: str
    sequence: int
    """From 1, where several lines of a second are equal."""


@dataclass
class Sweeps:
    """The sweeps of a file."""

    found: dict[Sweep, datetime] = field(default_factory=dict)
    """When each was, in UTC."""
    _counts: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)

    def begin(self) -> None:
        """Begin what another stamp is of: a text that repeats stamp and lines adds no sweep."""
        self._counts.clear()

    def add(self, system: str, queue: str, local: datetime) -> None:
        """Take a sweep at a local time with its zone or offset.

        The second time of an hour that a change of clocks repeats (``fold``) is written with its
        offset from UTC.
        """
        time = f"{local:%H.%M.%S%z}" if local.fold else f"{local:%H.%M.%S}"
        place = (system, queue, local.date().isoformat(), time)
        self._counts[place] += 1
        self.found[Sweep(*place, self._counts[place])] = local.astimezone(UTC)

    def span(self) -> tuple[datetime, datetime]:
        """Return the first one, and the second that begins with the last one."""
        return min(self.found.values()), max(self.found.values()) + _SECOND

    def dates(self) -> set[date]:
        """Return the UTC dates around theirs."""
        days = {date.fromisoformat(sweep.local_date) for sweep in self.found}
        return {day + timedelta(days=shift) for day in days for shift in (-1, 0, 1)}
