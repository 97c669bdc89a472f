"""Statistics intervals on the clocks of a sysplex: UTC instants, local days, outages cut out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from devtools.simulator.encode.mq_records import Intervals

MINUTE_US: Final = 60_000_000
HOUR_US: Final = 60 * MINUTE_US
DAY_US: Final = 24 * HOUR_US
_EPOCH_ORDINAL: Final = date(1970, 1, 1).toordinal()

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]


@dataclass(frozen=True)
class Timed:
    """Arrays whose last axis runs over intervals; other values hold in all of them."""

    def cut(self, low: int, high: int) -> Self:
        """Return the intervals from ``low`` to before ``high`` alone."""
        return replace(self, **{name: _cut(value, low, high) for name, value in vars(self).items()})


def _cut(value: Any, low: int, high: int) -> Any:
    if isinstance(value, np.ndarray):
        return value[..., low:high]
    if isinstance(value, Timed):
        return value.cut(low, high)
    if isinstance(value, Intervals):
        return value[low:high]
    if isinstance(value, dict):
        return {name: _cut(inner, low, high) for name, inner in value.items()}
    return value


@dataclass(frozen=True)
class Grid(Timed):
    """Consecutive intervals of one subject, with what the workload needs to know of each."""

    intervals: Intervals
    local_day: Int64s
    """Days since 1970 of the local date on which the interval starts."""
    local_hour: Int64s
    """Hour of the local clock in which the interval starts."""
    slot: Int64s
    """Number of the regular interval inside the UTC day; both halves of a cut one share it."""

    @property
    def seconds(self) -> Float64s:
        """Lengths."""
        lengths: Float64s = (self.intervals.end_us - self.intervals.start_us) / 1e6
        return lengths

    def __len__(self) -> int:
        return len(self.intervals)


@dataclass(frozen=True)
class Simulated(Timed):
    """A subject from its first day on, or some of its intervals: those of ``grid``."""

    grid: Grid

    @property
    def intervals(self) -> Intervals:
        """Times of its records."""
        return self.grid.intervals

    def of_days(self, first: date, last: date, before: int = 0) -> Self:
        """Return the intervals of these local days, and so many before them."""
        days = [day_number(first), day_number(last) + 1]
        low, high = np.searchsorted(self.grid.local_day, days).tolist()
        return self.cut(max(low - before, 0), high)

    def runs(self, keys: NDArray[Any]) -> Iterator[Self]:
        """Yield consecutive intervals with the same key."""
        edges = [0, *(np.flatnonzero(np.diff(keys)) + 1).tolist(), len(keys)]
        yield from (self.cut(low, high) for low, high in pairwise(edges) if high > low)

    def by_day(self, amounts: Int64s | Float64s) -> dict[date, float]:
        """Return the sum of amounts by local day."""
        days, places = np.unique(self.grid.local_day, return_inverse=True)
        sums = np.bincount(places, weights=amounts)
        return dict(zip(map(date_of, days), sums.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.grid)


@dataclass(frozen=True)
class SimulatedPeriod:
    """The days simulated: from the first start to the last day, around the anchor."""

    first: date
    last: date
    anchor: date
    seed: int
    interval_minutes: int

    def first_day(self, offset: int | None) -> date:
        """Return the day on which a subject begins to exist; ``None`` is before all history."""
        return self.first if offset is None else max(self.first, self.day(offset))

    def day(self, offset: int) -> date:
        """Return the day so many days after the anchor."""
        return self.anchor + timedelta(days=offset)


class Period(NamedTuple):
    """The local days of one file, and what they are called in its name."""

    name: str
    first: date
    last: date
    is_daily: bool
    """True for one of the last days, of which each has its files."""


def offsets(timezone: str, instants_us: Int64s) -> Int64s:
    """The UTC offset valid at each instant, in minutes."""
    utc = pd.to_datetime(instants_us, unit="us", utc=True)
    ahead = utc.tz_convert(timezone).tz_localize(None) - utc.tz_localize(None)
    minutes: Int64s = (ahead // pd.Timedelta(minutes=1)).to_numpy(dtype=np.int64)
    return minutes


def instant(timezone: str, day: date, local: time = time(0)) -> int:
    """The instant of a local time of day (the first one, where there are two), microseconds."""
    moment = datetime.combine(day, local, tzinfo=ZoneInfo(timezone))
    return round(moment.timestamp() * 1_000_000)


def instant_utc(instant_us: int) -> datetime:
    """Return the time of an instant."""
    return datetime.fromtimestamp(instant_us / 1e6, tz=UTC)


def day_number(day: date) -> int:
    """Days since 1970."""
    return day.toordinal() - _EPOCH_ORDINAL


def date_of(number: int) -> date:
    """The date of a day number."""
    return date.fromordinal(int(number) + _EPOCH_ORDINAL)


def grid_of(
    timezone: str,
    first: date,
    last: date,
    interval_minutes: int,
    gaps: Iterable[tuple[int, int]],
) -> Grid:
    """The intervals from local midnight of ``first`` to the end of ``last``, without the gaps.

    A gap (start and end in microseconds) leaves a short interval before it and begins a fresh
    one after it, as a stop and a start of the queue manager do.
    """
    step = interval_minutes * MINUTE_US
    begin = instant(timezone, first)
    starts = np.arange(begin, instant(timezone, last + timedelta(days=1)), step, dtype=np.int64)
    rows = np.stack([starts, starts + step, starts // step % (DAY_US // step)])
    for gap in gaps:
        rows = _without(rows, *gap)
    starts, ends, slots = rows
    local_start = starts + offsets(timezone, starts) * MINUTE_US
    return Grid(
        Intervals(starts, ends, offsets(timezone, ends)),
        local_start // DAY_US,
        local_start // HOUR_US % 24,
        slots,
    )


def _without(rows: Int64s, gap_start: int, gap_end: int) -> Int64s:
    starts, ends, _ = rows
    clear = rows[:, (ends <= gap_start) | (starts >= gap_end)]
    before = rows[:, (starts < gap_start) & (ends > gap_start)]
    after = rows[:, (starts < gap_end) & (ends > gap_end)]
    before[1], after[0] = gap_start, gap_end
    joined = np.concatenate([clear, before, after], axis=1)
    return joined[:, np.argsort(joined[0], kind="stable")]
