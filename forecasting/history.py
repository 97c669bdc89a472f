"""The daily values of one series, on a complete grid of days."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
import pandas as pd

from forecasting.arrays import BoolArray, DayArray, FloatArray
from mqcap.domain.estate.calendar import SiteCalendar
from mqcap.domain.forecast import DriverCourse
from mqcap.domain.metric import Statistic

LARGEST: Final = 1e30
"""Values of this size and above, infinities among them, are no measurements (ours)."""


@dataclass(frozen=True, eq=False)
class History:
    """Daily values from ``first_day``, in the unit of the series; NaN is a day without one.

    ``country`` is an ISO 3166 code that selects the public holidays, ``None`` for none;
    ``known_changes`` are the first days after level shifts that the estate file declares;
    ``driver`` is the business driver of the series. ``usual_scale_is_log`` is the scale chosen for
    a longer history of which this is a part. ``too_large_count`` values were no measurements
    (``LARGEST``). Two are equal if their forecasts are: what was made for one is kept for the
    other.
    """

    series_id: str
    statistic: Statistic
    first_day: np.datetime64
    values: FloatArray
    country: str | None = None
    site: SiteCalendar | None = None
    known_changes: tuple[date, ...] = ()
    driver: DriverCourse | None = None
    usual_scale_is_log: bool | None = None
    too_large_count: int = 0

    @cached_property
    def _content(self) -> tuple[object, ...]:
        place = (self.first_day, self.country, self.site)
        return (self.values.tobytes(), *place, self.known_changes, self.usual_scale_is_log)

    @cached_property
    def _hash(self) -> int:
        return hash(self._content)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and self._content == other._content

    @property
    def days(self) -> DayArray:
        """The calendar days of ``values``."""
        return self.first_day + np.arange(len(self.values))

    @cached_property
    def observed(self) -> BoolArray:
        """Mask of the days that have a value; not to be written to."""
        observed = np.isfinite(self.values)
        observed.setflags(write=False)
        return observed

    @property
    def observed_count(self) -> int:
        """Number of days with a value."""
        return int(self.observed.sum())

    @property
    def last(self) -> int:
        """Position of the last day with a value, of a history with at least one."""
        return int(np.flatnonzero(self.observed)[-1])

    @cached_property
    def floor(self) -> float | None:
        """Smallest plausible value: zero, unless the history itself goes below."""
        values = self.values[self.observed]
        return None if values.size and values.min() < 0 else 0.0

    @cached_property
    def largest_size(self) -> float:
        """Largest absolute value, of a history with at least one value."""
        return float(np.nanmax(np.abs(self.values)))

    def until(self, count: int) -> History:
        """The same series with its first ``count`` days only."""
        return replace(self, values=self.values[:count])

    def with_values(self, values: FloatArray) -> History:
        """The same days with other values."""
        return replace(self, values=values)


def history_of(
    rows: pd.DataFrame, series_id: str, statistic: str, cutoff_date: Any, lookback_days: int
) -> History:
    """Return the history of one series from its rows, up to and including ``cutoff_date``.

    Of several rows of one day the largest value counts. ``values`` is empty without a usable one.
    """
    cutoff = np.datetime64(cutoff_date, "D")
    days = pd.to_datetime(rows["site_date"]).to_numpy().astype("datetime64[D]")
    values = rows["value"].to_numpy(dtype=np.float64)
    read = (days <= cutoff) & (days > cutoff - lookback_days)
    usable = read & (np.abs(values) < LARGEST)
    first_day, grid = np.datetime64("1970-01-01", "D"), np.empty(0)
    if usable.any():
        first_day = days[usable].min()
        highest = pd.Series(values[usable], pd.DatetimeIndex(days[usable])).groupby(level=0).max()
        grid = np.asarray(highest.asfreq("D"), dtype=np.float64)
    changes = (_only(rows, "known_changes") or "").split(",")
    driver = _only(rows, "driver")
    return History(
        series_id=series_id,
        statistic=Statistic(statistic),
        first_day=first_day,
        values=grid,
        country=_only(rows, "country"),
        site=_site(_only(rows, "calendar")),
        known_changes=tuple(sorted(date.fromisoformat(day) for day in changes if day)),
        driver=None if driver is None else DriverCourse.model_validate_json(driver),
        too_large_count=int((read & (np.abs(values) >= LARGEST)).sum()),
    )


def _only(rows: pd.DataFrame, column: str) -> str | None:
    """The text of a column that is the same in all rows; ``None`` where it is absent or empty."""
    cells = rows[column].unique() if column in rows else ()
    return min((cell for cell in cells if isinstance(cell, str) and cell), default=None)


@lru_cache(maxsize=64)
def _site(content: str | None) -> SiteCalendar | None:
    return None if content is None else SiteCalendar.model_validate_json(content)
