"""When site dates begin: dates of instants, local dates as intervals, dates within UTC hours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from typing import Final
from zoneinfo import ZoneInfo

import polars as pl

from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.transforms.keys import INTERVAL


@dataclass(frozen=True)
class SiteDays:
    """Time zones that decide on which site date an interval begins."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Zone by sysplex."""
    default_zone: str = "UTC"

    def within_hours(self) -> tuple[str, ...]:
        """Return the zones of which dates begin within UTC hours, at any time of the year."""
        every = {self.default_zone, *self.zones.values()}
        return tuple(sorted(zone for zone in every if begins_within_hours(zone)))

    def local_date(self, root: pl.Expr, moment: pl.Expr) -> pl.Expr:
        """Return the site date of an instant; ``root`` is the sysplex or site."""
        return self.by_zone(root, lambda zone: moment.dt.convert_time_zone(zone).dt.date())

    def by_zone(self, root: pl.Expr, of_zone: Callable[[str], pl.Expr]) -> pl.Expr:
        """Return what a function makes of the zone of each root."""
        found = of_zone(self.default_zone)
        for zone in sorted({*self.zones.values()} - {self.default_zone}):
            roots = [name for name, own in self.zones.items() if own == zone]
            found = pl.when(root.is_in(roots)).then(of_zone(zone)).otherwise(found)
        return found


_YEARS: Final = range(2000, 2050)
_MONTHS: Final = (1, 4, 7, 10)


@cache
def begins_within_hours(zone: str) -> bool:
    """Return whether dates of a zone begin within UTC hours, at any time of the year."""
    moments = (datetime(year, month, 1, tzinfo=UTC) for year in _YEARS for month in _MONTHS)
    offsets = (moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in moments)
    return any(offset and offset.total_seconds() % SECONDS_PER_HOUR for offset in offsets)


def with_local_date(frame: pl.LazyFrame, site_days: SiteDays) -> pl.LazyFrame:
    """Return rows of a ``site`` and a ``local_date`` (``2026-07-09``) with its date as interval."""
    day = pl.col("local_date").str.to_date("%Y-%m-%d")

    def begin(zone: str, day: pl.Expr) -> pl.Expr:
        """Return when a date begins; where clocks skip midnight, an hour later by them."""
        midnight = day.cast(pl.Datetime("us"))
        moments = (
            local.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
            for local in (midnight, midnight.dt.offset_by("1h"))
        )
        return pl.coalesce(*moments).dt.convert_time_zone("UTC")

    return frame.with_columns(
        site_days.by_zone(pl.col("site"), partial(begin, day=of_day)).alias(name)
        for name, of_day in zip(INTERVAL, (day, day.dt.offset_by("1d")), strict=True)
    )
