"""Reports as files: bytes for the page, files in a folder for the command line and the DAG."""

import base64
import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mqcap.files import write_bytes
from mqcap.presentation import dates
from mqcap.progress.shown import work
from mqcap.reports.document import Cell, Column, Report, ReportFormat, ReportKind
from mqcap.reports.make import make_report
from mqcap.reports.pdf import as_pdf
from mqcap.reports.xlsx import as_xlsx
from mqcap.settings import Settings
from mqcap.store.database import Store

MEDIA_TYPES: Final = {
    ReportFormat.html: "text/html; charset=utf-8",
    ReportFormat.pdf: "application/pdf",
    ReportFormat.xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_SUNDAY: Final = 6


def as_bytes(report: Report, form: ReportFormat) -> bytes:
    """Return the report as a file of one format; the same report gives the same bytes."""
    makers = {
        ReportFormat.html: as_html, ReportFormat.pdf: as_pdf, ReportFormat.xlsx: as_xlsx
    }  # fmt: skip
    return makers[form](report)


def write_reports(
    settings: Settings,
    engine: Store,
    day: date,
    kinds: Iterable[ReportKind],
    folder: Path,
    formats: Iterable[ReportFormat] = tuple(ReportFormat),
) -> list[Path]:
    """Write each kind in each format into a folder, made if it is missing, and return the files.

    Each is written completely or not at all; ConfigurationError where no rules were evaluated.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    wanted, every = tuple(formats), tuple(kinds)
    with work("write reports", len(every) * len(wanted), "files") as shown:
        for kind in every:
            report = make_report(settings, engine, kind, day)
            for form in wanted:
                target = folder / f"{report.stem}.{form}"
                write_bytes(target, as_bytes(report, form))
                written.append(target)
                shown.advance()
    return written


def due_kinds(day: date) -> tuple[ReportKind, ...]:
    """Return the kinds due on a day: weekly on Sundays, monthly on the last day of a month."""
    kinds = [ReportKind.daily]
    if day.weekday() == _SUNDAY:
        kinds.append(ReportKind.weekly)
    if (day + timedelta(days=1)).day == 1:
        kinds.append(ReportKind.monthly)
    return tuple(kinds)


_NAME: Final = re.compile(r"[^\s<>&;]*\w[-/]\w[^\s<>&;]*")
"""Rules, subjects and compound words: a browser breaks lines after their hyphens and slashes."""
_WIDE: Final = 1.9
"""Share of the width from which a column holds sentences (ours)."""
_WIDER: Final = 2.5
"""The same for those that hold most of the text of a row (ours)."""
CACHED_TEXTS: Final = 4_096
"""Texts of cells that are kept: rules, units and days are those of many rows (ours)."""
TEMPLATES: Final = Path(__file__).with_name("templates")


def as_html(report: Report) -> bytes:
    """Return the file; the same report gives the same bytes."""
    text = _environment().get_template("report.html").render(report=report)
    return text.encode()


def _column_class(column: Column) -> str:
    """Return the classes of a column: to the right, and wide where it holds sentences."""
    wide = "" if column.right or column.width < _WIDE else "w3" if column.width > _WIDER else "w2"
    return " ".join(filter(None, ("r" if column.right else "", wide)))


@lru_cache(maxsize=CACHED_TEXTS)
def _whole_names(text: str) -> str:
    """Return escaped text whose names, such as PLEX1/CSQ2, and percentages stay on one line."""
    escaped = str(escape(text)).replace(" %", "\N{NO-BREAK SPACE}%")
    return _NAME.sub(lambda name: f'<span class="name">{name[0]}</span>', escaped)


def _cells(row: Sequence[Cell], columns: Sequence[Column]) -> Markup:
    """Return the cells of a row; made here, because a large site has tens of thousands of them."""
    return Markup("".join(map(_cell, row, columns)))  # noqa: S704 - each text is escaped


def _cell(cell: Cell, column: Column) -> str:
    if cell.png:
        address = f"data:image/png;base64,{base64.b64encode(cell.png).decode()}"
        return f'<td><img src="{address}" alt=""></td>'
    right = "r " if column.right else ""
    figure = "n " if cell.value is not None else ""
    severity = cell.severity.value if cell.severity else ""
    unit = f"\N{NO-BREAK SPACE}{escape(cell.unit)}" if cell.unit else ""
    note = f'<span class="note">{_whole_names(cell.note)}</span>' if cell.note else ""
    return f'<td class="{right}{figure}{severity}">{_whole_names(cell.text)}{unit}{note}</td>'


def html_environment(folder: Path) -> Environment:
    """Return the templates of a folder, with escaping always on."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _environment() -> Environment:
    environment = html_environment(TEMPLATES)
    environment.filters.update(day=dates.day_words, column_class=_column_class, cells=_cells)
    return environment
