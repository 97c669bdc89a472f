"""Columns of files for programs of the site: name, type and meaning of each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import Enum
from typing import NamedTuple


class ColumnKind(Enum):
    """Type of the cells of a column; any cell may be absent."""

    text = str
    number = float
    day = date


class ExportColumn(NamedTuple):
    """A column of an exported file."""

    kind: ColumnKind
    meaning: str


Columns = Mapping[str, ExportColumn]
"""Columns by name, in their order."""


def text(meaning: str) -> ExportColumn:
    """Return a column of texts."""
    return ExportColumn(ColumnKind.text, meaning)


def number(meaning: str) -> ExportColumn:
    """Return a column of numbers."""
    return ExportColumn(ColumnKind.number, meaning)


def day(meaning: str) -> ExportColumn:
    """Return a column of days."""
    return ExportColumn(ColumnKind.day, meaning)
