"""When site dates begin: local dates as intervals, and dates that begin within a UTC hour."""

from __future__ import annotations

import polars as pl

from spark_apps.attribution.tables import SiteDays
from spark_apps.transforms.keys import INTERVAL


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
