"""The time axis of a row: when its limit is passed, when changes are frozen, when to begin."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from markupsafe import Markup

from mqcap.presentation.plan_summary import PlanSummary

WIDTH: Final = 250
"""Pixels."""
HEIGHT: Final = 30
AHEAD_DAYS: Final = 180
AHEAD: Final = timedelta(days=AHEAD_DAYS)
_MIDDLE: Final = 11
_LEAST_MONTH_PX: Final = 30
"""A month of which less is in view has no name (ours)."""


def axis_months(day: date) -> list[tuple[float, str]]:
    """Return place and name of each month that begins within the axis."""
    months = []
    first = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    while (place := _place(first, day)) < WIDTH - _LEAST_MONTH_PX:
        months.append((place, f"{first:%b}"))
        first = (first + timedelta(days=32)).replace(day=1)
    return months


def axis_svg(row: PlanSummary, day: date, freezes: Iterable[tuple[date, date]]) -> Markup:
    """Return the axis of a row from ``day`` on.

    A dot is the expected day, the bar behind it the range of 80 %, a triangle the last day to
    begin, grey a change freeze.
    """
    parts = [
        f'<line class="grid" x1="{place:.0f}" x2="{place:.0f}" y1="0" y2="{HEIGHT}"/>'
        for place, _ in axis_months(day)
    ]
    parts += [_freeze(max(first, day), last, day) for first, last in freezes if last >= day]
    if row.is_over:
        parts.append(f'<circle class="over" cx="5" cy="{_MIDDLE}" r="4"/>')
    elif row.early_date is not None:
        first, last = _place(row.early_date, day), _place(row.late_date or date.max, day)
        parts.append(
            f'<rect class="range" x="{first:.0f}" width="{max(last - first, 4):.0f}" '
            f'y="{_MIDDLE - 3}" height="6" rx="3"/>'
        )
        if row.expected_date is not None and row.expected_date <= day + AHEAD:
            at = min(WIDTH - 5, _place(row.expected_date, day))
            parts.append(f'<circle class="expected" cx="{at:.0f}" cy="{_MIDDLE}" r="4"/>')
    if row.due_date is not None or row.is_due_at_once:
        at = min(WIDTH - 5, max(5, _place(row.due_date or day, day)))
        parts.append(f'<path class="due" d="M{at - 4:.0f},29 l4,-7 l4,7 z"/>')
    inner = "".join(parts)
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="axis" width="{WIDTH}" height="{HEIGHT}" aria-hidden="true">{inner}</svg>'
    )


def _freeze(first: date, last: date, day: date) -> str:
    begin, end = _place(first, day), _place(last + timedelta(days=1), day)
    return (
        f'<rect class="freeze" x="{begin:.0f}" width="{max(end - begin, 0):.0f}" y="0" '
        f'height="{HEIGHT}"/>'
    )


def _place(at: date, day: date) -> float:
    days = min((at - day).days, AHEAD_DAYS) if at < date.max else AHEAD_DAYS
    return WIDTH * days / AHEAD_DAYS
