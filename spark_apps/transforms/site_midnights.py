"""Site dates that begin within a UTC hour: zones whose offset is no whole number of hours."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.attribution.days import SiteDays
from spark_apps.transforms.intervals import MICROSECONDS

_HOUR_US: Final = SECONDS_PER_HOUR * MICROSECONDS
_YEARS: Final = range(2000, 2050)
_MONTHS: Final = (1, 4, 7, 10)


@cache
def begins_within_hours(zone: str) -> bool:
    """Return whether dates of a zone begin within UTC hours, at any time of the year."""
    moments = (datetime(year, month, 1, tzinfo=UTC) for year in _YEARS for month in _MONTHS)
    offsets = (moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in moments)
    return any(offset and offset.total_seconds() % SECONDS_PER_HOUR for offset in offsets)


def cut_at_midnight(parts: DataFrame, site_days: SiteDays) -> DataFrame:
    """Return parts of intervals within UTC hours, cut where a site date begins.

    ``parts`` have a subject, ``hour_us``, ``part_start_us`` and ``part_end_us`` (microseconds since
    1970, UTC). Behind midnight ``hour_us`` is the instant of midnight. All else stays.
    """
    midnight = _midnight_us(site_days)
    if midnight is None:
        return parts
    columns = [name for name in parts.columns if name not in _CUT]
    with_midnight = parts.withColumn("midnight_us", midnight)
    hour, start, end = (sf.col(name) for name in _CUT)
    at = sf.col("midnight_us")
    is_cut = at.isNotNull() & (at > hour)
    before = _piece(hour, start, sf.least(end, at))
    behind = _piece(at, sf.greatest(start, at), end)
    pieces = sf.when(~is_cut, sf.array(_piece(hour, start, end))).otherwise(
        sf.array(before, behind)
    )
    cut = with_midnight.select(*columns, sf.inline(pieces))
    return cut.where(sf.col("part_start_us") < sf.col("part_end_us"))


_CUT: Final = ("hour_us", "part_start_us", "part_end_us")


def _piece(hour: Column, start: Column, end: Column) -> Column:
    return sf.struct(
        *(value.alias(name) for value, name in zip((hour, start, end), _CUT, strict=True))
    )


def _midnight_us(site_days: SiteDays) -> Column | None:
    """Return when the site date at the end of the hour began; ``None`` if no site needs it."""
    zones = {root: zone for root, zone in site_days.zones.items() if begins_within_hours(zone)}
    by_default = begins_within_hours(site_days.default_zone)
    if not zones and not by_default:
        return None
    root = sf.substring_index("subject", SERIES_SEPARATOR, 1)
    midnight = sf.lit(None).cast("bigint")
    if by_default:
        whole = [name for name in site_days.zones if name not in zones]
        midnight = sf.when(~root.isin(whole), _begin_us(site_days.default_zone))
    for name, zone in sorted(zones.items()):
        midnight = sf.when(root == name, _begin_us(zone)).otherwise(midnight)
    return midnight


def _begin_us(zone: str) -> Column:
    last = sf.timestamp_micros(sf.col("hour_us") + (_HOUR_US - 1))
    local_day = sf.date_trunc("day", sf.from_utc_timestamp(last, zone))
    return sf.unix_micros(sf.to_utc_timestamp(local_day, zone))
