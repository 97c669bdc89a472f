"""Escaped text whose lines do not end where a narrow screen would end them."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_FIGURE: Final = re.compile(r"[\d.,]+ ?[\w/%]+$")


def unbroken_dates(text: str) -> Markup:
    """Escaped text in which no line ends inside a date, which narrow screens would do."""
    return Markup(_DATE.sub(r'<span class="whole">\g<0></span>', str(escape(text))))  # noqa: S704


def unbroken_figures(text: str) -> Markup:
    """Escaped text in which no line ends between a figure and its unit."""
    return Markup(_FIGURE.sub(r'<span class="whole">\g<0></span>', str(escape(text))))  # noqa: S704
