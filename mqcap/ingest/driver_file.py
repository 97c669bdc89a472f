"""Read the CSV file of business drivers; what is wrong with it is reported with file and line."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from mqcap.domain.numbers import counted
from mqcap.ingest.text import TextFile

HEADINGS: Final = ("driver", "time", "value")


class DriverFile(NamedTuple):
    """Values by driver and day, and the sentences about what was left out."""

    values: dict[str, dict[date, float]]
    problems: tuple[str, ...]


class _Row(NamedTuple):
    line: int
    driver: str
    day: date
    value: float


def read_driver_file(path: Path) -> DriverFile:
    """Return the values above zero of each driver by day; the first of a day counts.

    Never raises for a bad file: lines that cannot be read are left out and reported.
    """
    problems: list[str] = []
    try:
        text = TextFile(path)
        if not text.head and path.stat().st_size:
            return DriverFile({}, (f"{path}: drivers cannot be read: the file is no text",))
        rows = list(_rows(csv.reader(text.lines()), path, problems))
    except (OSError, csv.Error) as error:
        return DriverFile({}, (f"{path}: drivers cannot be read: {error}",))
    lines: dict[tuple[str, date], int] = {}
    values: dict[str, dict[date, float]] = {}
    for row in rows:
        first = lines.setdefault((row.driver, row.day), row.line)
        if first != row.line:
            problems.append(
                f"{path} line {row.line}: {row.day} of {row.driver} is given again; "
                f"line {first} counts"
            )
            continue
        values.setdefault(row.driver, {})[row.day] = row.value
    for driver, days in values.items():
        problems += _gaps(path, driver, days, lines)
    return DriverFile(values, tuple(problems))


def _rows(reader: Iterator[list[str]], path: Path, problems: list[str]) -> Iterator[_Row]:
    headings = tuple(cell.strip().lower() for cell in next(reader, []))
    if headings != HEADINGS:
        problems.append(
            f"{path} line 1: expected the headings {','.join(HEADINGS)}, found "
            f"{','.join(headings) or 'nothing'}; no driver is used"
        )
        return
    for line, cells in enumerate(reader, start=2):
        if not any(cell.strip() for cell in cells):
            continue
        try:
            yield _row(line, cells)
        except ValueError as error:
            problems.append(f"{path} line {line}: {error}; the line is left out")


def _row(line: int, cells: list[str]) -> _Row:
    """Return the row; raises ValueError with what is wrong."""
    if len(cells) != len(HEADINGS):
        raise ValueError(f"expected {len(HEADINGS)} cells, found {len(cells)}")
    driver, time, text = (cell.strip() for cell in cells)
    if not driver:
        raise ValueError("the driver has no name")
    try:
        day = datetime.fromisoformat(time).date()
    except ValueError as error:
        raise ValueError(f"{time!r} is no day such as 2026-01-31") from error
    try:
        value = float(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no number") from error
    if not math.isfinite(value) or value <= 0:
        raise ValueError(f"{text} is not above zero")
    return _Row(line, driver, day, value)


def _gaps(
    path: Path, driver: str, days: dict[date, float], lines: dict[tuple[str, date], int]
) -> Iterator[str]:
    """Yield one sentence where days between the first and the last one are missing."""
    first, last = min(days), max(days)
    span = [first + timedelta(days=count) for count in range((last - first).days + 1)]
    missing = [day for day in span if day not in days]
    if missing:
        before = lines[driver, missing[0] - timedelta(days=1)]
        yield (
            f"{path} line {before}: {counted(len(missing), 'day')} of {driver} missing between "
            f"{first} and {last}, the first is {missing[0]}; they are drawn through"
        )
