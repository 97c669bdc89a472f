"""Display preferences of a reader: the unit of log growth and the clock, kept in a cookie.

The cookie holds two words and no secret. Pages follow it; reports and the REST API do not.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Final

from mqcap.presentation.display_units import Clock, DisplayPreferences, Rate

COOKIE: Final = "mqcap_shown"
RATE_LABELS: Final = {
    Rate.mb_per_hour: "MB/hour",
    Rate.mib_per_s: "MiB/s",
    Rate.cylinders_per_hour: "cylinders/hour (3390)",
}
_PAGE_ADDRESS: Final = re.compile(r"[a-z-]*(\?[^\s\\]*)?")
"""An address of this application: all are on one level, without a slash before the query."""
_CURRENT_ADDRESS: Final[ContextVar[str]] = ContextVar("current_address", default="./")


def parse_cookie(cookie: str) -> DisplayPreferences:
    """Return the preferences in a cookie; missing or unknown values become the default."""
    rate, _, clock = cookie.partition(".")
    return DisplayPreferences(
        rate=Rate(rate) if rate in set(Rate) else Rate.mb_per_hour,
        clock=Clock(clock) if clock in set(Clock) else Clock.local,
    )


def format_cookie(shown: DisplayPreferences) -> str:
    """Return the cookie value that ``parse_cookie`` reads."""
    return f"{shown.rate}.{shown.clock}"


def safe_address(address: str) -> str:
    """Return the address if it is a page of this application, else the overview."""
    page = address if _PAGE_ADDRESS.fullmatch(address) else ""
    return page if page and not page.startswith("?") else f"./{page}"


def current_address() -> str:
    """Return the relative address of the page that is being rendered."""
    return _CURRENT_ADDRESS.get()


def set_current_address(path: str, query: str) -> None:
    """Remember the address of this request for the form at the foot of the page."""
    _CURRENT_ADDRESS.set(safe_address(f"{path}?{query}" if query else path))
