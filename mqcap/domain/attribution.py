"""Attribution: the parts of a metric day by day, and their share in its growth.

A breakdown divides a metric by one kind of name: by queue, by application and so on. Each breakdown
is complete by itself, so parts of two breakdowns are never added.
"""

import math
from collections.abc import Collection, Iterable
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, NamedTuple, Self

UNEXPLAINED_RATIO: Final = 0.01
"""Share of the metric, or of its growth, up to which a remainder is not listed."""
DAYS_OF_WEEK: Final = 7
USABLE_RATIO: Final = 0.25
"""Largest unexplained share of the metric at which a breakdown is preferred by its kind (ours)."""


class PartKind(StrEnum):
    """What a part is; the first six are also the breakdowns, the preferred ones first."""

    queue = "queue"
    structure = "structure"
    channel = "channel"
    application = "application"
    user = "user"
    connection = "connection"
    other = "other"
    """Added up: the smaller parts of the day, or what has no name of that kind."""
    unexplained = "unexplained"
    """The metric less all parts; negative where the parts are more."""
    whole = "whole"


BREAKDOWNS: Final = tuple(PartKind)[:6]
OTHERS: Final = "others"
"""Name of the smaller parts of a day; no object of MQ has it in upper case."""


class PartDay(NamedTuple):
    """A part of a metric on a site date, as a mean; a row of kind ``whole`` has neither name."""

    site_date: date
    breakdown: str
    kind: str
    part: str
    value: float
    covered_seconds: float


class GrowthPart(NamedTuple):
    """A part at both ends of a span, in the unit of the metric."""

    part: str
    kind: PartKind
    now: float
    then: float
    share_of_growth_pct: float | None
    """Of the growth of the metric; ``None`` where that is too small to be shared out."""

    @property
    def growth(self) -> float:
        """The difference."""
        return self.now - self.then


class Window(NamedTuple):
    """Days at one end of a span, the first and the last included."""

    first: date
    last: date


class Attribution(NamedTuple):
    """The growth of a metric between two windows of days, and the parts that it is made of."""

    breakdown: PartKind
    then_days: Window
    now_days: Window
    then: float
    """Mean of the metric in the first window."""
    now: float
    parts: tuple[GrowthPart, ...]
    """The largest growth first; ``other`` and ``unexplained`` last."""
    breakdowns: tuple[PartKind, ...]
    """All that have parts in both windows, the preferred one first."""
    weekdays: tuple[int, ...] = tuple(range(DAYS_OF_WEEK))
    """Days of the week that both windows have, Monday 0: the only ones that are compared."""

    @property
    def growth(self) -> float:
        """The difference of the metric."""
        return self.now - self.then

    @property
    def has_shares(self) -> bool:
        """Whether the metric changed enough for its parts to have a share in it."""
        return any(part.share_of_growth_pct is not None for part in self.parts)

    @property
    def unexplained_ratio(self) -> float:
        """The unexplained share of the metric now, 0 to 1 or more."""
        return abs(self.unexplained / self.now) if self.now else 0.0

    @property
    def unexplained(self) -> float:
        """The metric now less all parts; 0 where that is not listed."""
        return sum(part.now for part in self.parts if part.kind is PartKind.unexplained)


