"""Inputs of z/TPF: spooled displays and console lines, and the documented table."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timezone, tzinfo
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
from mqcap.ingest.samples import (
    END_UTC,
    FIRST_UTC,
    GatheredFigure,
    Values,
    usual_seconds,
)
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput, listed
from mqcap.ingest.ztpf.spool import (
    HEADER,
    REQUIRED,
    ConsoleDay,
    ConsoleLine,
    Display,
    Stamp,
    Sweeps,
    TableRow,
    columns_of,
    count_of,
    items,
    rows_of,
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


_MESSAGE: Final = re.compile(r"^MQSC\d{4}[IWE] ", re.MULTILINE)
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


@dataclass
class ZtpfReading(SamplesReading):
    """A pass over one file."""

    dataset = ZTPF_SAMPLE
    _last: dict[ZtpfKey, tuple[int, float]] = field(default_factory=dict)
    _stamps: dict[tuple[str, str], array[int]] = field(default_factory=dict)
    """Times of displays by system and queue."""
    _sweeps: Sweeps = field(default_factory=Sweeps)
    _unknown: tuple[str, ...] = ()
    _system: str = ""
    _instants: dict[str, datetime] = field(default_factory=dict)
    """Last stamp of each system."""
    _is_stamped: bool = False
    _day: ConsoleDay | None = None
    _zone: tzinfo = UTC
    """Of the console lines behind the stamp."""
    _displayed: set[str] = field(default_factory=set)
    """Queues, and "" for the queue manager, with a display behind the stamp."""

    @property
    def framing(self) -> str:
        """The form of the text."""
        return "csv" if _is_table(self.text.head) else "text"

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples and sweeps.

        Raises InputError when there are none, unless it is a stamped console without any.
        """
        yield from super().tables()
        if self._sweeps.found:
            rows = [
                {**sweep._asdict(), "file_sha256": self.file_sha256} for sweep in self._sweeps.found
            ]
            yield self.table(ZTPF_SWEEP.name, rows)
            self.note(*self._sweeps.span())
            self.dates |= self._sweeps.dates()

    def take_all(self) -> None:
        """Read the table, or the spooled text."""
        if _is_table(self.text.head):
            self._read_table()
        else:
            self._read_spool()

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
        is_quiet = self._is_stamped and not self.left_out
        return super().is_usable() or bool(self._sweeps.found) or is_quiet

    def refusal(self) -> InputError:
        """Return the error for a table or text without any figure."""
        refusal = _NO_TABLE if _is_table(self.text.head) else _NO_TEXT
        return self.unusable(**refusal._asdict())

    def _take(
        self,
        system: str,
        queue: str,
        reported_us: int,
        values: Mapping[ZtpfFigure, float],
        seconds: float = float("nan"),
    ) -> None:
        """Gather figures of one time; repeated ones once. More than the total is no figure.

        ``seconds`` is the length of the interval that ends then; NaN where it is not stated.
        """
        total = values.get(_TOTAL)
        for figure, value in values.items():
            if figure in _OF_TOTAL and total is not None and value > total:
                self.left_out.add(f"{figure} is above the total", "figure")
                continue
            key = ZtpfKey(system, queue, figure)
            if self._last.get(key) != (reported_us, value):
                self._last[key] = (reported_us, value)
                self.gathered.add(key, reported_us, value, seconds)

    def _read_table(self) -> None:
        lines = self.text.lines()
        columns = columns_of(lines)
        self._unknown = tuple(name for name in columns if name not in HEADER)
        missing = [name for name in REQUIRED if name not in columns]
        if missing:
            self.left_out.add(f"the header has no {' and no '.join(missing)}", "table")
            return
        for row in rows_of(lines, columns):
            if isinstance(row, ValueError):
                self.left_out.add(str(row), "row")
            else:
                self._take_row(row)

    def _take_row(self, row: TableRow) -> None:
        if _SYSTEM.fullmatch(row.system) is None:
            self.left_out.add("it names no system", "row")
            return
        self._take(row.system, "", row.reported_us, row.values, row.seconds)
        if row.queue_values and not is_mq_name(row.queue):
            self.left_out.add("no name of a queue", "figure of a queue")
        else:
            self._take(row.system, row.queue, row.reported_us, row.queue_values, row.seconds)

    def _read_spool(self) -> None:
        for item in items(self.text.lines(), self.left_out):
            match item:
                case Stamp():
                    self._take_stamp(item)
                case Display():
                    self._take_display(item)
                case ConsoleLine():
                    self._take_line(item)

    def _take_stamp(self, stamp: Stamp) -> None:
        """Begin what a stamp is of; what follows one that cannot be used is left out."""
        self._system, self._day, self._displayed = "", None, set()
        self._sweeps.begin()
        if _SYSTEM.fullmatch(stamp.system) is None:
            self.left_out.add(f"NOW({stamp.now[:40]}) without SYSTEM(name)", "stamp")
            return
        zone = self.zones.get(zone_key("ztpf", stamp.system))
        try:
            earlier = self._instants.get(stamp.system)
            instant = _possible(site_stamp_utc(stamp.now, zone, earlier, stamp.system))
        except ValueError as error:
            self.left_out.add(str(error), "stamp")
            return
        self._instants[stamp.system], self._system, self._is_stamped = instant, stamp.system, True
        local = _local(stamp.now, instant, zone)
        self._day = ConsoleDay.from_stamp(local)
        self._zone = local.tzinfo or UTC

    def _take_display(self, display: Display) -> None:
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
        known = {figure: value for figure, value in values.items() if value is not None}
        stamps = self._stamps.setdefault((self._system, display.queue), array("q"))
        stamps.append(reported_us)
        self._take(self._system, display.queue, reported_us, known)

    def _take_line(self, line: ConsoleLine) -> None:
        if self._day is None:
            if line.queue:
                self.left_out.add("no dated stamp before it, so no day", "console line")
            return
        day = self._day.of(line.at)
        if not line.queue:
            return
        if not is_mq_name(line.queue):
            self.left_out.add("no name of a queue", "console line")
            return
        local = datetime.combine(day, line.at, self._zone)
        self._sweeps.add(
            self._system, line.queue, _later(local) if self._day.is_set_back else local
        )

    def is_end(self, line: str) -> bool:
        """Return whether a message of z/TPF ends with the line."""
        return line.rstrip().endswith("+")

    def problems(self) -> Iterator[str]:
        """Yield what was left out."""
        yield from super().problems()
        if self._unknown:
            names = listed([text[:40] for text in self._unknown])
            yield f"{self.name}: columns that the table does not have left out: {names}."


def _is_table(head: str) -> bool:
    """Return whether a text is the documented table."""
    return head.startswith(",".join(REQUIRED))


def _later(local: datetime) -> datetime:
    """Return the second one of a local time that occurs twice; any other as it is."""
    second = local.replace(fold=1)
    return second if second.astimezone(UTC) > local.astimezone(UTC) else local


def _possible(instant: datetime) -> datetime:
    if not FIRST_UTC <= instant < END_UTC:
        raise ValueError("NOW() is an impossible time")
    return instant


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
    recognises=lambda text: _is_table(text.head) or _MESSAGE.search(text.head) is not None,
    begin=ZtpfReading,
    first_line=r"MQSC\d{4}[IWE] \d\d\.\d\d\.\d\d ",
    named_behind="text of z/TPF",
)
