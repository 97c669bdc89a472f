"""Text in which no line breaks inside a date, for emails and pages."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")


def unbroken_dates(text: str) -> Markup:
    """Return escaped text whose dates are in elements of the class ``nowrap``."""
    return Markup(_DATE.sub(r'<span class="nowrap">\g<0></span>', str(escape(text))))  # noqa: S704 - escaped