def attribution(
    rows: Iterable[PartDay],
    since: date,
    last: date,
    window_days: int,
    breakdown: PartKind | None = None,
    least_growth_ratio: float = 0.0,
) -> Attribution | None:
    """Return the parts of the growth since a day; ``None`` without parts at both ends.

    The ends are means of ``window_days`` days, of fewer where the span is shorter than twice that,
    from the first measured day on, of the days of the week that both have. A breakdown with parts
    at one end only is left out. Without ``breakdown`` the first by kind is used that explains most.
    Parts have no share in a change of less than ``least_growth_ratio`` of the first value.
    """
    inside = [row for row in rows if since <= row.site_date <= last]
    measured = {row.site_date for row in inside if row.kind == PartKind.whole}
    ends = _windows(measured, window_days)
    if ends is None:
        return None
    days_then, days_now = (
        {day.weekday() for day in measured if window.first <= day <= window.last} for window in ends
    )
    weekdays = sorted(days_then & days_now)
    if not weekdays:
        return None
    inside = [row for row in inside if row.site_date.weekday() in weekdays]
    then, now = (
        _means(row for row in inside if window.first <= row.site_date <= window.last)
        for window in ends
    )
    if then is None or now is None:
        return None
    ordered = sorted(
        (kind for kind in BREAKDOWNS if kind in then.parts and kind in now.parts),
        key=lambda kind: max(at.unexplained_ratio(kind) for at in (then, now)) > USABLE_RATIO,
    )
    chosen = breakdown or next(iter(ordered), None)
    if chosen not in ordered:
        return None
    return Attribution(
        breakdown=chosen,
        then_days=ends[0],
        now_days=ends[1],
        then=then.whole,
        now=now.whole,
        parts=_parts(chosen, then, now, least_growth_ratio),
        breakdowns=tuple(ordered),
        weekdays=tuple(weekdays),
    )


Name = tuple[str, str]
"""Kind and name of a part."""


class _Means(NamedTuple):
    whole: float
    parts: dict[str, dict[Name, float]]

    def rest(self, breakdown: str) -> float:
        return self.whole - sum(self.parts.get(breakdown, {}).values())

    def unexplained_ratio(self, breakdown: str) -> float:
        return abs(self.rest(breakdown) / self.whole) if self.whole else 0.0


