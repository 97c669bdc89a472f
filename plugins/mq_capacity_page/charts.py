"""Content of every chart of the pages, and where it is drawn.

Positions on the time axis are days since 1970 on the reader's clock; hours are fractions of them.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

import pandas as pd
from pydantic import BaseModel

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.numbers import figure, quantity
from mqcap.presentation import display_units
from mqcap.presentation.dates import day_words

LEGEND_MOST: Final = 6
"""Entries of a legend at most (ours)."""
LABEL_MOST: Final = 8
"""Characters of the value of a limit beside the plot, with its unit (ours)."""
FAR_RATIO: Final = 3.0
"""A limit more than this many times above all values is named and not drawn (ours)."""
ROOM_RATIO: Final = 1.08
"""Height of the value axis, of the highest value drawn (ours)."""
TICKS: Final = 5
_LABEL_APART_RATIO: Final = 0.06
"""Share of the height between the labels of two limits (ours)."""
Place = tuple[float, float]
"""Place on the time axis and value."""
_EPOCH: Final = date(1970, 1, 1)
_MONTHS_UP_TO: Final = 1_100
_EACH_MONTH_UP_TO: Final = 420
_DAYS_UP_TO: Final = 75
_EACH_DAY_UP_TO: Final = 20
_HOURS_UP_TO: Final = 4


class Role(StrEnum):
    """What a line is about, which decides how every renderer draws it."""

    strong = "strong"
    """What was measured: the line that one reads."""
    faint = "faint"
    """Its details."""
    forecast = "forecast"
    option = "option"
    """What a change would make of it."""
    option_2 = "option-2"
    """What another one would."""


class Line(BaseModel, frozen=True):
    """Values by position; ``None`` is a gap."""

    name: str
    role: Role
    points: tuple[tuple[float, float | None], ...]

    @property
    def parts(self) -> Iterator[list[Place]]:
        """The parts of the line between its gaps."""
        for is_gap, points in groupby(self.points, key=lambda point: point[1] is None):
            if not is_gap:
                yield [(at, value) for at, value in points if value is not None]


class Limit(BaseModel, frozen=True):
    """Limit, over the full width or from a day on."""

    value: float
    words: str
    """Its value as it is printed: ``12 h``."""
    first: float | None = None
    """Where it begins; ``None``: at the left edge."""
    last: float | None = None
    """Where another one takes its place; ``None``: nowhere."""
    is_option: bool = False
    """True of the limit that a change would bring."""
    is_lower: bool = False
    """True of a time that has to last: it is drawn however far above the values it is."""

    @property
    def label(self) -> str:
        """Its value beside the plot, without the unit of the axis where that is long."""
        return self.words if len(self.words) <= LABEL_MOST else figure(self.value)

    @property
    def kind(self) -> str:
        """The class of its line."""
        return "option-limit" if self.is_option else "limit"


class Bars(BaseModel, frozen=True):
    """One part of stacked bars."""

    name: str
    points: tuple[tuple[float, float], ...]


class Event(BaseModel, frozen=True):
    """Words about a day or an instant."""

    at: float
    words: str


class Chart(BaseModel, frozen=True):
    """Everything that a chart shows, in the unit that it prints."""

    title: str = ""
    unit: str
    first: float
    last: float
    now: float | None = None
    """The last measured day; a forecast begins after it."""
    lines: tuple[Line, ...] = ()
    band: tuple[tuple[float, float, float], ...] = ()
    """Lower and upper end of the forecast by position."""
    limits: tuple[Limit, ...] = ()
    bars: tuple[Bars, ...] = ()
    crossing: tuple[float, float] | None = None
    """Range of the days on which the limit is passed."""
    events: tuple[Event, ...] = ()

    @property
    def top(self) -> float:
        """The upper end of the value axis: a limit that is far above all values is left out."""
        near = [limit.value for limit in self.limits if not self.is_far(limit)]
        return max([self._highest, *near]) * ROOM_RATIO or 1.0

    @property
    def _highest(self) -> float:
        values = [value for line in self.lines for _, value in line.points if value is not None]
        sums: dict[float, float] = {}
        for part in self.bars:
            for at, value in part.points:
                sums[at] = sums.get(at, 0.0) + value
        return max([0.0, *values, *sums.values(), *(upper for *_, upper in self.band)])

    def is_far(self, limit: Limit) -> bool:
        """Return whether a limit is so far above all values that it is not drawn."""
        return not limit.is_lower and 0 < self._highest * FAR_RATIO < limit.value

    @property
    def value_ticks(self) -> list[float]:
        """About five round values of the value axis, from 0 up to ``top``."""
        rough = self.top / TICKS
        size = 10.0 ** math.floor(math.log10(rough))
        step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough)
        return [round(step * count, 9) for count in range(math.floor(self.top / step) + 1)]

    @property
    def time_ticks(self) -> list[tuple[float, str]]:
        """Places and words of the time axis: years, months, weeks, days or quarters of a day."""
        first, last, span = self.first, self.last, self.last - self.first
        begin, end = math.ceil(first), math.floor(last) + 1
        if span > _DAYS_UP_TO:
            is_years = span > _MONTHS_UP_TO
            apart = 12 if is_years else 1 if span <= _EACH_MONTH_UP_TO else 2
            months = pd.date_range(day_at(begin), day_at(last), freq="MS")
            return [
                (position(month.date()), f"{month.year}" if is_years else _month(month))
                for month in months
                if month.month % apart == 1 % apart
            ]
        step = 7 if span > _EACH_DAY_UP_TO else 2 if span > _HOURS_UP_TO + 4 else 1
        days = range(begin, end, step)
        ticks = [(float(day), f"{day_at(day).day} {day_at(day):%b}") for day in days]
        if span > _HOURS_UP_TO:
            return ticks
        quarters = (day + part / 4 for day in range(begin - 1, end) for part in (1, 2, 3))
        inner = [(at, f"{round(at % 1 * 24):02}:00") for at in quarters if first <= at <= last]
        return sorted([*ticks, *inner])

    @property
    def values(self) -> str:
        """What the pointer shows, as JSON: place, day and figures of each point."""
        named = [(line.name, line.points) for line in self.lines]
        figures = [
            (at, name, quantity(value, self.unit))
            for name, points in [*named, *((bar.name, bar.points) for bar in self.bars)]
            for at, value in points
            if value is not None
        ]
        figures += [
            (at, "Range of 80 %", f"{figure(lower)} to {quantity(upper, self.unit)}")
            for at, lower, upper in self.band
        ]
        figures += [(event.at, "Event", event.words) for event in self.events]
        columns: dict[float, dict[str, str]] = {}
        for at, name, words in figures:
            if self.first <= at <= self.last:
                columns.setdefault(at, {})[name] = words
        rows = [
            {"x": round(self.across(at), 2), "t": moment_words(at), "at": _address(at), "v": words}
            for at, words in sorted(columns.items())
        ]
        return json.dumps(rows, ensure_ascii=False)

    def across(self, at: float) -> float:
        """Return a place as a percentage of the width."""
        return 100 * (at - self.first) / max(self.last - self.first, 1e-9)

    def down(self, value: float) -> float:
        """Return a value as a percentage of the height, from above."""
        return 100 * (1 - value / self.top)

    def path(self, points: Iterable[Place]) -> str:
        """Return points in per cent, as SVG has them."""
        top = self.top
        return " ".join(
            f"{self.across(at):.2f},{100 * (1 - value / top):.2f}" for at, value in points
        )

    @property
    def outline(self) -> list[Place]:
        """The upper end of the forecast, and back along the lower one."""
        upper = [(at, high) for at, _, high in self.band]
        return [*upper, *((at, low) for at, low, _ in reversed(self.band))]

    def boxes(self) -> Iterator[tuple[int, float, float, float, float]]:
        """Yield part, left, upper end, width and height of each bar; parts stand on each other."""
        top, width = self.top, 88 / max(self.last - self.first, 1.0)
        below: dict[float, float] = {}
        for place, part in enumerate(self.bars):
            for at, value in part.points:
                below[at] = below.get(at, 0.0) + value
                left, upper = self.across(at) - width / 2, 100 * (1 - below[at] / top)
                yield place, left, upper, width, 100 * value / top

    def labels(self) -> Iterator[tuple[Limit, float]]:
        """Yield each limit that is drawn with the value at which its label has room."""
        drawn = [limit for limit in self.limits if not self.is_far(limit)]
        used = float("-inf")
        for limit in sorted(drawn, key=lambda limit_line: limit_line.value):
            used = max(limit.value, used + _LABEL_APART_RATIO * self.top)
            yield limit, used

    @property
    def legend(self) -> list[tuple[str, str]]:
        """Kind of each sign and its words, six at most; limits of one kind share an entry."""
        entries = [(line.role.value, line.name) for line in self.lines]
        entries += [(f"part-{place}", part.name) for place, part in enumerate(self.bars)]
        for is_option, kind, noun in (
            (False, "limit", "Limit"),
            (True, "option-limit", "Limit with the change"),
        ):
            values = [limit for limit in self.limits if limit.is_option is is_option]
            if values:
                words = ", ".join(dict.fromkeys(map(self._limit_words, values)))
                entries.append((kind, f"{noun} {words}"))
        if self.events:
            entries.append(("event", "Events: point at them"))
        return entries[:LEGEND_MOST]

    def _limit_words(self, limit: Limit) -> str:
        return f"{limit.words} (above the chart)" if self.is_far(limit) else limit.words


def position(moment: date | datetime) -> float:
    """Return the place of a day, or of an instant on the reader's clock, on the time axis."""
    if isinstance(moment, datetime):
        shown = display_units.current().at(moment)
        seconds = shown.hour * 3600 + shown.minute * 60 + shown.second
        return (shown.date() - _EPOCH).days + seconds / 86_400
    return float((moment - _EPOCH).days)


