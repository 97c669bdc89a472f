"""The documented table of z/TPF: CSV with a fixed header, filled by a program of the site."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple

from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.domain.units import US_PER_S

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
    values = {
        figure: value
        for name, figure in FIGURES.items()
        if (value := _number(name, cell.get(name, ""))) is not None
    }
    seconds = _number("interval_s", cell.get("interval_s", ""))
    depth = _number("depth", cell.get("depth", ""))
    of_queue = {} if depth is None else {ZtpfFigure.queue_depth_count: depth}
    put_bytes_per_s = _put_bytes_per_s(cell)
    if put_bytes_per_s is not None:
        of_queue[ZtpfFigure.queue_put_bytes_per_s] = put_bytes_per_s
    return TableRow(
        system=cell["system"],
        reported_us=_instant_us(cell["time_utc"]),
        seconds=seconds or float("nan"),
        values=values,
        queue=cell.get("queue", ""),
        queue_values=of_queue,
    )


def _put_bytes_per_s(cell: dict[str, str]) -> float | None:
    """Return rate x length of persistent and other messages; ``None`` where either is not known."""
    total = 0.0
    for kind in ("persistent", "nonpersistent"):
        rate, length = (
            _number(name, cell.get(name, "")) for name in (f"add_{kind}_rate", f"{kind}_length")
        )
        if rate is None or (rate and length is None):
            return None
        total += rate * (length or 0.0)
    return total


def _number(name: str, text: str) -> float | None:
    """Return a number with a point; ``None`` for an empty cell."""
    if not text:
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
