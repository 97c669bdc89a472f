"""Statistics intervals on the clocks of a sysplex: UTC instants, local days, outages cut out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
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


@dataclass(frozen=True)
class Grid:
    """Consecutive intervals of one subject, with what the workload needs to know of each."""

    intervals: Intervals
    local_day: Int64s
    """Days since 1970 of the local date on which the interval starts."""
    local_hour: Int64s
    """Hour of the local clock in which the interval starts."""
    slot: Int64s
    """Number of the regular interval inside the UTC day; both halves of a cut one share it."""

    @property
    def seconds(self) -> NDArray[np.float64]:
        """Lengths."""
        lengths: NDArray[np.float64] = (self.intervals.end_us - self.intervals.start_us) / 1e6
        return lengths

    def places(self, first: date, last: date) -> tuple[int, int]:
        """Return the places of the first interval on these local days and of the one behind."""
        low, high = np.searchsorted(self.local_day, [day_number(first), day_number(last) + 1])
        return int(low), int(high)

    def __len__(self) -> int:
        return len(self.intervals)


@dataclass(frozen=True)
class EstateClock:
    """The clock of a time zone."""

    timezone: str

    def offsets(self, instants_us: Int64s) -> Int64s:
        """The UTC offset valid at each instant, in minutes."""
        utc = pd.to_datetime(instants_us, unit="us", utc=True)
        ahead = utc.tz_convert(self.timezone).tz_localize(None) - utc.tz_localize(None)
        minutes: Int64s = (ahead // pd.Timedelta(minutes=1)).to_numpy(dtype=np.int64)
        return minutes

    def instant_us(self, day: date, local: time = time(0)) -> int:
        """The instant of a local time of day (the first one, where there are two)."""
        moment = datetime.combine(day, local, tzinfo=ZoneInfo(self.timezone))
        return round(moment.timestamp() * 1_000_000)


class Period(NamedTuple):
    """The local days of one file, and what they are called in its name."""

    name: str
    first: date
    last: date
    is_daily: bool
    """True for one of the last days, of which each has its files."""


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
    clock: EstateClock,
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
    begin = clock.instant_us(first)
    starts = np.arange(begin, clock.instant_us(last + timedelta(days=1)), step, dtype=np.int64)
    ends = starts + step
    slots = starts // step % (DAY_US // step)
    for gap in gaps:
        starts, ends, slots = _without(starts, ends, slots, gap)
    local_start = starts + clock.offsets(starts) * MINUTE_US
    return Grid(
        Intervals(starts, ends, clock.offsets(ends)),
        local_start // DAY_US,
        local_start // HOUR_US % 24,
        slots,
    )


def _without(
    starts: Int64s, ends: Int64s, slots: Int64s, gap: tuple[int, int]
) -> tuple[Int64s, Int64s, Int64s]:
    gap_start, gap_end = gap
    clear = (ends <= gap_start) | (starts >= gap_end)
    before = (starts < gap_start) & (ends > gap_start)
    after = (starts < gap_end) & (ends > gap_end)
    cut_starts = [starts[clear], starts[before], np.full(int(after.sum()), gap_end)]
    cut_ends = [ends[clear], np.full(int(before.sum()), gap_start), ends[after]]
    new_starts = np.concatenate(cut_starts)
    order = np.argsort(new_starts, kind="stable")
    new_slots = np.concatenate([slots[clear], slots[before], slots[after]])
    return new_starts[order], np.concatenate(cut_ends)[order], new_slots[order]
