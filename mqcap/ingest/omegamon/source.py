"""Files of OMEGAMON Data Provider as samples of queue managers on z/OS: a JSON line for each row.

A site chooses tables and fields, so any field may be missing. Field names are those of IBM's
starter filter (z-open-data); a percentage is a whole number there, so that a share of counts is
used where both counts are known.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from importlib.resources import files
from typing import Any, Final

import numpy as np

from mqcap.domain.datasets import ZOS_SAMPLE
from mqcap.domain.estate.entries import zos_structure
from mqcap.domain.numbers import counted
from mqcap.domain.sampled.figures import ZosFigure
from mqcap.domain.units import US_PER_S
from mqcap.ingest.capture_stamp import stamp_utc
from mqcap.ingest.samples import (
    QMGR,
    GatheredFigure,
    Instants,
    ZosKey,
    most_frequent,
    object_number,
)
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput, listed

DISTANCES_MIN: Final = 3
"""A series with fewer distances between its samples takes the interval that its lines state
(ours)."""
_SIGNS: Final = frozenset({"table_name", "write_time", "product_code"})


PRODUCT: Final = "kmq"
"""OMEGAMON for Messaging among the products of Data Provider."""
COMMON_FIELDS: Final = frozenset(
    {
        "write_time",
        "product_code",
        "table_name",
        "interval_seconds",
        "system_name",
        "smf_id",
        "sysplex_name",
        "managed_system",
        "mvs_system",
        "originnode",
    }
)
"""Fields that Data Provider adds to every line."""
_SYSTEM: Final = re.compile(r"[A-Z0-9@#$]{0,4}")
_SYSPLEX: Final = re.compile(r"[A-Z0-9@#$]{0,8}")
_STRUCTURE: Final = re.compile(r"[A-Z][A-Z0-9_@#$]{0,11}")
_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?")
_FULL_PCT: Final = 100

Row = Mapping[str, Any]


ZosSample = tuple[ZosKey, int, float, float]
"""Key, time in microseconds and value of a figure, and the interval that its line states in
seconds; NaN where it states none."""


def samples_of(row: Row) -> Iterator[ZosSample]:
    """Yield the figures of a line of a table that is read; of other tables none.

    Raises ValueError with the reason why the line cannot be used.
    """
    read = _TABLES.get(str(row.get("table_name")))
    figures = list(read(row)) if read else []
    if not figures:
        return
    sysplex = _name(row, ("sysplex_name",), _SYSPLEX)
    smfid = _name(row, ("smf_id", "system_name", "mvs_system"), _SYSTEM)
    qmgr = "" if row.get("table_name") == _OF_GROUP else _name(row, ("mq_manager_name",), QMGR)
    reported_us = instant_us(str(row.get("write_time", "")))
    stated = _number(row, "interval_seconds")
    seconds = stated if stated is not None and stated > 0 else float("nan")
    for figure, name, value in figures:
        yield ZosKey(sysplex, smfid, qmgr, name, figure), reported_us, value, seconds


@lru_cache(maxsize=1 << 12)
def instant_us(text: str) -> int:
    """Return a time with up to nine digits and its offset, in microseconds since 1970.

    Raises ValueError when it is no such time, or has no offset.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError(f"write_time {text[:60]!r} is no time of ISO 8601")
    if found[3] is None:
        raise ValueError("write_time has no offset from UTC")
    microseconds = round(int((found[2] or "0").ljust(9, "0")) / 1_000)
    return round(stamp_utc(found[1] + found[3]).timestamp()) * US_PER_S + microseconds


@cache
def known_fields() -> Mapping[str, frozenset[str]]:
    """Return the fields of each table, also of those that are not read."""
    text = (files("mqcap.ingest.omegamon") / "known_fields.txt").read_text(encoding="ascii")
    fields: dict[str, set[str]] = {}
    for line in text.split():
        table, _, name = line.partition(".")
        fields.setdefault(table, set()).add(name)
    return {table: COMMON_FIELDS | names for table, names in fields.items()}


_Figure = tuple[ZosFigure, str, float]


def _buffer_pool(row: Row) -> Iterator[_Figure]:
    number, available = _number(row, "number_of_buffers"), _number(row, "available_buffers")
    if number and available is not None:
        used_pct = _percent(_FULL_PCT * (number - available) / number, "available_buffers")
        yield ZosFigure.buffer_pool_used_pct, _numbered("BP", "buffer_pool_id", row), used_pct


def _shares(name: Callable[[Row], str], **fields: str) -> Callable[[Row], Iterator[_Figure]]:
    """Return what reads the percentages that a line states, by the name of their figure."""

    def read(row: Row) -> Iterator[_Figure]:
        for figure, stated in fields.items():
            used_pct = _number(row, stated)
            if used_pct is not None:
                yield ZosFigure[figure], name(row), _percent(used_pct, stated)

    return read


def _status(row: Row) -> Iterator[_Figure]:
    current, most = _number(row, "current_channel_connections"), _number(row, "maximum_channels")
    stated_pct = _number(row, "percent_maximum_channels")
    used_pct = _FULL_PCT * current / most if current is not None and most else stated_pct
    if used_pct is not None:
        yield ZosFigure.channels_used_pct, "", used_pct
    connections = _number(row, "connection_count")
    if connections is not None:
        yield ZosFigure.connection_count, "", connections


def _messages(row: Row) -> Iterator[_Figure]:
    puts, put1s = _number(row, "mqputs_per_second"), _number(row, "mqput1s_per_second")
    if puts is not None:
        yield ZosFigure.messages_put_per_s, "", puts + (put1s or 0.0)


