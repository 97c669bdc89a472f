"""Convert printed rows to rows of a section dataset: identity, interval, values of fields.

The header time (Date, Time) is local and Interval_Start is local as long as the formatter ran
with ``-g yes``. Otherwise Interval_Start is shifted by the zone of the machine it ran on, which
shows as a difference of quarter hours between Interval_Start + Interval_Duration and the header
time; the shift found there is undone in all times of the TOD clock.

A value is null where the formatter prints none or a word. An absent field is -1, dots or 1970; a
time not set is empty.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from mqcap.ingest.mqsmfcsv.names import INTERVAL, SECTION_INDEX, is_signed, key_of, kind_of
from mqcap.ingest.smf.clock import TOD_UNITS_PER_US, US_PER_SECOND, clock_problem
from mqcap.ingest.smf.decode import column_fields
from mqcap.ingest.smf.kinds import MQ_ACCOUNTING, Kind, decoded_kinds
from mqcap.ingest.smf.layout import Field, FieldType, Layout, level_key, level_length

_LEFT_OVER: Final = frozenset({5, 6, 7})
"""Subtypes of 115 without interval: the printed one is left over from another record. It holds
where it ends when this one was written, as both are of one moment."""
_WRITTEN_WITHIN: Final = timedelta(seconds=2)
"""Printed lengths are cut to whole seconds."""
_LONGEST_INTERVAL: Final = timedelta(hours=25)
_TASK_STRUCTURE: Final = "WTAS"
_TASK: Final = {_TASK_STRUCTURE: "correl", "WTID": "wtascorrelator", "WQST": "correlation"}
"""Key of the correlator that the parts of the record of a task share."""
_TASK_END: Final = "wtasintervalend"
QUARTER_HOUR: Final = timedelta(minutes=15)
DISORDER: Final = timedelta(minutes=90)
"""Rows may be out of order by this much before local time is taken to have run twice."""
_FIRST_LEVEL_WITH_GROUP: Final = (10, 0, 0)
_OLDEST_LEVEL: Final = "8.0.0"
_LAST_HASH: Final = (1 << 63) - 1
LOWEST_PRINTED_HASH: Final = (1 << 63) - (1 << 32)
"""Hashes from here on are those of printed rows; a record has one once in 4,000,000,000 times."""


@dataclass
class RowMaker:
    """Converter of the printed rows of one file to rows of the datasets."""

    file_sha256: str
    zones: Mapping[str, str]
    shifts: set[timedelta] = field(default_factory=set)
    """Time shifts of the formatter, where they are known."""
    _latest: dict[str, datetime] = field(default_factory=dict)
    _sections: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _shift: timedelta = timedelta(0)
    _task_shift: timedelta = timedelta(0)
    """That of times of tasks, which are not local ones."""
    _tasks: dict[tuple[str, str, str], Mapping[str, Any]] = field(default_factory=dict)
    """Intervals of tasks, by system, queue manager and correlator."""

    def row(self, layout: Layout, cells: Mapping[str, str], byte_offset: int) -> dict[str, Any]:
        """Return the row of a section. Raises ValueError or KeyError when the cells are none."""
        smfid, qmgr = cells["lpar"].strip(), cells["qmgr"].strip()
        written = moment(cells["date"], cells["time"])
        if written is None:
            raise ValueError("it has no date")
        odd = clock_problem(int(written.replace(tzinfo=UTC).timestamp()) * US_PER_SECOND)
        if odd:
            raise ValueError(odd)
        level = level_of(cells["mqversion"])
        has_group = level and "qsg" in cells and level_key(level) >= _FIRST_LEVEL_WITH_GROUP
        task = cells.get(_TASK.get(layout.name, ""), "").strip()
        record = (smfid, qmgr, cells["date"], cells["time"], task)
        place = (layout.name, *record)
        printed = (layout.name, *(f"{key}={cell}" for key, cell in sorted(cells.items())))
        front = {
            "smfid": smfid,
            "qmgr": qmgr,
            "qsg": cells["qsg"].strip(" .") if has_group else None,
            "mq_level": level,
            **self._kind_and_times(layout, cells, smfid, written),
            "section_index": int(cells.get(SECTION_INDEX, self._sections[place])),
            "record_hash": _printed_hash(record if task else printed),
            "record_offset_bytes": byte_offset,
            "file_sha256": self.file_sha256,
        }
        if layout.name == _TASK_STRUCTURE:
            self._task_shift = self._shift_of_task(cells, front["record_utc"])
        is_of_task = kind_of(layout).record_type == MQ_ACCOUNTING
        shift = self._task_shift if is_of_task else self._shift
        own = {
            field.column: value_of(layout, field, cells, level or _OLDEST_LEVEL, shift)
            for field in column_fields(layout)
        }
        self._sections[place] += 1
        if task:
            front |= self._interval_of_task((smfid, qmgr, task), own)
        return front | own

    def _shift_of_task(self, cells: Mapping[str, str], written: datetime) -> timedelta:
        """Return the shift of the times of a task, which ended when its record was written."""
        printed = moment(cells.get(f"{_TASK_END}date", ""), cells.get(f"{_TASK_END}time", ""))
        if printed is None:
            return self._task_shift
        return round((printed.replace(tzinfo=UTC) - written) / QUARTER_HOUR) * QUARTER_HOUR

    def _interval_of_task(
        self, task: tuple[str, str, str], own: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the interval of a task: its identity and queues have that of its WTAS."""
        start, end = own.get("wtasints"), own.get("wtasinte")
        if start and end and timedelta(0) < end - start <= _LONGEST_INTERVAL:
            self._tasks[task] = interval_columns(start, end)
        return self._tasks.get(task, {})

    def _kind_and_times(
        self, layout: Layout, cells: Mapping[str, str], smfid: str, written: datetime
    ) -> dict[str, Any]:
        kind = kind_of(layout)
        subtype = cells.get("recordsubtype", str(kind.record_subtype))
        if Kind(kind.record_type, int(subtype)) not in decoded_kinds():
            raise ValueError(f"there are no records {kind.record_type}.{subtype}")
        end, offset = self._instant(smfid, written)
        times: dict[str, Any] = {
            "record_type": kind.record_type,
            "record_subtype": int(subtype),
            "interval_start_utc": None,
            "interval_end_utc": None,
            "interval_seconds": None,
            "utc_offset_minutes": round(offset / timedelta(minutes=1)),
            "record_utc": end,
        }
        if kind.record_type == MQ_ACCOUNTING or INTERVAL[0] not in cells:
            return times
        printed = moment(cells[INTERVAL[0]], cells[INTERVAL[1]])
        length = timedelta(seconds=int(cells[INTERVAL[2]]))
        if printed is None:
            return times
        is_doubtful = int(subtype) in _LEFT_OVER or length <= timedelta(0)
        shift = round((printed + length - written) / QUARTER_HOUR) * QUARTER_HOUR
        if is_doubtful:
            shift = self._shift
        late = written + shift - printed - length
        is_own = -_WRITTEN_WITHIN < late < _WRITTEN_WITHIN
        if is_doubtful and not is_own:
            return times
        self._shift = shift
        self.shifts.add(shift)
        start = (printed - shift - offset).replace(tzinfo=UTC)
        if length <= timedelta(0) and end <= start:
            return times
        is_near = abs(end - start - length) < _WRITTEN_WITHIN  # the header time has hundredths
        end = max(start + length, end) if is_near else start + length
        return times | interval_columns(start, end)

    def _instant(self, smfid: str, local: datetime) -> tuple[datetime, timedelta]:
        """Return the instant of a local time and its offset from UTC; the later of two by order."""
        zone = ZoneInfo(self.zones.get(smfid, "UTC"))
        placed = local.replace(tzinfo=zone)
        if placed.astimezone(UTC) < self._latest.get(smfid, placed.astimezone(UTC)) - DISORDER:
            placed = placed.replace(fold=1)
        instant = placed.astimezone(UTC)
        self._latest[smfid] = max(instant, self._latest.get(smfid, instant))
        return instant, placed.utcoffset() or timedelta(0)


