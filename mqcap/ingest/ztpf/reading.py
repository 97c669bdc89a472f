"""One pass over a file of z/TPF: its figures, its sweeps, and what was left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timezone, tzinfo
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from mqcap.domain.datasets import ZTPF_SWEEP
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.errors import InputError
from mqcap.domain.estate import ztpf_zone_key
from mqcap.domain.numbers import counted
from mqcap.domain.source import SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.capture_stamp import local_stamp, site_stamp_utc
from mqcap.ingest.samples import END_UTC, FIRST_UTC
from mqcap.ingest.smf.dump_file import Lines
from mqcap.ingest.ztpf.figures import ZtpfFigures
from mqcap.ingest.ztpf.spool import ConsoleDay, ConsoleLine, Display, Stamp, count_of, items
from mqcap.ingest.ztpf.sweeps import Sweeps
from mqcap.ingest.ztpf.table import HEADER, REQUIRED, TableRow, columns_of, rows_of

BOM: Final = b"\xef\xbb\xbf"
_SYSTEM: Final = re.compile(r"[A-Za-z0-9_.-]{1,32}")
_STAMPED: Final = "NOW(2026-07-09T00:15:00-0400) SYSTEM(TPF1)"


@dataclass
class ZtpfReading:
    """A pass over one file."""

    path: Path
    file_sha256: str
    zones: Mapping[str, str]
    is_table: bool
    content_bytes: int = 0
    _left_out: Counter[str] = field(default_factory=Counter)
    _figures: ZtpfFigures = field(init=False)
    _sweeps: Sweeps = field(init=False)
    _unknown: tuple[str, ...] = ()
    _system: str = ""
    _instants: dict[str, datetime] = field(default_factory=dict)
    """Last stamp of each system."""
    _is_stamped: bool = False
    _unpacking: str = ""
    _day: ConsoleDay | None = None
    _zone: tzinfo = UTC
    """Of the console lines behind the stamp."""
    _displayed: set[str] = field(default_factory=set)
    """Queues, and "" for the queue manager, with a display behind the stamp."""

    def __post_init__(self) -> None:
        """Begin without figures and sweeps."""
        self._figures = ZtpfFigures(self.file_sha256, self._left_out)
        self._sweeps = Sweeps(self.file_sha256)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples and sweeps.

        Raises InputError when there are none, unless it is a stamped console without any.
        """
        if self.is_table:
            self._read_table()
        else:
            self._read_spool()
        yield from self._figures.tables()
        is_quiet = self._is_stamped and not self._left_out
        if not (self._figures.samples.row_count or self._sweeps or is_quiet):
            raise self._unusable()
        if self._sweeps:
            yield ZTPF_SWEEP.name, self._sweeps.table()

    def summary(self) -> SourceSummary:
        """Return what was found."""
        framing = "csv" if self.is_table else "text"
        made = self._figures.samples.summary(
            self.path.name, framing, self.content_bytes, problems=self._problems()
        )
        return self._sweeps.added_to(made)

    def _lines(self) -> Iterator[str]:
        lines = Lines(self.path)
        for number, line in enumerate(lines):
            self.content_bytes += len(line)
            text = line.removeprefix(BOM) if number == 0 else line
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
            self._figures.take(row.system, "", row.reported_us, row.values, row.seconds)
            if row.queue_values and not is_mq_name(row.queue):
                self._left_out["figure of a queue: no name of a queue"] += 1
            else:
                self._figures.take(
                    row.system, row.queue, row.reported_us, row.queue_values, row.seconds
                )

    def _read_spool(self) -> None:
        for item in items(self._lines()):
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
        local = _local(stamp.now, instant, zone)
        self._day = ConsoleDay.from_stamp(local)
        self._zone = local.tzinfo or UTC

    def _take_display(self, display: Display) -> None:
        if not self._system or display.queue in self._displayed:
            self._left_out["display: it has no stamp of its own"] += 1
            return
        if display.queue is None or not (display.queue == "" or is_mq_name(display.queue)):
            self._left_out["display: no name of a queue"] += 1
            return
        self._displayed.add(display.queue)
        values = {figure: count_of(text) for figure, text in display.values.items()}
        for figure, value in values.items():
            if value is None:
                self._left_out[f"display: {figure} is no number"] += 1
        reported_us = round(self._instants[self._system].timestamp()) * US_PER_S
        known = {figure: value for figure, value in values.items() if value is not None}
        self._figures.take_display(self._system, display.queue, reported_us, known)

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
        local = datetime.combine(day, time(line.hour, line.minute, line.second), self._zone)
        self._sweeps.add(
            self._system, line.queue, _later(local) if self._day.is_set_back else local
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
