"""Reports as HTML: one file with styles and pictures inside, ready to print."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from mqcap.presentation import dates
from mqcap.reports.document import Report

TEMPLATES: Final = Path(__file__).with_name("templates")


def as_html(report: Report) -> bytes:
    """Return the file; the same report gives the same bytes."""
    text = _environment().get_template("report.html").render(report=report)
    return text.encode()


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
    environment.filters.update(day=dates.day_words, picture=_data_address)
    return environment