def _windows(days: Collection[date], window_days: int) -> tuple[Window, Window] | None:
    if not days or min(days) == max(days):
        return None
    first, last = min(days), max(days)
    length = timedelta(days=min(window_days, ((last - first).days + 1) // 2) - 1)
    return Window(first, first + length), Window(last - length, last)


def _means(rows: Iterable[PartDay]) -> _Means | None:
    """Return the means of all rows over the time of the whole; ``None`` without any."""
    covered = 0.0
    sums: dict[str, dict[Name, float]] = {}
    for row in rows:
        if row.kind == PartKind.whole:
            covered += row.covered_seconds
        of_breakdown = sums.setdefault(row.breakdown, {})
        name = (row.kind, row.part)
        of_breakdown[name] = of_breakdown.get(name, 0.0) + row.value * row.covered_seconds
    if not covered:
        return None
    means = {
        breakdown: {name: total / covered for name, total in of_breakdown.items()}
        for breakdown, of_breakdown in sums.items()
    }
    whole = means.pop("", {}).get((PartKind.whole, ""), 0.0)
    return _Means(whole, means)


def _parts(
    breakdown: PartKind, then: _Means, now: _Means, least_growth_ratio: float
) -> tuple[GrowthPart, ...]:
    growth = now.whole - then.whole
    shared = growth if abs(growth) >= least_growth_ratio * abs(then.whole) else 0.0
    before, after = then.parts[breakdown], now.parts[breakdown]
    every = [
        _part(name, kind, before.get((kind, name), 0.0), after.get((kind, name), 0.0), shared)
        for kind, name in before.keys() | after.keys()
    ]
    rest_then, rest_now = then.rest(breakdown), now.rest(breakdown)
    name = PartKind.unexplained
    unexplained = _part(name, name, rest_then, rest_now, shared)
    ends = ((rest_then, then.whole), (rest_now, now.whole))
    is_large = any(abs(rest) > UNEXPLAINED_RATIO * abs(whole) for rest, whole in ends)
    if is_large or abs(unexplained.share_of_growth_pct or 0.0) > 100 * UNEXPLAINED_RATIO:
        every.append(unexplained)
    sign = -1 if growth < 0 else 1
    return tuple(
        sorted(
            every,
            key=lambda grown: (
                grown.kind is PartKind.unexplained,
                grown.kind is PartKind.other,
                -sign * grown.growth,
                grown.part,
            ),
        )
    )


def _part(name: str, kind: str, then: float, now: float, growth: float) -> GrowthPart:
    share = 100 * (now - then) / growth if growth else None
    return GrowthPart(name, PartKind(kind), now, then, share)


REST: Final = (PartKind.other, OTHERS)


class Layer(NamedTuple):
    """One part on all days; 0 on a day without it."""

    kind: PartKind
    part: str
    values: tuple[float, ...]


class Stack(NamedTuple):
    """The measured days of a metric, in order, with its value and its parts."""

    days: tuple[date, ...]
    whole: tuple[float, ...]
    layers: tuple[Layer, ...]
    """The largest named part first, then what is added up, then what is unexplained, if any."""


def stack(rows: Iterable[PartDay], breakdown: PartKind, named_max: int) -> Stack:
    """Return the days with the ``named_max`` largest parts; the others are added up."""
    by_day: dict[date, list[PartDay]] = {}
    for row in rows:
        by_day.setdefault(row.site_date, []).append(row)
    means = {day: mean for day in sorted(by_day) if (mean := _means(by_day[day])) is not None}
    parts = [mean.parts.get(breakdown, {}) for mean in means.values()]
    names = {name for of_day in parts for name in of_day}
    sizes = {name: sum(of_day.get(name, 0.0) for of_day in parts) for name in names}
    named = sorted(
        (name for name in sizes if name[0] == breakdown), key=lambda name: (-sizes[name], name)
    )
    for of_day in parts:
        for name in named[named_max:]:
            if name in of_day:
                of_day[REST] = of_day.get(REST, 0.0) + of_day.pop(name)
    added = sorted({name for of_day in parts for name in of_day if name[0] != breakdown})
    layers = [
        Layer(PartKind(kind), part, tuple(of_day.get((kind, part), 0.0) for of_day in parts))
        for kind, part in (*named[:named_max], *added)
    ]
    whole = tuple(mean.whole for mean in means.values())
    rest = tuple(max(0.0, mean.rest(breakdown)) for mean in means.values())
    if any(left > UNEXPLAINED_RATIO * total for left, total in zip(rest, whole, strict=True)):
        layers.append(Layer(PartKind.unexplained, PartKind.unexplained, rest))
    return Stack(tuple(means), whole, tuple(layers))


class SourcePair(StrEnum):
    """A figure that two sources have: what it is, its unit, both sources."""

    figure: str
    unit: str
    first: str
    second: str

    def __new__(cls, value: str, *facts: str) -> Self:
        """Make a pair: its name, then its facts in the order above."""
        pair = str.__new__(cls, value)
        pair._value_ = value
        pair.figure, pair.unit, pair.first, pair.second = facts
        return pair

    log_tasks = "log_tasks", "log write rate", "MiB/s", "115.1 (QJSTBFFL)", "116 class 3 (WTASJWB)"
    log_queues = (
        "log_queues",
        "log write rate",
        "MiB/s",
        "115.1 (QJSTBFFL)",
        "the persistent bytes put of 115.216 (QQSTPPB)",
    )
    """The second contains a part of the figure alone, so that it may be less."""
    structure_requests = (
        "structure_requests",
        "requests to the structure",
        "count/s",
        "74.4 (R744SSRC and R744SARC)",
        "115.2 of its queue managers (QESTCSEC and QESTCMEC)",
    )
    chinit_storage = (
        "chinit_storage",
        "31-bit storage of the channel initiator",
        "MiB",
        "115.231 (QCCTSTUS)",
        "message CSQX004I",
    )

    def deviation_pct(self, first: float, second: float) -> float:
        """Return by how many per cent the second is more; 0 where it may be less, or infinity."""
        if first <= 0:
            return math.inf if second > 0 else 0.0
        deviation = 100 * (second - first) / first
        return max(0.0, deviation) if self is SourcePair.log_queues else deviation
