"""What lines of z/TPF say: displays of queue manager and queues, days of a console, table cells.

z/TPF writes times of the day without date or zone. The automation of the site writes in front of
each display, and at the start of each day's console file::

    NOW(2026-07-09T00:15:00-0400) SYSTEM(TPF1)

Other messages and lines of displays are not used. Source of the lines: Deep dive into 64-bit
support for IBM MQ on z/TPF.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.domain.units import US_PER_S

MESSAGE: Final = re.compile(r"^(MQSC\d{4})[IWE] (?:(\d\d)\.(\d\d)\.(\d\d) )?(.*)")
DISPLAYS: Final = {"MQSC0283": "", "MQSC0285": None}
"""Messages in front of displays, of the queue manager and of a queue whose name is to come."""
SWEPT: Final = "MQSC0801"
STAMP: Final = re.compile(r"^NOW\(([^)]*)\)(?:\s+SYSTEM\(([^)]*)\))?\s*$")
SWEEP: Final = re.compile(r"SWEEP FOR (\S+) COMPLETED")
_VALUE: Final = re.compile(r"^\s+(\S.*?) - +(\S+)")
_QUEUE_NAME: Final = re.compile(r"^\s*(?=\S*[A-Za-z0-9])(\S+)\s*$")
OTHER: Final = re.compile(r"\s|.+ - +\S|[A-Z]{4}\d{4}[A-Z]\b|Z[A-Z]{4,5}\b|END OF DISPLAY")
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


@dataclass
class Display:
    """A display of the queue manager, or of the statistics of a queue."""

    queue: str | None = ""
    """Empty for the queue manager; ``None`` as long as the line with the name has not come."""
    values: dict[ZtpfFigure, str] = field(default_factory=dict)

    def add(self, line: str) -> bool:
        """Add what a line says, and return whether it says anything.

        The first name behind the message of a queue is its own.
        """
        if self.queue is None:
            named = _QUEUE_NAME.match(line)
            self.queue = named[1] if named else None
            return named is not None
        figures = _QUEUE_FIGURES if self.queue else _FIGURES
        value = _VALUE.match(line)
        if value and value[1] in figures:
            self.values[figures[value[1]]] = value[2]
        return value is not None


def count_of(text: str) -> float | None:
    """Return a number of a display, in which ``NONE`` is zero; ``None`` for any other text."""
    if text == _NONE:
        return 0.0
    return float(text) if text.isascii() and text.isdigit() else None


@dataclass
class ConsoleDay:
    """The local date of the lines behind a stamp."""

    last: datetime
    """Local time of the last line, first that of the stamp."""
    zone: tzinfo = UTC
    is_set_back: bool = False
    """Whether clocks were set back on this date: of a time that occurs twice, the second counts."""
    has_lines: bool = False
    """Whether a line came behind the stamp, whose own time need not be before those of lines."""

    @classmethod
    def from_stamp(cls, local: datetime) -> ConsoleDay:
        """Begin with the local time of a stamp."""
        return cls(local.replace(tzinfo=None), local.tzinfo or UTC, is_set_back=bool(local.fold))

    def of(self, at: time) -> datetime:
        """Return the local time of the next line."""
        here = datetime.combine(self.last, at)
        if self.last - here > MIDNIGHT_PASSED:
            here += timedelta(days=1)
            self.is_set_back = False
        elif self.last - here > SET_BACK and self.has_lines:
            self.is_set_back = True
        self.last, self.has_lines = here, True
        first, second = here.replace(tzinfo=self.zone), here.replace(tzinfo=self.zone, fold=1)
        occurs_twice = second.astimezone(UTC) > first.astimezone(UTC)
        return second if self.is_set_back and occurs_twice else first


HEADER: Final = (
    "system",
    "time_utc",
    "queue",
    "interval_s",
    "add_persistent_rate",
    "add_nonpersistent_rate",
    "persistent_length",
    "nonpersistent_length",
    "mqm_total",
    "mqm_in_use",
    "mqm_high_water",
    "sweep_level_pct",
    "sweep_target_pct",
    "depth",
)
REQUIRED: Final = HEADER[:2]
SYSTEM_FIGURES: Final = {
    "mqm_total": ZtpfFigure.mqm_total_blocks,
    "mqm_in_use": ZtpfFigure.mqm_in_use_blocks,
    "mqm_high_water": ZtpfFigure.mqm_high_water_blocks,
    "sweep_level_pct": ZtpfFigure.sweep_level_pct,
}
_NUMBER: Final = re.compile(r"\d{1,18}(?:\.\d*)?(?:[eE][+-]?\d{1,2})?")


def put_bytes_per_s(cells: Mapping[str, str]) -> float | None:
    """Return rate x length of persistent and other messages; ``None`` where either is not known."""
    total = 0.0
    for kind in ("persistent", "nonpersistent"):
        rate, length = cell_number(f"add_{kind}_rate", cells), cell_number(f"{kind}_length", cells)
        if rate is None or (rate and length is None):
            return None
        total += rate * (length or 0.0)
    return total


def cell_number(name: str, cells: Mapping[str, str]) -> float | None:
    """Return a number with a point; ``None`` for an empty cell. Raises ValueError for others."""
    if not (text := cells.get(name, "")):
        return None
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{name} is no number from 0 on with a point")
    return float(text)


def cell_instant_us(text: str) -> int:
    """Return a time, of UTC where it has no offset. Raises ValueError for others."""
    if not text:
        raise ValueError("time_utc is empty")
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError("time_utc is no time such as 2026-07-09T04:30:00Z") from error
    utc = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return round(utc.timestamp() * US_PER_S)
