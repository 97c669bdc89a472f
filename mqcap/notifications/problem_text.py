"""Text about problems: addresses of a row, and when a ticket is closed."""

from __future__ import annotations

import re
from typing import Final

from mqcap.presentation.plan_summary import PlanSummary
from mqcap.settings import AlertSettings

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_LINKS: Final = {"plan": "Plan", "chart": "Chart", "computed": "How computed"}


def one_line(text: str) -> str:
    """Return text without control characters, safe in a header or a log line."""
    return _CONTROL.sub(" ", text).strip()


def page_link(page_url: str, link: str) -> str:
    """Return the address of a link of a row (``PlanSummary.links``)."""
    return f"{page_url.rstrip('/')}/{link}"


def link_lines(row: PlanSummary, page_url: str) -> list[str]:
    """Return the addresses of a row, one line each; none without an address of the pages."""
    if not page_url:
        return []
    links = ((words, row.links.get(name)) for name, words in _LINKS.items())
    return [f"{words}: {page_link(page_url, link)}" for words, link in links if link]


def closing_text(alerts: AlertSettings) -> str:
    """Return when a ticket is closed."""
    return f"This ticket is closed after {alerts.clear_days} consecutive complete days in order."
