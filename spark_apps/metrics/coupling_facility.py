"""Processor utilisation and storage of coupling facilities.

Every system of a sysplex writes a record about every facility. What describes the facility
itself is the same in all of them, so it is taken once per interval and never added.
"""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

R744F: Final = "section_r744f"
R744G: Final = "section_r744g"
R744P: Final = "section_r744p"
NO_HARDWARE_STATISTICS: Final = 0x04
"""Bit of R744FFLG: this record carries no hardware statistics of the facility."""
DYNAMIC_DISPATCHING: Final = 0x10
THIN_INTERRUPTS: Final = 0x08
"""Bits of R744FFLG: DYNDISP on, and with thin interrupts."""
DEDICATED: Final = 0x80
"""Bit of R744PTYP: no other partition uses this processor."""

CF_BUSY: Final = Metric(
    name="cf_busy_pct",
    label="CF busy",
    unit="%",
    subject_kind=SubjectKind.coupling_facility,
    description="Average utilization of the facility's processors, taken once for all members.",
    reads=(R744P, R744F),
    forecast=True,
    ceiling=100.0,
)
CF_ENGINES: Final = Metric(
    name="cf_engine_count",
    label="CF engines",
    unit="count",
    subject_kind=SubjectKind.coupling_facility,
    description="Logical processors defined to the facility.",
    reads=(R744P, R744F),
)
CF_DEDICATED: Final = Metric(
    name="cf_dedicated_engine_count",
    label="CF dedicated engines",
    unit="count",
    subject_kind=SubjectKind.coupling_facility,
    description="Processors that no other partition uses (R744PTYP); the others are shared.",
    reads=(R744P, R744F),
    fields=("R744PTYP",),
)
CF_DYNDISP: Final = Metric(
    name="cf_dyndisp_code",
    label="CF dynamic dispatching (DYNDISP)",
    unit="",
    subject_kind=SubjectKind.coupling_facility,
    description="Dynamic dispatching (R744FFLG): 0 off, 1 on, 2 thin interrupts.",
    reads=(R744P, R744F),
    fields=("R744FFLG",),
)
CF_STORAGE_USED: Final = Metric(
    name="cf_storage_used_pct",
    label="CF storage used",
    unit="%",
    subject_kind=SubjectKind.coupling_facility,
    description="Allocated share of the facility's storage (R744GTSF of R744GTSD is free).",
    reads=(R744G, R744F),
    fields=("R744GTSF", "R744GTSD"),
    ceiling=100.0,
)
CF_STORAGE_TOTAL: Final = Metric(
    name="cf_storage_total_mib",
    label="CF storage",
    unit="MiB",
    subject_kind=SubjectKind.coupling_facility,
    description="Storage that the facility has (R744GTSD).",
    reads=(R744G, R744F),
    fields=("R744GTSD",),
)
_BLOCKS_PER_MIB: Final = MIB_BYTES // PAGE_BYTES
METRICS: Final = (
    CF_BUSY,
    CF_ENGINES,
    CF_DEDICATED,
    CF_DYNDISP,
    CF_STORAGE_USED,
    CF_STORAGE_TOTAL,
)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per metric, facility and RMF interval, however many members reported it.

    Engines and dispatching are those of the member whose busy figure is taken.

    Busy is 100 x sum(R744PBSY) / sum(R744PBSY + R744PWAI) over the processors of one member's
    record. An interval in which no member had hardware statistics has no row.
    """
    once = _facilities(_members(sections))
    busy_us, elapsed_us = sf.col("busy.busy_us"), sf.col("busy.elapsed_us")
    total, free = sf.col("storage.total_blocks"), sf.col("storage.free_blocks")
    start = sf.coalesce("busy.interval_start_utc", "storage.interval_start_utc")
    return interval_rows(
        once.withColumn(INTERVAL[0], start),
        path("sysplex", "cf"),
        [
            Gauge(CF_BUSY.name, busy_us * sf.lit(100.0) / elapsed_us),
            Gauge(CF_ENGINES.name, sf.col("busy.engine_count")),
            Gauge(CF_DEDICATED.name, sf.col("busy.dedicated_count")),
            Gauge(CF_DYNDISP.name, sf.col("busy.dyndisp")),
            Gauge(CF_STORAGE_USED.name, (total - free) * sf.lit(100.0) / total),
            Gauge(CF_STORAGE_TOTAL.name, total / sf.lit(_BLOCKS_PER_MIB)),
        ],
    )


def _members(sections: Sections) -> DataFrame:
    """Return one row per facility, reporting member and interval, with all values of the member."""
    busy_us = sf.col("r744pbsy").cast("bigint")
    wait_us = sf.col("r744pwai").cast("bigint")
    lacks = sf.col("r744fflg").cast("int").bitwiseAND(NO_HARDWARE_STATISTICS) != 0
    key = ["sysplex", "cf", "smfid", *INTERVAL]
    reported = (
        sections[R744P]
        .select(
            *key,
            "r744pnum",
            busy_us.alias("busy_us"),
            (busy_us + wait_us).alias("elapsed_us"),
            (sf.col("r744ptyp").cast("int").bitwiseAND(DEDICATED) != 0)
            .cast("int")
            .alias("dedicated"),
        )
        .unionByName(
            sections[R744G].select(
                *key,
                sf.col("r744gtsd").cast("bigint").alias("total_blocks"),
                sf.col("r744gtsf").cast("bigint").alias("free_blocks"),
            ),
            allowMissingColumns=True,
        )
        .unionByName(
            sections[R744F].select(
                *key, lacks.alias("lacks_hardware"), _dyndisp().alias("dyndisp")
            ),
            allowMissingColumns=True,
        )
    )
    return reported.groupBy(*key).agg(
        sf.sum("busy_us").alias("busy_us"),
        sf.sum("elapsed_us").alias("elapsed_us"),
        sf.count("r744pnum").alias("engine_count"),
        sf.sum("dedicated").alias("dedicated_count"),
        sf.max("dyndisp").alias("dyndisp"),
        sf.max("total_blocks").alias("total_blocks"),
        sf.max("free_blocks").alias("free_blocks"),
        sf.coalesce(sf.max("lacks_hardware"), sf.lit(False)).alias("lacks_hardware"),
    )


def _dyndisp() -> Column:
    """Return the code of CF_DYNDISP; null where no flags were read."""
    flags = sf.col("r744fflg").cast("int")
    return (
        sf.when(flags.bitwiseAND(THIN_INTERRUPTS) != 0, 2)
        .when(flags.bitwiseAND(DYNAMIC_DISPATCHING) != 0, 1)
        .when(flags.isNotNull(), 0)
    )


def _facilities(members: DataFrame) -> DataFrame:
    """Return one row per facility and interval end: ``busy`` and ``storage`` of one member each.

    Of the members whose figure is usable: those with hardware statistics, then the one with the
    longest interval, then the first SMF id. Members that report no hardware statistics
    are not asked how busy it is.
    """
    has_busy = (sf.col("elapsed_us") > 0) & ~sf.col("lacks_hardware")
    busy = sf.struct(
        INTERVAL[0], "busy_us", "elapsed_us", "engine_count", "dedicated_count", "dyndisp"
    )
    storage = sf.struct(INTERVAL[0], "total_blocks", "free_blocks")
    return members.groupBy("sysplex", "cf", INTERVAL[1]).agg(
        _of_one_member(busy, has_busy).alias("busy"),
        _of_one_member(storage, sf.col("total_blocks") > 0).alias("storage"),
    )


def _of_one_member(figures: Column, usable: Column) -> Column:
    last = sf.coalesce("smfid", sf.lit("~")).alias("smfid")  # RMF reports name no system
    order = sf.struct("lacks_hardware", INTERVAL[0], last)
    return sf.min_by(sf.when(usable, figures), sf.when(usable, order))
