"""Indicators of days on which load differs: month-end, quarter-end, public holidays, busy days."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final

import holidays
import numpy as np
import pandas as pd

from forecasting.arrays import BoolArray, DayArray
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate.calendar import WEEK, BusyDays, SiteCalendar

TURN_OFFSETS: Final = (-3, -2, -1, 1, 2)
"""Days of the turn of a month that have an effect each: -1 is the last of a month, 1 the first."""
EVENTS: Final = (
    "last_business_day",
    "first_business_day",
    "quarter_end",
    "quarter_turn",
    "public_holiday",
    "year_end_holiday",
    *(f"month_turn_{offset:+d}" for offset in TURN_OFFSETS),
)
MIN_OCCURRENCES: Final = 2
"""An event seen fewer times in the history is no regressor (ours)."""


def event_columns(
    days: DayArray, country: str | None, site: SiteCalendar | None = None
) -> dict[str, BoolArray]:
    """Indicator of each calendar event, per day.

    ``last_business_day`` and ``first_business_day`` are of the month, ``quarter_end`` is the last
    business day of a quarter in addition, ``quarter_turn`` its last three calendar days,
    ``public_holiday`` counts on working weekdays, ``year_end_holiday`` is 25 and 26 December and 1
    January in any country, and each calendar day of the turn of a month has its own. ``site``
    replaces the business days of the country; each kind of its busy days has a column ``busy_`` and
    its name. Raises ConfigurationError without public holidays for ``country``.
    """
    if not days.size:
        return dict.fromkeys(EVENTS, np.zeros(0, dtype=bool))
    own = site or SiteCalendar()
    stamps = pd.DatetimeIndex(days)
    public = public_holidays(country, stamps[0].year, stamps[-1].year + 1)
    week = [name in own.workdays for name in WEEK]
    free = np.union1d(np.setdiff1d(public, _days(own.open)), _days(own.closed))
    calendar = np.busdaycalendar(weekmask=week, holidays=free)
    month = days.astype("datetime64[M]")
    following = (month + 1).astype("datetime64[D]")
    last = days == np.busday_offset(following, -1, roll="forward", busdaycal=calendar)
    first = days == np.busday_offset(
        month.astype(days.dtype), 0, roll="forward", busdaycal=calendar
    )
    ends_quarter = np.asarray(stamps.month % 3 == 0)
    day, length = np.asarray(stamps.day), np.asarray(stamps.days_in_month)
    offset = np.where(day <= 15, day, day - length - 1)  # 1 the first, -1 the last
    new_year = np.asarray(stamps.dayofyear == 1)
    columns = (
        last,
        first,
        last & ends_quarter,
        ends_quarter & np.isin(offset, (-3, -2, -1)),
        np.isin(days, free) & np.is_busday(days, weekmask=week),
        np.asarray(stamps.month == 12) & np.isin(day, (25, 26)) | new_year,
        *(offset == place for place in TURN_OFFSETS),
    )
    busy = {f"busy_{kind.name}": _busy(days, kind, calendar) for kind in own.busy}
    return {**dict(zip(EVENTS, columns, strict=True)), **busy}


@lru_cache(maxsize=32)
def shared_event_columns(
    first: np.datetime64, count: int, country: str | None, site: SiteCalendar | None = None
) -> dict[str, BoolArray]:
    """``event_columns`` of ``count`` days, for all series on one grid; not to be written to."""
    return event_columns(first + np.arange(count), country, site)


def frequent_events(columns: dict[str, BoolArray], observed: BoolArray) -> tuple[str, ...]:
    """Names of the events that the observed days show often enough to be estimated."""
    size = len(observed)
    return tuple(
        name
        for name, column in columns.items()
        if (column[:size] & observed).sum() >= MIN_OCCURRENCES
    )


@lru_cache(maxsize=256)
def public_holidays(country: str | None, first_year: int, last_year: int) -> DayArray:
    """Public holidays of ``country`` in those years, sorted; none without a country."""
    if country is None:
        return np.empty(0, dtype="datetime64[D]")
    try:
        known_days = holidays.country_holidays(country, years=range(first_year, last_year + 1))
    except NotImplementedError as error:
        raise ConfigurationError(
            "no public holidays are known for this country",
            found=repr(country),
            expected="an ISO 3166 code such as 'DE' or 'US'",
        ) from error
    return np.array(sorted(known_days), dtype="datetime64[D]")


def _busy(days: DayArray, kind: BusyDays, calendar: np.busdaycalendar) -> BoolArray:
    if kind.first is not None and kind.last is not None:
        first, last = _days((kind.first, kind.last))
        return np.asarray((days >= first) & (days <= last))
    if kind.business_day is None:
        return np.asarray(np.isin(days, _days(kind.days)))
    month = days.astype("datetime64[M]")
    anchor = month if kind.business_day > 0 else month + 1
    steps = kind.business_day - 1 if kind.business_day > 0 else kind.business_day
    wanted = np.busday_offset(anchor.astype(days.dtype), steps, roll="forward", busdaycal=calendar)
    return np.asarray(days == wanted)


def _days(dates: Sequence[date]) -> DayArray:
    return np.array(dates, dtype="datetime64[D]")
