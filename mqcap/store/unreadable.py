"""Rows whose document this release cannot read: one sentence wherever they are met."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted

_SHOWN: Final = 5
REMEDY: Final = "Run these days again."


def unreadable_rows(table: str, days: Sequence[date]) -> str:
    """Return how many rows of a table cannot be read, with their first days.

    ``days`` has the day of each row.
    """
    shown = ", ".join(map(str, sorted(set(days))[:_SHOWN]))
    return f"{counted(len(days), 'row')} of {table} cannot be read, on {shown}"


def unreadable(table: str, days: Sequence[date]) -> InputError:
    """Return the error of a command or page that needs these rows."""
    return InputError(unreadable_rows(table, days), remedy=REMEDY)
