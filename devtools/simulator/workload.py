"""Loads over time: growth, weekday, month end, holiday, hour of the day, and noise.

The noise of a day depends on the seed, the name of the quantity and the month alone: other
queue managers, and other ranges of days generated, leave it as it is.
"""

import zlib
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

import holidays
import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from devtools.simulator.events import Model
from devtools.simulator.timeline import (
    Float64s,
    Grid,
    Int64s,
    SimulatedPeriod,
    date_of,
    day_number,
)

DAYS_PER_YEAR: Final = 365
Ratio = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]


class GrowthKind(StrEnum):
    """Change of a load over the years."""

    linear = "linear"
    compounding = "compounding"


class Profile(StrEnum):
    """Distribution of a load over the local hours of a day."""

    business = "business"
    """Peak in the late morning, a second hump after lunch, quiet nights."""
    batch = "batch"
    """Peak at night, moderate by day."""
    steady = "steady"
    """Connections that stay: at least 70 % of the peak at all hours."""
    flat = "flat"
    """What was filled and stays filled: the same at all hours."""


class Load(Model):
    """A driven quantity.

    The noiseless peak of a day is ``at_anchor * growth(day) * weekday * month end``.
    """

    at_anchor: Positive
    growth: GrowthKind = GrowthKind.linear
    growth_ratio_per_year: Annotated[float, Field(gt=-0.9, le=5)] = 0.0
    profile: Profile = Profile.business
    weekday_ratio: tuple[float, float, float, float, float, float, float] = (
        1.0,
        0.98,
        0.97,
        0.98,
        0.99,
        0.45,
        0.4,
    )
    """Factor of Monday to Sunday; 1 is an ordinary busy day."""
    month_end_ratio: Positive = 1.06
    """Factor of the last working day of a month and of the first one."""
    day_noise_ratio: Ratio = 0.012
    hour_noise_ratio: Ratio = 0.01


_GROWTH_MIN_RATIO: Final = 0.02
_SUNDAY: Final = 6
_DAYS_PER_MONTH_MAX: Final = 31
_THURSDAY: Final = 3  # 1970-01-01


def _hours(shares: str) -> tuple[float, ...]:
    return tuple(map(float, shares.split()))


_BUSINESS: Final = _hours(
    "0.22 0.2 0.18 0.18 0.2 0.24 0.32 0.48 0.7 0.9 1.0 0.97 "
    "0.82 0.9 0.95 0.86 0.7 0.52 0.42 0.38 0.35 0.32 0.28 0.25"
)
_BATCH: Final = _hours(
    "0.75 0.9 1.0 0.95 0.7 0.45 0.35 0.35 0.4 0.45 0.5 0.5 "
    "0.45 0.45 0.45 0.42 0.4 0.35 0.32 0.35 0.4 0.5 0.6 0.7"
)
_STEADY: Final = tuple(0.7 + 0.3 * value for value in _BUSINESS)
PROFILES: Final[Mapping[Profile, tuple[float, ...]]] = MappingProxyType(
    {
        Profile.business: _BUSINESS,
        Profile.batch: _BATCH,
        Profile.steady: _STEADY,
        Profile.flat: (1.0,) * 24,
    }
)
"""Share of the day's peak in each local hour."""


def daily_peak(load: Load, days: Int64s, anchor: date, country: str | None) -> Float64s:
    """The noiseless peak of each day: the truth that a forecast is compared with."""
    years = (days - day_number(anchor)) / DAYS_PER_YEAR
    if load.growth is GrowthKind.compounding:
        growth = (1.0 + load.growth_ratio_per_year) ** years
    else:
        growth = 1.0 + load.growth_ratio_per_year * years
    weekday = np.where(_is_holiday(days, country), _SUNDAY, (days + _THURSDAY) % 7)
    ratio = np.array(load.weekday_ratio)[weekday]
    ratio = np.where(_is_month_end(days), ratio * load.month_end_ratio, ratio)
    peaks: Float64s = load.at_anchor * (np.maximum(growth, _GROWTH_MIN_RATIO) * ratio)
    return peaks


class Driver(NamedTuple):
    """Gives the values of the loads of one owner in the intervals of its grid, noise included.

    Its name sets the noise apart from that of other owners.
    """

    owner: str
    grid: Grid
    span: SimulatedPeriod
    country: str | None

    def values(self, load: Load, quantity: str) -> Float64s:
        """Return the value in each interval; quantities of an owner have names of their own."""
        days, places = np.unique(self.grid.local_day, return_inverse=True)
        peaks = daily_peak(load, days, self.span.anchor, self.country)[places]
        profile = np.array(PROFILES[load.profile])[self.grid.local_hour]
        of_day, of_hour = self._normals(zlib.crc32(f"{self.owner}/{quantity}".encode()))
        noise = 1.0 + load.day_noise_ratio * of_day + load.hour_noise_ratio * of_hour
        result: Float64s = peaks * profile * np.maximum(noise, 0.0)
        return result

    def counts(self, load: Load, quantity: str) -> Int64s:
        """Return the same in whole numbers."""
        return rounded(self.values(load, quantity))

    def _normals(self, quantity: int) -> tuple[Float64s, Float64s]:
        slots = int(self.grid.slot.max()) + 1 if len(self.grid) else 1
        months, places = np.unique(
            self.grid.local_day.astype("datetime64[D]").astype("datetime64[M]"), return_inverse=True
        )
        drawn = np.stack(
            [
                np.random.Generator(
                    np.random.PCG64(np.random.SeedSequence([self.span.seed, quantity, month]))
                ).standard_normal((_DAYS_PER_MONTH_MAX, 1 + slots))
                for month in months.astype(np.int64).tolist()
            ]
        ).clip(-3.0, 3.0)
        first_days = months.astype("datetime64[D]").astype(np.int64)
        day_of_month = self.grid.local_day - first_days[places]
        return drawn[places, day_of_month, 0], drawn[places, day_of_month, 1 + self.grid.slot]


def rounded(values: Any) -> Int64s:
    """Return whole numbers."""
    result: Int64s = np.rint(values).astype(np.int64)
    return result


def _is_month_end(days: Int64s) -> NDArray[np.bool_]:
    dates = days.astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    last = np.busday_offset((months + 1).astype("datetime64[D]") - 1, 0, roll="backward")
    first = np.busday_offset(months.astype("datetime64[D]"), 0, roll="forward")
    marked: NDArray[np.bool_] = (dates == last) | (dates == first)
    return marked


def _is_holiday(days: Int64s, country: str | None) -> NDArray[np.bool_]:
    if country is None or not len(days):
        return np.zeros(len(days), dtype=np.bool_)
    years = range(date_of(int(days.min())).year, date_of(int(days.max())).year + 1)
    return np.isin(days, np.array(_holiday_numbers(country, tuple(years)), dtype=np.int64))


@lru_cache(maxsize=64)
def _holiday_numbers(country: str, years: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(day_number(day) for day in holidays.country_holidays(country, years=years)))
