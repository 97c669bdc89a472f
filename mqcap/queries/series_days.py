"""Figures of one series over its days and hours: periods side by side, hours of the week."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from statistics import fmean
from typing import Final, NamedTuple

from mqcap.lake.readers import HourValue
from mqcap.presentation import display_units

WEEK: Final = 7
MONTH: Final = 28
"""Four weeks, so that days of the week meet (ours)."""
QUARTER: Final = 91
YEAR: Final = 364
HEAT_DAYS: Final = 28
"""Days of the hours of the week (ours)."""

Days = Sequence[tuple[date, float]]


class PeriodFigures(NamedTuple):
    """Mean and highest value of the measured days of a period."""

    first: date
    last: date
    measured: int
    """Days with a value; the figures are of these."""
    mean: float
    highest: float


class PeriodPair(NamedTuple):
    """A period that ends on the day, and the one that it is compared with."""

    name: str
    now: PeriodFigures
    before: PeriodFigures


def period_pairs(days: Days, day: date) -> list[PeriodPair]:
    """Return week, four weeks and quarter beside those before, and four weeks of a year ago.

    A pair is left out where one of both has no measured day.
    """
    asked = (
        ("Week", WEEK, WEEK),
        ("Four weeks", MONTH, MONTH),
        ("Quarter", QUARTER, QUARTER),
        ("Four weeks, year ago", MONTH, YEAR),
    )
    pairs = []
    for name, length, back in asked:
        now = _figures(days, day, length)
        before = _figures(days, day - timedelta(days=back), length)
        if now is not None and before is not None:
            pairs.append(PeriodPair(name, now, before))
    return pairs


def _figures(days: Days, last: date, length: int) -> PeriodFigures | None:
    first = last - timedelta(days=length - 1)
    values = [value for day, value in days if first <= day <= last]
    if not values:
        return None
    return PeriodFigures(first, last, len(values), fmean(values), max(values))


def mean_of_shift(
    hours: Mapping[tuple[int, int], float], of_shift: Collection[int]
) -> float | None:
    """Return the mean of the hours of a shift over the days of the week; ``None`` without any."""
    values = [value for (_, hour), value in hours.items() if hour in of_shift]
    return fmean(values) if values else None


def hours_of_week(hours: Sequence[HourValue]) -> dict[tuple[int, int], float]:
    """Return the mean of the measured hours by day of the week (0: Monday) and hour of the day.

    On the reader's clock; an hour that was never measured is absent.
    """
    found: dict[tuple[int, int], list[float]] = {}
    for hour in hours:
        at: datetime = display_units.current().at(hour.hour_utc)
        found.setdefault((at.weekday(), at.hour), []).append(hour.value)
    return {key: fmean(values) for key, values in found.items()}