def line_points(
    values: Iterable[tuple[date, float]], apart: timedelta
) -> tuple[tuple[float, float | None], ...]:
    """Return the points of a line with a gap where the next value is further away than ``apart``.

    ``values`` are by day, or all by instant, in their order.
    """
    points: list[tuple[float, float | None]] = []
    before: date | None = None
    for moment, value in values:
        if before is not None and moment - before > apart:
            points.append((position(before + apart), None))
        points.append((position(moment), value))
        before = moment
    return tuple(points)


def day_at(place: float) -> date:
    """Return the day of a place on the time axis."""
    return _EPOCH + timedelta(days=math.floor(place))


def _address(at: float) -> str:
    """Return a day, or an instant in UTC, as the page of records takes it."""
    minutes = round(at % 1 * 24 * 60)
    if not minutes:
        return day_at(at).isoformat()
    zone = ZoneInfo(display_units.current().zone)
    return hour_address(datetime.combine(day_at(at), time(), zone) + timedelta(minutes=minutes))


def hour_address(moment: datetime) -> str:
    """Return an instant as part of an address: ``2026-01-05T06:00Z``."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def moment_words(place: float) -> str:
    """Return ``Mon 5 Jan 2026``, of an instant with its hour."""
    minutes = round(place % 1 * 24 * 60)
    words = day_words(day_at(place))
    return f"{words} {minutes // 60:02}:{minutes % 60:02}" if minutes else words


def _month(day: date) -> str:
    return f"{day:%b}\n{day.year}" if day.month == 1 else f"{day:%b}"


def limits_of(
    crossings: Sequence[Crossing],
    factor: float,
    unit: str,
    steps: Mapping[str, Sequence[tuple[date, float]]] | None = None,
) -> tuple[Limit, ...]:
    """Return the limits of crossings, each value once, in the unit that the chart prints.

    ``steps``: by rule, the later limits that planned changes bring, with their first days.
    """
    found: dict[tuple[float, float | None, float | None], Limit] = {}
    for crossing in crossings:
        later = [(position(day), value) for day, value in (steps or {}).get(crossing.rule_id, ())]
        starts = [(None, crossing.limit_value), *later]
        for (begin, value), (end, _) in zip(starts, [*later, (None, 0.0)], strict=True):
            shown = value * factor
            found[shown, begin, end] = Limit(
                value=shown, words=quantity(shown, unit), first=begin, last=end
            )
    return tuple(found[key] for key in sorted(found, key=lambda key: key[0]))


def crossing_range(crossings: Iterable[Crossing], last: float) -> tuple[float, float] | None:
    """Return the range of days of the limit that is passed first, cut at the end of the chart."""
    coming = [
        (crossing.earliest_date, crossing.latest_date)
        for crossing in crossings
        if crossing.state is CrossingState.will_cross and crossing.earliest_date is not None
    ]
    dated = [(position(first), end) for first, end in coming if position(first) <= last]
    if not dated:
        return None
    first, end = min(dated, key=lambda pair: pair[0])
    return first, min(last, position(end)) if end else last
