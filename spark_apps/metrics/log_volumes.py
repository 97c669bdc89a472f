"""Writes to the volumes of the logs that found no room in non-volatile storage, from 74.5."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import SERIES_SEPARATOR, sysplex_of
from spark_apps.transforms.intervals import Gauge, Sections, highest_ratio, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

R745D: Final = "section_r745d"
REQUESTS: Final = (
    *("R745DRCR", "R745DRSR", "R745DRNR", "R745DWRC", "R745DWSR", "R745DWNR"),
    *("R745DICL", "R745DBCR"),
)
"""I/Os of a device: the sum of RMF's condition CADTOT (total I/O)."""
BYPASSED: Final = "R745DFWB"
BYPASS: Final = "log_dfw_bypass_pct"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and interval in which a volume of its logs had I/Os.

    A volume of which a section is too short for the count, or that was not used, has no share.
    Systems that share a volume report the same control unit; the highest share counts.
    """
    ios = sum((pl.col(name.lower()) for name in REQUESTS), start=pl.lit(0.0))
    shares = sections[R745D].select(
        *INTERVAL,
        path("sysplex", "r745dvol").alias("volume"),
        (100 * pl.col(BYPASSED.lower())).alias("bypassed"),
        ios.alias("ios"),
    )
    of_managers = shares.join(_volumes(sections), on="volume")
    highest = of_managers.group_by("manager", *INTERVAL).agg(
        highest_ratio(pl.col("bypassed"), pl.col("ios")).alias("share")
    )
    return interval_rows(highest, pl.col("manager"), [Gauge(BYPASS, pl.col("share"))])


def _volumes(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue manager and volume of its logs, which begins with the sysplex."""
    named = [
        (SERIES_SEPARATOR.join((sysplex_of(manager), serial)), manager)
        for manager, serials in sections.log_volumes.items()
        for serial in dict.fromkeys(serials)
    ]
    return pl.LazyFrame(named, schema={"volume": pl.String, "manager": pl.String}, orient="row")
