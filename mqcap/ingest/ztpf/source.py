"""Inputs of z/TPF: spooled displays and console lines, and the documented table."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa

from mqcap.domain.datasets import ZTPF_SAMPLE, ZTPF_SWEEP
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import SampleReading
from mqcap.domain.errors import InputError
from mqcap.domain.estate import ztpf_zone_key
from mqcap.domain.numbers import counted
from mqcap.domain.sampled.ztpf_figure import ZtpfFigure
from mqcap.domain.source import Reading, SourceSummary
from mqcap.ingest.capture_stamp import local_stamp, site_stamp_utc
from mqcap.ingest.samples import (
    END_UTC,
    FIRST_UTC,
    GatheredSamples,
    Instants,
    Samples,
    Values,
    most_frequent,
)
from mqcap.ingest.smf.dump_file import Lines, read_head
from mqcap.ingest.ztpf.spool import ConsoleDay, ConsoleLine, QmgrDisplay, Stamp, count_of, items
from mqcap.ingest.ztpf.table import HEADER, REQUIRED, TableRow, columns_of, rows_of

_MESSAGE: Final = re.compile(rb"^MQSC\d{4}[IWE] ", re.MULTILINE)
_TABLE: Final = ",".join(REQUIRED).encode()
_BOM: Final = b"\xef\xbb\xbf"
_SYSTEM: Final = re.compile(r"[A-Za-z0-9_.-]{1,32}")
_TOTAL: Final = ZtpfFigure.mqm_total_blocks
_OF_TOTAL: Final = (ZtpfFigure.mqm_in_use_blocks, ZtpfFigure.mqm_high_water_blocks)
_US: Final = 1_000_000
_SWEEP_SCHEMA: Final = pa.schema([(name, pa.string()) for name in ZTPF_SWEEP.columns])
_STAMPED: Final = "NOW(2026-07-09T00:15:00-0400) SYSTEM(TPF1)"


class ZtpfKey(NamedTuple):
    """Whose figure a sample is."""

    system: str
    figure: ZtpfFigure

    @property
    def reading(self) -> SampleReading:
        """All are levels."""
        return SampleReading.gauge


class _Sweep(NamedTuple):
    system: str
    queue: str
    local_date: str
    local_time: str


@dataclass
class ZtpfReading:
    """A pass over one file."""

    path: Path
    file_sha256: str
    zones: Mapping[str, str]
    is_table: bool
    content_bytes: int = 0
    _samples: Samples = field(init=False)
    _gathered: GatheredSamples[ZtpfKey] = field(default_factory=GatheredSamples)
    _last: dict[ZtpfKey, tuple[int, float]] = field(default_factory=dict)
    _stamps: dict[str, array[int]] = field(default_factory=dict)
    """Times of displays by system."""
    _sweeps: dict[_Sweep, None] = field(default_factory=dict)
    _left_out: Counter[str] = field(default_factory=Counter)
    _unknown: tuple[str, ...] = ()
    _system: str = ""
    _instants: dict[str, datetime] = field(default_factory=dict)
    """Last stamp of each system."""
    _is_stamped: bool = False
    _unpacking: str = ""
    _day: ConsoleDay | None = None
    _is_displayed: bool = False

    def __post_init__(self) -> None:
        """Begin without samples."""
        self._samples = Samples(self.file_sha256, ZTPF_SAMPLE)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples and sweeps.

        Raises InputError when there are none, unless it is a stamped console without any.
        """
        if self.is_table:
            self._read_table()
        else:
            self._read_spool()
        for key, reported_us, seconds, values in self._gathered.figures():
            self._samples.add(key, reported_us, self._steps(key, reported_us, seconds), values)
            yield from self._samples.full()
        is_quiet = self._is_stamped and not self._left_out
        if not (self._samples.row_count or self._sweeps or is_quiet):
            raise self._unusable()
        yield from self._samples.rest()
        if self._sweeps:
            rows = [{**sweep._asdict(), "file_sha256": self.file_sha256} for sweep in self._sweeps]
            yield ZTPF_SWEEP.name, pa.Table.from_pylist(rows, schema=_SWEEP_SCHEMA)

    def summary(self) -> SourceSummary:
        """Return what was found. Sweeps touch the UTC dates around their local one."""
        framing = "csv" if self.is_table else "text"
        made = self._samples.summary(
            self.path.name, framing, self.content_bytes, problems=self._problems()
        )
        if not self._sweeps:
            return made
        days = {date.fromisoformat(sweep.local_date) for sweep in self._sweeps}
        around = {day + timedelta(days=shift) for day in days for shift in (-1, 0, 1)}
        return replace(
            made,
            record_count=made.record_count + len(self._sweeps),
            rows_by_dataset={**made.rows_by_dataset, ZTPF_SWEEP.name: len(self._sweeps)},
            hour_dates=tuple(sorted({*made.hour_dates, *around})),
        )

    def _lines(self) -> Iterator[str]:
        lines = Lines(self.path)
        for number, line in enumerate(lines):
            self.content_bytes += len(line)
            text = line.removeprefix(_BOM) if number == 0 else line
            yield text.decode("utf-8", "replace").rstrip("\r\n")
        self._unpacking = lines.problem or ""

    def _read_table(self) -> None:
        lines = self._lines()
        columns = columns_of(lines)
        self._unknown = tuple(name for name in columns if name not in HEADER)
        missing = [name for name in REQUIRED if name not in columns]
        if missing:
            self._left_out[f"the header has no {' and no '.join(missing)}"] += 1
            return
        for row in rows_of(lines, columns):
            if isinstance(row, ValueError):
                self._left_out[f"row: {row}"] += 1
            else:
                self._take_row(row)

    def _take_row(self, row: TableRow) -> None:
        if _SYSTEM.fullmatch(row.system) is None:
            self._left_out["row: it names no system"] += 1
        else:
            self._take(row.system, row.reported_us, row.values, row.seconds)

    def _read_spool(self) -> None:
        for item in items(self._lines()):
            match item:
                case Stamp():
                    self._take_stamp(item)
                case QmgrDisplay():
                    self._take_display(item)
                case ConsoleLine():
                    self._take_line(item)

    def _take_stamp(self, stamp: Stamp) -> None:
        """Begin what a stamp is of; what follows one that cannot be used is left out."""
        self._system, self._day, self._is_displayed = "", None, False
        if _SYSTEM.fullmatch(stamp.system) is None:
            self._left_out[f"stamp: NOW({stamp.now[:40]}) without SYSTEM(name)"] += 1
            return
        zone = self.zones.get(ztpf_zone_key(stamp.system))
        try:
            earlier = self._instants.get(stamp.system)
            instant = _possible(site_stamp_utc(stamp.now, zone, earlier, stamp.system))
        except ValueError as error:
            self._left_out[f"stamp: {error}"] += 1
            return
        self._instants[stamp.system], self._system, self._is_stamped = instant, stamp.system, True
        self._day = ConsoleDay.from_stamp(_local(stamp.now, instant, zone))

    def _take_display(self, display: QmgrDisplay) -> None:
        if not self._system or self._is_displayed:
            self._left_out["display: it has no stamp of its own"] += 1
            return
        self._is_displayed = True
        values = {figure: count_of(text) for figure, text in display.values.items()}
        for figure, value in values.items():
            if value is None:
                self._left_out[f"display: {figure} is no number"] += 1
        reported_us = round(self._instants[self._system].timestamp()) * _US
        self._stamps.setdefault(self._system, array("q")).append(reported_us)
        known = {figure: value for figure, value in values.items() if value is not None}
        self._take(self._system, reported_us, known)

    def _take_line(self, line: ConsoleLine) -> None:
        if self._day is None:
            if line.queue:
                self._left_out["console line: no dated stamp before it, so no day"] += 1
            return
        day = self._day.of(line)
        if not line.queue:
            return
        if not is_mq_name(line.queue):
            self._left_out["console line: no name of a queue"] += 1
            return
        self._sweeps[_Sweep(self._system, line.queue, day.isoformat(), line.time)] = None

    def _take(
        self,
        system: str,
        reported_us: int,
        values: Mapping[ZtpfFigure, float],
        seconds: float = float("nan"),
    ) -> None:
        """Gather figures of one time; repeated ones once. More than the total is no figure."""
        total = values.get(_TOTAL)
        for figure, value in values.items():
            if figure in _OF_TOTAL and total is not None and value > total:
                self._left_out[f"figure: {figure} is above the total"] += 1
                continue
            key = ZtpfKey(system, figure)
            if self._last.get(key) != (reported_us, value):
                self._last[key] = (reported_us, value)
                self._gathered.add(key, reported_us, value, seconds)

    def _steps(self, key: ZtpfKey, reported_us: Instants, stated: Values) -> Values | float | None:
        """Return the intervals of a table as it states them, else the most frequent distance.

        Of displays that of their stamps.
        """
        times = reported_us if self.is_table else np.array(self._stamps[key.system])
        distinct: Instants = np.unique(times)
        step_us = most_frequent(distinct[1:] - distinct[:-1])
        step = None if step_us is None else step_us / _US
        return (
            step if step is None or not self.is_table else np.where(np.isnan(stated), step, stated)
        )

    def _problems(self) -> Iterator[str]:
        name = self.path.name
        if self._unpacking:
            yield f"{name}: {self._unpacking}"
        for what, count in self._left_out.items():
            kind, _, reason = what.partition(": ")
            yield f"{name}: {counted(count, kind)} left out: {reason}."
        if self._unknown:
            listed = ", ".join(text[:40] for text in self._unknown[:20])
            yield f"{name}: columns that the table does not have left out: {listed}."

    def _unusable(self) -> InputError:
        found = "; ".join(self._left_out) or "no display of the queue manager, no sweep"
        if self.is_table:
            return InputError(
                "a table of z/TPF without any figure",
                file=self.path.name,
                found=found,
                expected=f"the header {','.join(HEADER)}, and rows with system and time_utc",
                remedy="Write the table again; an empty cell means not known.",
            )
        return InputError(
            "text of z/TPF without any figure",
            file=self.path.name,
            found=found,
            expected=f"{_STAMPED} before each display and at the start of each day's console",
            remedy="Let the automation write that line, with the offset from UTC.",
        )


