"""The parts of a report, independent of its format: sections, sentences, tables and pictures.

The text of a cell is that of the page; ``value`` is the figure behind it, so that a workbook
holds numbers which read like the page's.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import ABSENT, figure, percent, probability
from mqcap.presentation.dates import short_day
from mqcap.presentation.quantities import headroom, quantity

PROBABILITY_FORMAT: Final = '[<0.01]"under 1 %";[>0.99]"over 99 %";0 %'
"""The number format by which a workbook prints a probability as ``probability`` does."""


class ReportKind(StrEnum):
    """The kinds of reports, by the period that they look back on."""

    daily = "daily"
    """The findings of a day to act on, and what changed since the day before."""
    weekly = "weekly"
    """What changed in a week, and the accuracy of the forecasts."""
    monthly = "monthly"
    """The plan: every limit with growth, dates, probability, change and lead time."""


class ReportFormat(StrEnum):
    """File formats of reports."""

    html = "html"
    pdf = "pdf"
    xlsx = "xlsx"


class Part(BaseModel):
    """Base of the parts of a report."""

    model_config = ConfigDict(frozen=True)


class Cell(Part):
    """A cell of a table: its text, and the figure behind it where there is one."""

    text: str
    unit: str = ""
    note: str = ""
    """A second, smaller line."""
    value: float | date | None = None
    severity: Severity | None = None
    number_format: str = ""
    """Number format of ``value`` in a workbook; empty for the one that follows from the text."""

    @property
    def line(self) -> str:
        """Text and unit in one line."""
        return f"{self.text} {self.unit}".strip()


class Column(Part):
    """A heading, its share of the width, and the alignment of its cells."""

    heading: str
    width: float = 1.0
    right: bool = False


class Table(Part):
    """Rows under headings; ``blank`` is the sentence in place of a table without rows."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    blank: str = "Nothing."


class Picture(Part):
    """A chart as PNG, with the sentence that describes it."""

    png: bytes
    words: str


class Section(Part):
    """A heading with its sentences, tables and pictures."""

    heading: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()


class Report(Part):
    """A report about one day."""

    kind: ReportKind
    title: str
    site: str
    day: date
    lead: tuple[str, ...]
    """The first sentences: the summary."""
    sections: tuple[Section, ...]
    foot: tuple[str, ...]
    """Definitions of figures and days, and the versions that they were made with."""

    @property
    def stem(self) -> str:
        """File name without ending."""
        return f"mqcap-{self.kind}-{self.day.isoformat()}"


def text_cell(text: str | None, note: str = "") -> Cell:
    """Return a cell of text; no text is ``ABSENT``."""
    return Cell(text=text or ABSENT, note=note)


def quantity_cell(value: float | None, unit: str, *, signed: bool = False) -> Cell:
    """Return a cell with a stored value in the units of the reader."""
    shown = quantity(value, unit, signed=signed)
    return Cell(text=shown.text, unit=shown.unit, note=shown.note, value=shown.value)


def count_cell(count: int) -> Cell:
    """Return a cell with a number of things."""
    return Cell(text=figure(count), value=float(count))


def percent_cell(ratio: float | None) -> Cell:
    """Return a cell with a ratio as a percentage; ``None`` is ``ABSENT``."""
    return Cell(text=percent(ratio), value=ratio)


def headroom_cell(ratio: float | None) -> Cell:
    """Return a cell with a headroom; what is more than the limit itself is text, not a figure."""
    is_share = ratio is not None and abs(ratio) <= 1
    return Cell(text=headroom(ratio), value=ratio if is_share else None)


def probability_cell(ratio: float | None) -> Cell:
    """Return a cell with a probability, which is never printed as certain."""
    return Cell(text=probability(ratio), value=ratio, number_format=PROBABILITY_FORMAT)


def day_cell(day: date | None) -> Cell:
    """Return a cell with a date in the words of the page; ``None`` is ``ABSENT``."""
    return Cell(text=short_day(day) if day else ABSENT, value=day)
