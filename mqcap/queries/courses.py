"""Figures of series over days and hours: weeks of rows, periods, hours of the week."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import reduce
from statistics import fmean
from typing import Final, NamedTuple

from mqcap.domain.metric import Direction
from mqcap.lake.readers import HourValue
from mqcap.presentation import display_units
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.store.database import Store
from mqcap.store.forecasts import expected_of_series
from mqcap.store.observations import figures_of_series
from mqcap.store.series import series_with_ids

COURSE_DAYS: Final = 180
"""Days back and ahead in a course (ours)."""
WEEK_LEAST: Final = 4
"""Days of a week whose worst day stands for it (ours)."""
ROOM_RATIO: Final = 1.06
"""Height of a drawn course, of its highest value or its limit (ours)."""
Days = tuple[tuple[date, float], ...]
Places = list[tuple[float, float]]
"""Shares of the width, from the left, and of the height, from below."""


class Weeks(NamedTuple):
    """The course of a row in the unit that is printed."""

    measured: Days
    """At least one week."""
    expected: Days
    limit: float
    unit: str

    def places(self, day: date) -> tuple[Places, Places, float]:
        """Return where what was measured and is expected is drawn around a day, and the limit."""
        every = [value for _, value in (*self.measured, *self.expected)]
        top = max([*every, self.limit]) * ROOM_RATIO or 1.0
        measured, expected = (
            [((at - day).days / (2 * COURSE_DAYS) + 0.5, value / top) for at, value in days]
            for days in (self.measured, self.expected)
        )
        return measured, [*measured[-1:], *expected], self.limit / top


def weeks_of_rows(engine: Store, day: date, rows: Iterable[PlanSummary]) -> dict[str, Weeks]:
    """Return the courses by resource, of rows whose series was measured in these days."""
    with_series = [(row.resource, row.series) for row in rows if row.series is not None]
    first, last = day - timedelta(days=COURSE_DAYS), day + timedelta(days=COURSE_DAYS)
    keys = {(series.series_id, series.statistic) for _, series in with_series}
    observed = figures_of_series(engine, keys, first, day)
    expected = expected_of_series(engine, day, keys, last)
    names = sorted({series_id for series_id, _ in keys})
    units = {facts.series_id: facts.unit for facts in series_with_ids(engine, names)}
    found: dict[str, Weeks] = {}
    for resource, series in with_series:
        key = series.series_id, series.statistic
        factor, unit = display_units.scale(units.get(series.series_id, ""))
        worst = min if series.direction is Direction.downward else max
        measured, coming = (
            tuple((at, factor * value) for at, value in weekly(days, day, worst))
            for days in (observed.get(key, ()), expected.get(key, ()))
        )
        if measured:
            found[resource] = Weeks(measured, coming, factor * series.limit, unit)
    return found


def weekly(
    days: Iterable[tuple[date, float]], day: date, worst: Callable[[float, float], float] = max
) -> list[tuple[date, float]]:
    """Return the worst value of each seven days, counted from ``day`` both ways, at their end.

    Ends of fewer than ``WEEK_LEAST`` days are left out; without any such week each day is returned.
    """
    blocks: dict[int, list[tuple[date, float]]] = {}
    every = sorted(days)
    for course in every:
        blocks.setdefault(((course[0] - day).days - 1) // 7, []).append(course)
    whole = [
        (block[-1][0], reduce(worst, (value for _, value in block)))
        for block in blocks.values()
        if len(block) >= WEEK_LEAST
    ]
    return whole or every


WEEK: Final = 7
MONTH: Final = 28
"""Four weeks, so that days of the week meet (ours)."""
QUARTER: Final = 91
YEAR: Final = 364
HEAT_DAYS: Final = 28
"""Days of the hours of the week (ours)."""


class PeriodFigures(NamedTuple):
    """Mean and highest value of the measured days of a period."""

    first: date
    last: date
    measured: int
    mean: float
    highest: float


class PeriodPair(NamedTuple):
    """A period that ends on the day, and the one that it is compared with."""

    name: str
    now: PeriodFigures
    before: PeriodFigures


def period_pairs(days: Sequence[tuple[date, float]], day: date) -> list[PeriodPair]:
    """Return week, four weeks and quarter beside those before, and a year ago, where measured."""
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


def _figures(days: Sequence[tuple[date, float]], last: date, length: int) -> PeriodFigures | None:
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
    """Return the mean by day of the week (0: Monday) and hour, as measured, of the reader."""
    found: dict[tuple[int, int], list[float]] = {}
    for hour in hours:
        at: datetime = display_units.current().at(hour.hour_utc)
        found.setdefault((at.weekday(), at.hour), []).append(hour.value)
    return {key: fmean(values) for key, values in found.items()}