def interval_columns(start: datetime, end: datetime) -> dict[str, Any]:
    """Return the columns of an interval."""
    return {
        "interval_start_utc": start,
        "interval_end_utc": end,
        "interval_seconds": (end - start) / timedelta(seconds=1),
    }


def _printed_hash(parts: Iterable[str]) -> int:
    """Return a hash of what was printed, above nearly all hashes of records.

    Of rows with the same key the one with the lowest hash counts, so the dump itself is
    preferred to its print, whichever came first; the same print twice is the same row.
    """
    digest = hashlib.blake2b("\n".join(parts).encode(), digest_size=4).digest()
    return _LAST_HASH - int.from_bytes(digest, "big")


UNRELIABLE: Final = frozenset({"qesdbfbt", "qsphdspnm"})
"""Printed wrongly: only the high word of a time (QESD), and a flag where a name should be."""
IN_TOD_UNITS: Final = frozenset({"qjstslptu"})
"""Durations that the formatter prints as they are in the record."""
_NOT_SET_DAYS: Final = frozenset({"", "0", "1970-01-01"})
_CHANGED_NUMBER: Final = re.compile(
    r"[+-]?\d[\d ]*(?:[.,][\d ]*)+(?:[Ee][+-]?\d+)?|\d+[Ee][+-]?\d+"
)
"""As a spreadsheet writes it."""
_TEXTS: Final = frozenset({FieldType.EBCDIC, FieldType.BYTES})


