"""The parts of a report, independent of its format: sections, sentences, tables and pictures.

The text of a cell is that of the page; ``value`` is the figure behind it, so that a workbook
holds numbers which read like the page's.
"""

import re
from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import ABSENT, decimals, figure, percent, probability
from mqcap.presentation import labels
from mqcap.presentation.dates import short_day
from mqcap.presentation.quantities import Quantity, headroom

FILLS: Final = {
    Severity.act: "#fdecea",
    Severity.watch: "#fdf1de",
    Severity.unknown: "#eceff3",
    Severity.suggestion: "#e8f0fb",
    Severity.ok: "#e6f4ea",
}
"""Colour behind a severity, on paper and in workbooks."""
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


class Part(BaseModel, frozen=True):
    """Base of the parts of a report."""


class Cell(Part):
    """A cell of a table: its text, and the figure behind it where there is one."""

    text: str
    unit: str = ""
    note: str = ""
    """A second, smaller line."""
    value: float | date | None = None
    severity: Severity | None = None
    number_format: str = ""
    """Number format by which a workbook prints ``value`` as the text does; empty for text."""
    png: bytes = b""
    """A small picture in place of the text, on paper and in HTML."""

    @property
    def line(self) -> str:
        """Text and unit in one line."""
        return f"{self.text} {self.unit}".strip()


class Column(Part):
    """A heading, its share of the width, and the alignment of its cells."""

    heading: str
    width: float = 1.0
    right: bool = False


def columns(text: str) -> tuple[Column, ...]:
    """Return the columns of ``Subject 1.2, Limit 0.8 right``: headings, widths other than 1."""
    parts = (re.fullmatch(r"(.+?)( [\d.]+)?( right)?", part) for part in text.split(", "))
    return tuple(
        Column(heading=part[1], width=float(part[2] or 1), right=bool(part[3]))
        for part in parts
        if part
    )


class Table(Part):
    """Rows under headings; ``blank`` is the sentence in place of a table without rows."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    blank: str = "Nothing."
    printed_rows: int | None = None
    """Rows on paper and in HTML, where the workbook has more; ``None``: all."""

    @property
    def printed(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows on paper and in HTML."""
        return self.rows[: self.printed_rows]

    @property
    def left_words(self) -> str:
        """How many rows the workbook alone has; empty for none."""
        left = len(self.rows) - len(self.printed)
        return f"and {left} more in the workbook" if left else ""


class Course(Part):
    """A series as a workbook draws it: measured, expected, and the limit."""

    name: str
    unit: str
    measured: tuple[tuple[date, float], ...]
    expected: tuple[tuple[date, float], ...] = ()
    limit: float | None = None


class Section(Part):
    """A heading with its sentences, tables and courses."""

    heading: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    courses: tuple[Course, ...] = ()
    """Drawn by the workbook."""
    is_detail: bool = False
    """It is in the workbook alone."""


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
    def printed(self) -> tuple[Section, ...]:
        """The sections on paper and in HTML."""
        return tuple(section for section in self.sections if not section.is_detail)

    @property
    def stem(self) -> str:
        """File name without ending."""
        return f"mqcap-{self.kind}-{self.day.isoformat()}"


def text_cell(text: str | None, note: str = "") -> Cell:
    """Return a cell of text; no text is ``ABSENT``."""
    return Cell(text=text or ABSENT, note=note)


def severity_cell(severity: Severity) -> Cell:
    """Return the label of a severity with its sign."""
    sign = labels.SEVERITY_SIGNS[severity]
    return Cell(text=f"{sign} {labels.SEVERITY_LABELS[severity]}", severity=severity)


def cell_of(shown: Quantity, *, note: str | None = None, signed: bool = False) -> Cell:
    """Return a cell with a quantity as printed; ``note`` takes the place of its own."""
    return Cell(
        text=shown.text,
        unit=shown.shown_unit,
        note=shown.note if note is None else note,
        value=shown.value,
        number_format=_number_format(shown.value, shown.unit, signed=signed),
    )


def count_cell(count: float) -> Cell:
    """Return a cell with a number of things, or an amount whose unit the heading names."""
    return Cell(text=figure(count), value=float(count), number_format=_number_format(count))


def percent_cell(ratio: float | None) -> Cell:
    """Return a cell with a ratio as a percentage; ``None`` is ``ABSENT``."""
    return Cell(text=percent(ratio), value=ratio, number_format=_percent_format(ratio))


def headroom_cell(ratio: float | None) -> Cell:
    """Return a cell with a headroom; what is more than the limit itself is text, not a figure."""
    is_share = ratio is not None and abs(ratio) <= 1
    shown = ratio if is_share else None
    return Cell(text=headroom(ratio), value=shown, number_format=_percent_format(shown))


def probability_cell(ratio: float | None) -> Cell:
    """Return a cell with a probability, which is never printed as certain."""
    return Cell(text=probability(ratio), value=ratio, number_format=PROBABILITY_FORMAT)


def day_cell(day: date | None) -> Cell:
    """Return a cell with a date in the words of the page; ``None`` is ``ABSENT``."""
    return Cell(text=short_day(day) if day else ABSENT, value=day)


def _number_format(value: float | None, unit: str = "", *, signed: bool = False) -> str:
    """Return the number format with the decimals of ``figure`` and the unit after the figure."""
    if value is None:
        return ""
    shown = _digits_format(value) + (f'" {unit}"' if unit else "")
    return f"{'+' if signed else ''}{shown};-{shown}"


def _percent_format(ratio: float | None) -> str:
    """Return the number format that prints a ratio as ``percent`` does."""
    if ratio is None:
        return ""
    digits = _digits_format(100 * ratio)
    return f"{digits} %;-{digits} %"


def _digits_format(value: float) -> str:
    places = decimals(value)
    return f"#,##0.{'0' * places}" if places else "#,##0"
