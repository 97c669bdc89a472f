"""When site dates begin: local dates as intervals, and dates that begin within a UTC hour."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

import polars as pl

from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.units import SECONDS_PER_HOUR, US_PER_S
from spark_apps.attribution.days import SiteDays
from spark_apps.transforms.intervals import instant
from spark_apps.transforms.keys import INTERVAL

_HOUR_US: Final = SECONDS_PER_HOUR * US_PER_S
_YEARS: Final = range(2000, 2050)
_MONTHS: Final = (1, 4, 7, 10)


@cache
def begins_within_hours(zone: str) -> bool:
    """Return whether dates of a zone begin within UTC hours, at any time of the year."""
    moments = (datetime(year, month, 1, tzinfo=UTC) for year in _YEARS for month in _MONTHS)
    offsets = (moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in moments)
    return any(offset and offset.total_seconds() % SECONDS_PER_HOUR for offset in offsets)


def with_local_date(frame: pl.LazyFrame, site_days: SiteDays) -> pl.LazyFrame:
    """Return rows of a ``site`` and a ``local_date`` (``2026-07-09``) with that date as interval.

    Raises an error of polars when a text is no date.
    """
    day = pl.col("local_date").str.to_date("%Y-%m-%d")
    starts = (day, day.dt.offset_by("1d"))
    return frame.with_columns(
        _midnight(of_day, site_days).alias(name)
        for name, of_day in zip(INTERVAL, starts, strict=True)
    )


def is_any_within_hours(site_days: SiteDays) -> bool:
    """Return whether dates of any site begin within UTC hours."""
    return any(map(begins_within_hours, {*site_days.zones.values(), site_days.default_zone}))


def cut_at_midnight(parts: pl.LazyFrame, site_days: SiteDays) -> pl.LazyFrame:
    """Return parts of intervals within UTC hours, cut where a site date begins.

    ``parts`` have a subject, ``hour_us``, ``part_start_us`` and ``part_end_us`` (microseconds since
    1970, UTC). Behind midnight ``hour_us`` is the instant of midnight. All else stays.
    """
    hour, start, end = pl.col("hour_us"), pl.col("part_start_us"), pl.col("part_end_us")
    at = pl.col("midnight_us")
    is_cut = at.is_not_null() & (at > hour)
    timed = parts.with_columns(midnight_us=_midnight_us(site_days))
    to_cut = timed.filter(is_cut)
    pieces = (
        timed.filter(~is_cut),
        to_cut.with_columns(part_end_us=pl.min_horizontal(end, at)),
        to_cut.with_columns(hour_us=at, part_start_us=pl.max_horizontal(start, at)),
    )
    return pl.concat(pieces).drop("midnight_us").filter(start < end)


def _midnight(day: pl.Expr, site_days: SiteDays) -> pl.Expr:
    """Return when a date begins in the zone of the row's site."""
    begin = _first_moment(day, site_days.default_zone)
    for name, zone in sorted(site_days.zones.items()):
        begin = pl.when(pl.col("site") == name).then(_first_moment(day, zone)).otherwise(begin)
    return begin


def _first_moment(day: pl.Expr, zone: str) -> pl.Expr:
    """Return when a date begins in a zone; where clocks skip midnight, an hour later by them."""
    midnight = day.cast(pl.Datetime("us"))
    moments = (
        local.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
        for local in (midnight, midnight.dt.offset_by("1h"))
    )
    return pl.coalesce(*moments).dt.convert_time_zone("UTC")


def _midnight_us(site_days: SiteDays) -> pl.Expr:
    """Return when the site date at the end of the hour began; null for a site of whole hours."""
    zones = {root: zone for root, zone in site_days.zones.items() if begins_within_hours(zone)}
    root = pl.col("subject").str.split(SERIES_SEPARATOR).list.first()
    midnight = pl.lit(None, pl.Int64)
    if begins_within_hours(site_days.default_zone):
        whole = [name for name in site_days.zones if name not in zones]
        midnight = pl.when(~root.is_in(whole)).then(_begin_us(site_days.default_zone))
    for name, zone in sorted(zones.items()):
        midnight = pl.when(root == name).then(_begin_us(zone)).otherwise(midnight)
    return midnight


def _begin_us(zone: str) -> pl.Expr:
    last = instant(pl.col("hour_us") + (_HOUR_US - 1)).dt.convert_time_zone(zone)
    return last.dt.truncate("1d").dt.convert_time_zone("UTC").cast(pl.Int64)