def moment(day: str, clock: str) -> datetime | None:
    """Return a printed local time; None when it is not set. Raises ValueError when it is none."""
    day = day.strip().replace("/", "-")
    if day in _NOT_SET_DAYS:
        return None
    return datetime.fromisoformat(f"{day} {clock.strip().replace(',', '.')}")


def level_of(version: str) -> str | None:
    """Return ``10.0.0`` for ``100000`` (VVRRMM), ``9.3.5`` for ``935`` (VRM), else ``None``."""
    digits = version.strip()
    if not digits.isdigit() or len(digits) not in {3, 6}:
        return None
    size = len(digits) // 3
    return ".".join(str(int(digits[at : at + size])) for at in range(0, len(digits), size))


def value_of(
    layout: Layout, field: Field, cells: Mapping[str, str], level: str, shift: timedelta
) -> Any:
    """Return the value of a field; None when not printed, or absent in this product version.

    Raises ValueError when a number or time is none.
    """
    key = key_of(field)
    if key is None or field.column in UNRELIABLE:
        return None
    if field.type is FieldType.STCK:
        local = moment(cells.get(f"{key}date", ""), cells.get(f"{key}time", ""))
        return None if local is None else (local - shift).replace(tzinfo=UTC)
    if field.type is FieldType.TIMEVAL:
        return _duration(field, key, cells)
    if key not in cells:
        return None
    absent = field.end > level_length(layout, level) and layout.repeat is None
    if field.type in _TEXTS:
        return _text(field, cells[key], absent)
    return _number(field, cells[key], absent)


def _duration(field: Field, key: str, cells: Mapping[str, str]) -> float | None:
    """Return microseconds from seconds and the rest in two columns, or from one column."""
    if f"{key}us" in cells:
        rest = int(cells[f"{key}us"])
        total_us = rest + 1_000_000 * int(cells.get(f"{key}s", "0"))
        return float(total_us) if rest >= 0 else None
    text = cells.get(key, "").strip()
    if not text or int(text) < 0:
        return None
    return int(text) / (TOD_UNITS_PER_US if field.column in IN_TOD_UNITS else 1)


def _text(field: Field, cell: str, absent: bool) -> str | None:
    """Return text without padding; dots stand for unprintable characters or an absent field."""
    if not cell.strip(" ."):
        return None if absent else ""
    if field.type is FieldType.BYTES:
        return cell.strip().lower()
    return cell.rstrip(" ")


def _number(field: Field, cell: str, absent: bool) -> int | None:
    """Return an integer; null for a word (Yes, PRIVATE), which stands for an unknown code."""
    text = cell.strip()
    if _CHANGED_NUMBER.fullmatch(text):
        raise ValueError(f"{field.name} is {text}, no whole number: another program has changed it")
    if not text.lstrip("-").isdigit():
        return None
    number = int(text)
    if number < -1 and not is_signed(field):
        raise ValueError(f"{field.name} is {text}, and no such number is below zero")
    if abs(number) >= 1 << 8 * field.length:
        raise ValueError(f"{field.name} is {text}, more than {field.length} bytes can hold")
    if is_signed(field) and number >= 1 << 8 * field.length - 1:
        number -= 1 << 8 * field.length  # printed without its sign
    if abs(number) >= 1 << 63 or number in field.absent:
        return None
    return None if number == -1 and (absent or not is_signed(field)) else number