def _queue(row: Row) -> Iterator[_Figure]:
    """Yield what a queue is judged by: a shared one names its structure, others their page set."""
    depth, puts = _number(row, "highest_depth"), _number(row, "messages_put_per_second")
    if str(row.get("cf_structure_name") or "").strip():
        if depth is not None:
            yield ZosFigure.shared_queue_depth_count, "", depth
    elif row.get("page_set_id") is not None and puts is not None:
        yield ZosFigure.private_queue_messages_per_s, "", puts


def _numbered(kind: str, field: str, row: Row) -> str:
    number = object_number(str(row.get(field)))
    if number is None:
        raise ValueError(f"{field} is no number from 0 to 99")
    return f"{kind}{number:02d}"


_OF_GROUP: Final = "qsg_cfstr"
"""The one table that is read whose rows are of a queue sharing group."""
_TABLES: Final[Mapping[str, Callable[[Row], Iterator[_Figure]]]] = {
    "qmlhbm": _buffer_pool,
    "qmps_lh": _shares(
        partial(_numbered, "PS", "page_set_id"), page_set_used_pct="percent_pages_in_use"
    ),
    "qmlhlm": _shares(lambda _: "", active_log_used_pct="current_active_log_percent_full"),
    "qmcurstat": _status,
    "qmlhmm": _messages,
    "qmq_lh": _queue,
    "lh_smds": _shares(
        lambda _: "",
        smds_used_pct="data_block_used_percent",
        smds_buffers_used_pct="buffers_in_use_percent",
    ),
    _OF_GROUP: _shares(
        lambda row: zos_structure(
            _name(row, ("qsg_name",), QMGR), _name(row, ("cf_structure_name",), _STRUCTURE)
        ),
        structure_entries_used_pct="percent_list_entries_used",
        structure_storage_used_pct="percent_storage_used",
    ),
}
"""The other tables hold no figure of a series that is kept of z/OS."""
TABLES_READ: Final = tuple(_TABLES)


def _number(row: Row, field: str) -> float | None:
    """Return a number of a line; ``None`` where it is missing. Raises ValueError for others."""
    value = row.get(field)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{field} is no number from 0 on")
    return float(value)


def _percent(value: float, field: str) -> float:
    if not 0 <= value <= _FULL_PCT:
        raise ValueError(f"{field} gives no share between 0 and {_FULL_PCT} %")
    return value


def _name(row: Row, fields: tuple[str, ...], pattern: re.Pattern[str]) -> str:
    """Return the first of the fields that a line has, without blanks at its end."""
    field, value = next(
        ((field, row[field]) for field in fields if row.get(field)), (fields[0], "")
    )
    if not isinstance(value, str) or pattern.fullmatch(value.rstrip()) is None:
        raise ValueError(f"{field} is no such name of z/OS")
    return value.rstrip()


@dataclass
class _OmegamonReading(SamplesReading):
    framing = "json lines"
    dataset = ZOS_SAMPLE
    nothing = Refusal(
        "lines of OMEGAMON Data Provider without any figure that is read",
        expected=f'"product_code":"{PRODUCT}" in tables {", ".join(TABLES_READ)}',
        remedy="Add these tables to the filter of OMEGAMON Data Connect, with write_time.",
    )
    _other_products: Counter[str] = field(default_factory=Counter)
    _unknown: set[str] = field(default_factory=set)
    _stepless_count: int = 0

    def take_all(self) -> None:
        for row, line_number in self.objects(dict[str, Any], "line"):
            product, table = str(row.get("product_code", "")), str(row.get("table_name", ""))
            if product != PRODUCT:
                self._other_products[product[:20] or "none"] += 1
            elif table not in known_fields():
                self._unknown.add(f"table {table[:40]}")
            else:
                others = row.keys() - known_fields()[table]
                self._unknown.update(f"{table}.{name[:40]}" for name in others)
                try:
                    for sample in samples_of(row):
                        self.gathered.add(*sample)
                except ValueError as error:
                    self.left_out.add(str(error), line_number=line_number)

    def add(self, figure: GatheredFigure[ZosKey]) -> None:
        """Add a series with its step: of its samples, else as its lines state it."""
        key, reported_us, stated, values = figure
        times: Instants = np.unique(reported_us)
        distances = times[1:] - times[:-1]
        step_us = most_frequent(distances)
        if step_us is not None and (len(distances) >= DISTANCES_MIN or np.isnan(stated).all()):
            self.samples.add(key, reported_us, step_us / US_PER_S, values)
            return
        known = ~np.isnan(stated)
        self._stepless_count += int((~known).sum())
        self.samples.add(key, reported_us[known], stated[known], values[known])

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self._stepless_count:
            count = counted(self._stepless_count, "sample")
            yield f"{self.name}: {count} left out: alone in the file, and without interval_seconds."
        if self._other_products:
            names = listed(sorted(self._other_products))
            count = counted(self._other_products.total(), "line")
            yield f"{self.name}: {count} of other products left out: {names}."
        yield from self.named("names that OMEGAMON for Messaging does not have", self._unknown)


SOURCE: Final = TextInput(
    name="omegamon",
    order=42,
    title="lines of OMEGAMON Data Provider",
    description="JSON lines of OMEGAMON Data Provider",
    recognises_json=lambda text: text.keys >= _SIGNS,
    begin=_OmegamonReading,
    first_line=r"\{(?=.*\"table_name\").*\"write_time\"",
)
