"""Days that a file is about."""

from __future__ import annotations

from datetime import date
from typing import Protocol


class NamedPeriod(Protocol):
    """The local days of one file, and what they are called in its name."""

    @property
    def name(self) -> str:
        """Month or day."""

    @property
    def first(self) -> date:
        """First day."""

    @property
    def last(self) -> date:
        """Last day."""

    @property
    def is_daily(self) -> bool:
        """True for one of the last days, of which each has its files."""
