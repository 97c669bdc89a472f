"""Processor utilisation and storage of coupling facilities, of one of the systems that report."""

from typing import Final

import polars as pl

from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, first_bit, interval_rows, path, total
from spark_apps.transforms.keys import INTERVAL

R744F: Final = "section_r744f"
R744G: Final = "section_r744g"
R744P: Final = "section_r744p"
NO_HARDWARE_STATISTICS: Final = 0x04
"""Bit of R744FFLG: this record carries no hardware statistics of the facility."""
DYNDISP: Final = {0x08: 2, 0x10: 1}
"""Code of CF_DYNDISP by bits of R744FFLG: with thin interrupts, on."""
DEDICATED: Final = 0x80
"""Bit of R744PTYP: no other partition uses this processor."""

CF_BUSY: Final = "cf_busy_pct"
_BLOCKS_PER_MIB: Final = MIB_BYTES // PAGE_BYTES


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, facility and RMF interval, however many members reported it.

    Busy is 100 x sum(R744PBSY) / sum(R744PBSY + R744PWAI) over the processors of one member's
    record, as are engines and dispatching. Without hardware statistics there is no row.
    """
    once = _facilities(_members(sections))
    busy_us, elapsed_us = _field("busy", "busy_us"), _field("busy", "elapsed_us")
    blocks, free = _field("storage", "total_blocks"), _field("storage", "free_blocks")
    start = pl.coalesce(_field("busy", INTERVAL[0]), _field("storage", INTERVAL[0]))
    return interval_rows(
        once.with_columns(start.alias(INTERVAL[0])),
        path("sysplex", "cf"),
        Gauge(CF_BUSY, busy_us * 100.0 / elapsed_us),
        Gauge("cf_engine_count", _field("busy", "engine_count")),
        Gauge("cf_dedicated_engine_count", _field("busy", "dedicated_count")),
        Gauge("cf_dyndisp_code", _field("busy", "dyndisp")),
        Gauge("cf_storage_used_pct", (blocks - free) * 100.0 / blocks),
        Gauge("cf_storage_total_mib", blocks / _BLOCKS_PER_MIB),
    )


def _members(sections: Sections) -> pl.LazyFrame:
    """Return one row per facility, reporting member and interval, with all values of the member."""
    busy_us, wait_us = pl.col("r744pbsy"), pl.col("r744pwai")
    lacks = pl.col("r744fflg") & NO_HARDWARE_STATISTICS != 0
    key = ["sysplex", "cf", "smfid", *INTERVAL]
    processors = sections[R744P].select(
        *key,
        busy_us.alias("busy_us"),
        (busy_us + wait_us).alias("elapsed_us"),
        (pl.col("r744ptyp") & DEDICATED != 0).cast(pl.Int64).alias("dedicated"),
    )
    storage = sections[R744G].select(
        *key, pl.col("r744gtsd").alias("total_blocks"), pl.col("r744gtsf").alias("free_blocks")
    )
    facilities = sections[R744F].select(
        *key, lacks.alias("lacks_hardware"), first_bit("r744fflg", DYNDISP).alias("dyndisp")
    )
    engines = processors.group_by(*key).agg(
        total("busy_us"),
        total("elapsed_us"),
        pl.len().alias("engine_count"),
        total("dedicated").alias("dedicated_count"),
    )
    of_facility = (
        pl.concat([storage, facilities], how="diagonal")
        .group_by(*key)
        .agg(
            pl.col("dyndisp", "total_blocks", "free_blocks").max(),
            pl.col("lacks_hardware").max().fill_null(False),
        )
    )
    return engines.join(of_facility, key, "full", nulls_equal=True, coalesce=True).with_columns(
        pl.col("lacks_hardware").fill_null(False)
    )


def _facilities(members: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per facility and interval end: ``busy`` and ``storage`` of the best member."""
    has_busy = (pl.col("elapsed_us") > 0) & ~pl.col("lacks_hardware")
    busy = pl.struct(
        INTERVAL[0], "busy_us", "elapsed_us", "engine_count", "dedicated_count", "dyndisp"
    )
    storage = pl.struct(INTERVAL[0], "total_blocks", "free_blocks")
    return members.group_by("sysplex", "cf", INTERVAL[1]).agg(
        _of_one_member(busy, has_busy).alias("busy"),
        _of_one_member(storage, pl.col("total_blocks") > 0).alias("storage"),
    )


def _of_one_member(figures: pl.Expr, usable: pl.Expr) -> pl.Expr:
    """Return those of the first by hardware statistics, length of its interval and SMF id."""
    last = pl.col("smfid").fill_null("~")  # RMF reports name no system
    in_order = figures.filter(usable).sort_by(
        pl.col("lacks_hardware").filter(usable),
        pl.col(INTERVAL[0]).filter(usable),
        last.filter(usable),
    )
    return in_order.first()


def _field(member: str, name: str) -> pl.Expr:
    return pl.col(member).struct.field(name)
