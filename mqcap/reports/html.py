"""Reports as HTML: one file with styles and pictures inside, ready to print."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mqcap.presentation import dates
from mqcap.reports.document import Cell, Column, Report

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
    right = "r " if column.right else ""
    figure = "n " if cell.value is not None else ""
    severity = cell.severity.value if cell.severity else ""
    unit = f"\N{NO-BREAK SPACE}{escape(cell.unit)}" if cell.unit else ""
    note = f'<span class="note">{_whole_names(cell.note)}</span>' if cell.note else ""
    return f'<td class="{right}{figure}{severity}">{_whole_names(cell.text)}{unit}{note}</td>'


def _data_address(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        day=dates.day_words,
        picture=_data_address,
        column_class=_column_class,
        cells=_cells,
    )
    return environment
