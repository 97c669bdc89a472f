"""Inputs of z/TPF: spooled displays and console lines, and the documented table."""

from __future__ import annotations

import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from mqcap.domain.datasets import ZTPF_SAMPLE, ZTPF_SWEEP
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import SampleReading
from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.domain.units import US_PER_S
from mqcap.ingest.capture_stamp import local_stamp, site_stamp_utc
from mqcap.ingest.samples import END_UTC, FIRST_UTC, GatheredFigure, Values, usual_seconds
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput, listed
from mqcap.ingest.ztpf.spool import (
    DISPLAYS,
    HEADER,
    MESSAGE,
    OTHER,
    REQUIRED,
    STAMP,
    SWEEP,
    SWEPT,
    SYSTEM_FIGURES,
    ConsoleDay,
    Display,
    cell_instant_us,
    cell_number,
    count_of,
    put_bytes_per_s,
)

_TOTAL: Final = ZtpfFigure.mqm_total_blocks
_OF_TOTAL: Final = (ZtpfFigure.mqm_in_use_blocks, ZtpfFigure.mqm_high_water_blocks)


class ZtpfKey(NamedTuple):
    """Whose figure a sample is."""

    system: str
    queue: str
    """Empty for a figure of the system."""
    figure: ZtpfFigure

    @property
    def reading(self) -> SampleReading:
        """All are levels."""
        return SampleReading.gauge


_SYSTEM: Final = re.compile(r"[A-Za-z0-9_.-]{1,32}")
_NO_TABLE: Final = Refusal(
    "a table of z/TPF without any figure",
    expected=f"the header {','.join(HEADER)}, and rows with system and time_utc",
    remedy="Write the table again; an empty cell means not known.",
)
_NO_TEXT: Final = Refusal(
    "text of z/TPF without any figure",
    expected="NOW(2026-07-09T00:15:00-0400) SYSTEM(TPF1) before each display and at the start of"
    " each day's console",
    remedy="Let the automation write that line, with the offset from UTC.",
)


class Sweep(NamedTuple):
    """A sweep as the console has it."""

    system: str
    queue: str
    local_date: str
    local_time: str
    """With its offset from UTC where it is the second of an hour that clocks repeat."""
    sequence: int
    """From 1, where several lines of a second are equal."""


