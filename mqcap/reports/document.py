"""What a report is, whatever it is written as: sections with sentences, tables and pictures.

The text of a cell is that of the page; ``value`` is the figure behind it, so that a workbook
holds numbers which read like the page's.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from mqcap.domain.finding import Severity
from mqcap.presentation.wording import ABSENT, Quantity


class ReportKind(StrEnum):
    """Which report."""

    daily = "daily"
    """One sheet about one day: what needs somebody."""
    weekly = "weekly"
    """What moved in a week, and how the forecasts did."""
    monthly = "monthly"
    """The plan: every limit with growth, dates, probability, change and lead time."""


class ReportFormat(StrEnum):
    """What a report is written as."""

    html = "html"
    pdf = "pdf"
    xlsx = "xlsx"


class Part(BaseModel):
    """Base of what a report is made of."""

    model_config = ConfigDict(frozen=True)


class Cell(Part):
    """One cell: its text, and the figure behind it where there is one."""

    text: str
    unit: str = ""
    note: str = ""
    """A second, smaller line."""
    value: float | date | None = None
    severity: Severity | None = None

    @property
    def whole(self) -> str:
        """Text and unit in one line."""
        return f"{self.text} {self.unit}".strip()


class Column(Part):
    """A heading, its share of the width, and the side on which its cells stand."""

    heading: str
    width: float = 1.0
    right: bool = False


class Table(Part):
    """Rows under headings; ``blank`` is said instead of a table without rows."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    blank: str = "Nothing."


class Picture(Part):
    """A chart as PNG, with the sentence that says the same."""

    png: bytes
    words: str


class Section(Part):
    """A heading with what stands under it."""

    heading: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()


class Report(Part):
    """A whole report of one day."""

    kind: ReportKind
    title: str
    site: str
    day: date
    lead: tuple[str, ...]
    """The first sentences: what one must know who reads no further."""
    sections: tuple[Section, ...]
    foot: tuple[str, ...]
    """What figures and days mean, and with which versions they were made."""

    @property
    def stem(self) -> str:
        """File name without ending."""
        return f"mqcap-{self.kind}-{self.day.isoformat()}"


def words(text: str | None, note: str = "") -> Cell:
    """A cell of words; nothing said is a dash."""
    return Cell(text=text or ABSENT, note=note)


def figure(quantity: Quantity, value: float | None) -> Cell:
    """A cell with the page's text of a figure, and the figure in the unit of that text."""
    return Cell(text=quantity.text, unit=quantity.unit, note=quantity.note, value=value)


def day_cell(day: date | None, text: str) -> Cell:
    """A date, in the page's words."""
    return Cell(text=text, value=day)