@dataclass(frozen=True)
class ZtpfSource:
    """Displays, console lines and tables of z/TPF."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Time zone of each z/TPF system, by ``ztpf_zone_key``."""
    name: str = "ztpf"
    order: int = 53
    title: str = "z/TPF displays, console or table"
    description: str = "stamped ZMQSC displays or console lines of z/TPF, or its table (CSV)"

    def in_zones(self, zones: Mapping[str, str]) -> ZtpfSource:
        """Return the same source with these time zones."""
        return replace(self, zones=zones)

    def accepts(self, path: Path) -> bool:
        """Return whether the file is such text, stamped or not, or such a table."""
        head = read_head(path)
        return b"\x00" not in head and (_is_table(head) or _MESSAGE.search(head) is not None)

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return ZtpfReading(path, file_sha256, self.zones, _is_table(read_head(path)))


def _is_table(head: bytes) -> bool:
    return head.removeprefix(_BOM).startswith(_TABLE)


def _possible(instant: datetime) -> datetime:
    if not FIRST_UTC <= instant < END_UTC:
        raise ValueError("NOW() is an impossible time")
    return instant


def _local(now: str, instant: datetime, zone: str | None) -> datetime:
    """Return the local time of a stamp: of its site, or as it is written where none is known."""
    if zone is not None:
        return instant.astimezone(ZoneInfo(zone))
    return local_stamp(now[: len("2026-07-09T00:00:00")]) or instant.astimezone(UTC)


SOURCE: Final = ZtpfSource()