@dataclass
class _ZtpfReading(SamplesReading):
    dataset = ZTPF_SAMPLE
    _last: dict[ZtpfKey, tuple[int, float]] = field(default_factory=dict)
    _stamps: dict[tuple[str, str], array[int]] = field(default_factory=dict)
    """Times of displays by system and queue."""
    _sweeps: dict[Sweep, datetime] = field(default_factory=dict)
    """When each was, in UTC."""
    _sweep_counts: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    """Behind the stamp: a text that repeats stamp and lines adds no sweep."""
    _unknown: tuple[str, ...] = ()
    _system: str = ""
    _instants: dict[str, datetime] = field(default_factory=dict)
    """Last stamp of each system."""
    _day: ConsoleDay | None = None
    _display: Display | None = None
    """The display whose lines are being read."""
    _displayed: set[str] = field(default_factory=set)
    """Queues, and "" for the queue manager, with a display behind the stamp."""

    @property
    def framing(self) -> str:
        return "csv" if _is_table(self.text.head) else "text"

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples and sweeps.

        Raises InputError when there are none, unless it is a stamped console without any.
        """
        yield from super().tables()
        if self._sweeps:
            rows = [{**sweep._asdict(), "file_sha256": self.file_sha256} for sweep in self._sweeps]
            yield self.table(ZTPF_SWEEP.name, rows)
            self.note(min(self._sweeps.values()), max(self._sweeps.values()) + timedelta(seconds=1))
            days = {date.fromisoformat(sweep.local_date) for sweep in self._sweeps}
            self.dates |= {day + timedelta(days=shift) for day in days for shift in (-1, 0, 1)}

    def take_all(self) -> None:
        if _is_table(self.text.head):
            self._read_table()
            return
        for number, line in enumerate(self.text.lines(), start=1):
            stamp, message = STAMP.match(line), MESSAGE.match(line)
            if stamp or message:
                self._end_display()
            if stamp:
                self._take_stamp(stamp[1].strip(), (stamp[2] or "").strip())
            elif message:
                self._take_message(message)
            elif not ((self._display and self._display.add(line)) or OTHER.match(line)):
                self.left_out.not_understood(line, number)
        self._end_display()

    def add(self, figure: GatheredFigure[ZtpfKey]) -> None:
        """Add the samples of a figure with their intervals.

        Of displays it is the most frequent distance of their stamps, of a table what it states,
        else that of its times.
        """
        key, reported_us, stated, values = figure
        stamps = self._stamps.get((key.system, key.queue))
        usual = usual_seconds(reported_us if stamps is None else stamps)
        seconds: Values | float | None = usual
        if stamps is None and usual is not None:
            seconds = np.where(np.isnan(stated), usual, stated)
        self.samples.add(key, reported_us, seconds, values)

    def is_usable(self) -> bool:
        """Return whether there are samples or sweeps, or there need be none."""
        is_quiet = bool(self._instants) and not self.left_out
        return super().is_usable() or bool(self._sweeps) or is_quiet

    def refusal(self) -> InputError:
        refusal = _NO_TABLE if _is_table(self.text.head) else _NO_TEXT
        return self.unusable(**refusal._asdict())

    def _take(
        self,
        system: str,
        queue: str,
        reported_us: int,
        values: Mapping[ZtpfFigure, float | None],
        seconds: float = float("nan"),
    ) -> None:
        """Gather figures of one time; repeated ones once. More than the total is no figure.

        ``seconds`` is the length of the interval that ends then; NaN where it is not stated.
        """
        total = values.get(_TOTAL)
        for figure, value in values.items():
            if value is None:
                continue
            if figure in _OF_TOTAL and total is not None and value > total:
                self.left_out.add(f"{figure} is above the total", "figure")
                continue
            key = ZtpfKey(system, queue, figure)
            if self._last.get(key) != (reported_us, value):
                self._last[key] = (reported_us, value)
                self.gathered.add(key, reported_us, value, seconds)

    def _read_table(self) -> None:
        reader = csv.reader(self.text.lines())
        columns = [name.strip() for name in next(reader, [])]
        self._unknown = tuple(name for name in columns if name not in HEADER)
        missing = [name for name in REQUIRED if name not in columns]
        if missing:
            self.left_out.add(f"the header has no {' and no '.join(missing)}", "table")
            return
        while True:
            try:
                if (cells := next(reader, None)) is None:
                    return
                if any(cell.strip() for cell in cells):
                    self._take_row(columns, [cell.strip() for cell in cells])
            except (csv.Error, ValueError) as error:
                self.left_out.add(str(error), "row")

    def _take_row(self, columns: list[str], texts: list[str]) -> None:
        if len(texts) != len(columns):
            raise ValueError(f"it has not the {len(columns)} columns of the header")
        cells = dict(zip(columns, texts, strict=True))
        values = {figure: cell_number(name, cells) for name, figure in SYSTEM_FIGURES.items()}
        seconds = cell_number("interval_s", cells) or float("nan")
        of_queue = {
            ZtpfFigure.queue_depth_count: cell_number("depth", cells),
            ZtpfFigure.queue_put_bytes_per_s: put_bytes_per_s(cells),
        }
        reported_us = cell_instant_us(cells["time_utc"])
        system, queue = cells["system"], cells.get("queue", "")
        if _SYSTEM.fullmatch(system) is None:
            raise ValueError("it names no system")
        self._take(system, "", reported_us, values, seconds)
        if is_mq_name(queue):
            self._take(system, queue, reported_us, of_queue, seconds)
        elif any(value is not None for value in of_queue.values()):
            self.left_out.add("no name of a queue", "figure of a queue")

    def _take_stamp(self, now: str, system: str) -> None:
        """Begin what a stamp is of; what follows one that cannot be used is left out."""
        self._system, self._day, self._displayed = "", None, set()
        self._sweep_counts.clear()
        if _SYSTEM.fullmatch(system) is None:
            self.left_out.add(f"NOW({now[:40]}) without SYSTEM(name)", "stamp")
            return
        zone = self.zones.get(zone_key("ztpf", system))
        try:
            instant = site_stamp_utc(now, zone, self._instants.get(system), system)
            problem = "" if FIRST_UTC <= instant < END_UTC else "NOW() is an impossible time"
        except ValueError as error:
            problem = str(error)
        if problem:
            self.left_out.add(problem, "stamp")
            return
        self._instants[system], self._system = instant, system
        self._day = ConsoleDay.from_stamp(_local(now, instant, zone))

    def _end_display(self) -> None:
        """Take the display that is complete now, if there is one."""
        display, self._display = self._display, None
        if display is None:
            return
        if not self._system or display.queue in self._displayed:
            self.left_out.add("it has no stamp of its own", "display")
            return
        if display.queue is None or not (display.queue == "" or is_mq_name(display.queue)):
            self.left_out.add("no name of a queue", "display")
            return
        self._displayed.add(display.queue)
        values = {figure: count_of(text) for figure, text in display.values.items()}
        for figure, value in values.items():
            if value is None:
                self.left_out.add(f"{figure} is no number", "display")
        reported_us = round(self._instants[self._system].timestamp()) * US_PER_S
        stamps = self._stamps.setdefault((self._system, display.queue), array("q"))
        stamps.append(reported_us)
        self._take(self._system, display.queue, reported_us, values)

    def _take_message(self, message: re.Match[str]) -> None:
        """Begin a display, or take the sweep of a console line, which has a time of the day."""
        if message[1] in DISPLAYS:
            self._display = Display(DISPLAYS[message[1]])
        swept = SWEEP.match(message[5]) if message[1] == SWEPT else None
        try:
            hour, minute, second = map(int, message.group(2, 3, 4))
            at = time(hour, minute, second)
        except (TypeError, ValueError):  # no time
            return
        local = self._day.of(at) if self._day else None
        if swept is None:
            return
        if local is None:
            self.left_out.add("no dated stamp before it, so no day", "console line")
        elif not is_mq_name(swept[1]):
            self.left_out.add("no name of a queue", "console line")
        else:
            clock = f"{local:%H.%M.%S%z}" if local.fold else f"{local:%H.%M.%S}"
            place = (self._system, swept[1], local.date().isoformat(), clock)
            self._sweep_counts[place] += 1
            self._sweeps[Sweep(*place, self._sweep_counts[place])] = local.astimezone(UTC)

    def is_end(self, line: str) -> bool:
        """Return whether a message of z/TPF ends with the line."""
        return line.rstrip().endswith("+")

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self._unknown:
            names = listed([text[:40] for text in self._unknown])
            yield f"{self.name}: columns that the table does not have left out: {names}."


def _is_table(head: str) -> bool:
    return head.startswith(",".join(REQUIRED))


def _local(now: str, instant: datetime, zone: str | None) -> datetime:
    """Return the local time of a stamp: of its site, or as it is written where none is known."""
    if zone is not None:
        return instant.astimezone(ZoneInfo(zone))
    written = local_stamp(now[: len("2026-07-09T00:00:00")])
    if written is None:
        return instant
    return instant.astimezone(timezone(written - instant.replace(tzinfo=None)))


SOURCE: Final = TextInput(
    name="ztpf",
    order=53,
    title="z/TPF displays, console or table",
    description="stamped ZMQSC displays or console lines of z/TPF, or its table (CSV)",
    recognises=lambda text: _is_table(text.head) or any(map(MESSAGE.match, text.head.split("\n"))),
    begin=_ZtpfReading,
    first_line=r"MQSC\d{4}[IWE] \d\d\.\d\d\.\d\d ",
    named_behind="text of z/TPF",
)
