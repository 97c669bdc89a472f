"""Reports as HTML: one file with styles and pictures inside, ready to print."""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mqcap.presentation import dates
from mqcap.reports.document import Column, Report

_NAME: Final = re.compile(r"[^\s<>&;]*\w[-/]\w[^\s<>&;]*")
"""Rules, subjects and compound words: a browser breaks lines after their hyphens and slashes."""
_WIDE: Final = 1.9
"""Share of the width from which a column holds sentences (ours)."""
_WIDER: Final = 2.5
"""The same for those that hold most of the text of a row (ours)."""
TEMPLATES: Final = Path(__file__).with_name("templates")


def as_html(report: Report) -> bytes:
    """Return the file; the same report gives the same bytes."""
    text = _environment().get_template("report.html").render(report=report)
    return text.encode()


def _column_class(column: Column) -> str:
    """Return the classes of a column: to the right, and wide where it holds sentences."""
    wide = "" if column.right or column.width < _WIDE else "w3" if column.width > _WIDER else "w2"
    return " ".join(filter(None, ("r" if column.right else "", wide)))


def _whole_names(text: str) -> Markup:
    """Return escaped text whose names, such as PLEX1/CSQ2, and percentages stay on one line."""
    escaped = str(escape(text)).replace(" %", "\N{NO-BREAK SPACE}%")
    return Markup(_NAME.sub(r'<span class="name">\g<0></span>', escaped))  # noqa: S704 - escaped


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
        whole_names=_whole_names,
    )
    return environment
