"""Use of the structures of a coupling facility, as the facility sees them."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import (
    Counter,
    Gauge,
    Sections,
    interval_rows,
    path,
    total,
    whole,
)
from spark_apps.transforms.keys import INTERVAL

R744S: Final = "section_r744s"
BLOCKS_PER_MIB: Final = 256
"""Structure sizes are counted in blocks of 4 KiB."""

ENTRIES_USED: Final = "structure_entries_used_pct"
ELEMENTS_USED: Final = "structure_elements_used_pct"
_DUPLEXING: Final = 0x1C
"""Bits of R744SFLG: duplexing, primary, secondary."""
_PRIMARY: Final = 0x08
SECONDARY: Final = 0x04


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, structure and RMF interval.

    Requests belong to the member that wrote them and are added; what describes the structure
    is the same in every member's record and is taken once, at its highest.
    """
    return interval_rows(
        once_of_members(sections),
        path("sysplex", "cf", "r744snam"),
        [
            Gauge(ENTRIES_USED, pl.col("entries_pct")),
            Gauge(ELEMENTS_USED, pl.col("elements_pct")),
            Counter("structure_requests_per_s", pl.col("requests")),
            Gauge("structure_size_mib", pl.col("size_blocks") / BLOCKS_PER_MIB),
            Gauge("structure_duplex_role", pl.col("duplex_role")),
        ],
    )


def once_of_members(sections: Sections) -> pl.LazyFrame:
    """Return one row per facility, structure and RMF interval with the figures of all members."""
    return (
        sections[R744S]
        .group_by("sysplex", "cf", "r744snam", INTERVAL[1])
        .agg(
            pl.col(INTERVAL[0]).min(),
            _used_pct("r744slem", "r744slel").max().alias("entries_pct"),
            _used_pct("r744scue", "r744smae").max().alias("elements_pct"),
            pl.col("r744slem").max().alias("entries"),
            pl.col("r744scue").max().alias("elements"),
            pl.col("r744ssiz").max().alias("size_blocks"),
            _duplex_role().max().alias("duplex_role"),
            total(whole(pl.col("r744sarc") + pl.col("r744ssrc"))).alias("requests"),
        )
    )


def _duplex_role() -> pl.Expr:
    """Return the code of DUPLEX_ROLE; null where no flags were read."""
    flags = pl.col("r744sflg")
    return (
        pl.when(flags & SECONDARY != 0)
        .then(2)
        .when(flags & _PRIMARY != 0)
        .then(1)
        .when(flags & _DUPLEXING != 0)
        .then(3)
        .when(flags.is_not_null())
        .then(0)
    )


def _used_pct(used: str, defined: str) -> pl.Expr:
    """Use in per cent; null for a structure type without them, as elements of a lock structure."""
    return pl.when(pl.col(defined) > 0).then(pl.col(used) * 100.0 / pl.col(defined))
