"""Lines of a file of site figures: CSV under its headings, or a JSON object on each line."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

import msgspec

HEADINGS: Final = ("subject", "figure", "time", "value", "unit")
"""Headings of the CSV; the last one may be missing."""
SUBJECT_LENGTH_MAX: Final = 200
PARTS_MIN, PARTS_MAX = 2, 4
UNIT_LENGTH_MAX: Final = 20
_PART: Final = re.compile(r"[A-Za-z0-9@#$_.%()+:-]{1,144}")
_FIGURE: Final = re.compile(r"[a-z][a-z0-9_]{0,47}")
_DATE_LENGTH: Final = len("2026-07-09")
_YEARS: Final = range(2000, 2100)
_SHOWN: Final = 40


class SiteFigureLine(NamedTuple):
    """A figure of a subject at a time."""

    subject: str
    figure: str
    time: datetime
    """Without a zone where the line states no offset."""
    value: float
    """NaN or infinite where the line says so."""
    unit: str


class SiteFigureObject(msgspec.Struct):
    """A figure as a JSON object."""

    subject: str
    figure: str
    time: str
    value: float | str
    unit: str | None = None


def headings_of(line: str) -> tuple[str, ...]:
    """Return the headings of a CSV of site figures, in any order; empty for another line."""
    try:
        names = tuple(name.lower() for name in _cells(line))
    except ValueError:
        return ()
    has_each_once = len(set(names)) == len(names) and set(names) >= set(HEADINGS[:-1])
    return names if has_each_once else ()


def csv_line(text: str, headings: Sequence[str]) -> SiteFigureLine:
    """Return the figure of a line of CSV under its headings; raises ValueError with the cause."""
    cells = _cells(text)
    if len(cells) != len(headings):
        raise ValueError(f"expected {len(headings)} cells, found {len(cells)}")
    by_name = dict(zip(headings, cells, strict=True))
    return _line(*(by_name.get(name, "") for name in HEADINGS))


def _cells(text: str) -> list[str]:
    try:
        read = csv.reader([text], strict=True, skipinitialspace=True)
        return [cell.strip() for cell in next(read, [])]
    except csv.Error as error:
        raise ValueError(f"the line is no CSV: {error}") from error


def line_of(made: SiteFigureObject) -> SiteFigureLine:
    """Return the figure of a JSON object; raises ValueError with the cause."""
    return _line(made.subject, made.figure, made.time, str(made.value), made.unit or "")


def checked_names(subject: str, figure: str, unit: str) -> tuple[str, str, str]:
    """Return subject, figure and unit; raises ValueError with the one that is none."""
    parts = subject.split("/")
    is_path = PARTS_MIN <= len(parts) <= PARTS_MAX and len(subject) <= SUBJECT_LENGTH_MAX
    if not is_path or not all(map(_PART.fullmatch, parts)):
        raise ValueError(f"{subject[:_SHOWN]!r} is no subject such as EAST/mq1 or PLEX1/CSQ1")
    if not _FIGURE.fullmatch(figure):
        raise ValueError(f"{figure[:_SHOWN]!r} is no name of a figure such as disk_busy_pct")
    if len(unit) > UNIT_LENGTH_MAX or not unit.isprintable():
        raise ValueError(f"{unit[:_SHOWN]!r} is no unit")
    return subject, figure, unit


def _line(subject: str, figure: str, time: str, value: str, unit: str) -> SiteFigureLine:
    subject, figure, unit = checked_names(subject, figure, unit)
    return SiteFigureLine(subject, figure, _time(time), _number(value), unit)


def _time(text: str) -> datetime:
    try:
        made = datetime.fromisoformat(text)
    except ValueError:
        made = None
    if made is None or len(text) <= _DATE_LENGTH or made.year not in _YEARS:
        raise ValueError(f"{text[:_SHOWN]!r} is no time such as 2026-07-09T00:15:00+02:00")
    return made


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise ValueError(f"{text[:_SHOWN]!r} is no number such as 72.5") from error
    return math.nan if math.isinf(value) else value
