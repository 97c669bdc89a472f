"""The last responsible day for a change: a crossing less its lead time, before change freezes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from mqcap.settings import ChangeFreeze


def last_responsible_date(
    passed: date, lead_days: int, freezes: Sequence[ChangeFreeze]
) -> tuple[date, list[str]]:
    """The last day for a change that must be in place by ``passed``, and the freezes before it.

    A day inside a freeze moves to the day before that freeze begins, as often as needed.
    """
    last = passed - timedelta(days=lead_days)
    names: list[str] = []
    for freeze in sorted(freezes, key=lambda one: one.first, reverse=True):
        if freeze.first <= last <= freeze.last:
            last = freeze.first - timedelta(days=1)
            names.append(freeze.name or f"the freeze of {freeze.first} to {freeze.last}")
    return last, names
