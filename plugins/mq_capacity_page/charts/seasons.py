"""What a chart of days is compared with by eye: ends of months, peaks of weeks, last quarter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

QUARTER: Final = timedelta(weeks=13)
"""A quarter of whole weeks, so that days of the week meet (ours)."""
MONTH_END_HEIGHT_RATIO: Final = 0.03
"""Height of the sign of a month's last day, of the chart's height (ours)."""


def month_ends(first: date, last: date) -> list[date]:
    """Return the last day of each month from ``first`` to ``last``, both included."""
    days = (first + timedelta(days=count) for count in range((last - first).days + 1))
    return [day for day in days if (day + timedelta(days=1)).day == 1]


def month_end_lines(days: Iterable[date], colour: str) -> list[dict[str, Any]]:
    """Return a short vertical line above the axis of days for each of them."""
    return [
        {
            "type": "line", "layer": "below", "yref": "paper", "y0": 0,
            "y1": MONTH_END_HEIGHT_RATIO, "x0": day.isoformat(), "x1": day.isoformat(),
            "line": {"color": colour, "width": 2},
        }
        for day in days
    ]  # fmt: skip


def weekly_peaks(peaks: Mapping[date, float]) -> tuple[list[date], list[float | None]]:
    """Return Mondays with the highest value of their week, and the day after the last week.

    A week in which nothing was measured has ``None``. The end of the last week repeats its value,
    so that a line of steps has its full width. Empty without values.
    """
    if not peaks:
        return [], []
    highest: dict[date, float] = {}
    for day, value in peaks.items():
        monday = day - timedelta(days=day.weekday())
        highest[monday] = max(value, highest.get(monday, value))
    first, last = min(highest), max(highest)
    weeks = range((last - first).days // 7 + 1)
    mondays = [first + timedelta(weeks=count) for count in weeks]
    return (
        [*mondays, last + timedelta(weeks=1)],
        [*(highest.get(monday) for monday in mondays), highest[last]],
    )


def quarter_earlier(
    axis: Sequence[date], values: Mapping[date, float | None]
) -> list[float | None]:
    """Return for each day the value measured 13 weeks before it; ``None`` where there is none."""
    return [values.get(day - QUARTER) for day in axis]
