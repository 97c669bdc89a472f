"""One reporting member per coupling facility and interval.

Every system of a sysplex writes a record about every facility. What describes the facility
itself is the same in all of them, so it is taken once and never added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

NO_HARDWARE_STATISTICS: Final = 0x04
"""Bit of R744FFLG: this record carries no hardware statistics of the facility."""
MEMBER: Final = ("sysplex", "cf", "smfid", "interval_end_utc")


def with_hardware_flag(frame: DataFrame, section_r744f: DataFrame) -> DataFrame:
    """``frame`` with ``has_hardware``: false where the member's record says it has none.

    A record whose flags were not read counts as having them.
    """
    missing = sf.col("r744fflg").cast("int").bitwiseAND(NO_HARDWARE_STATISTICS) != 0
    flags = section_r744f.groupBy(*MEMBER).agg(sf.max(missing).alias("lacks_hardware"))
    joined = frame.join(flags, on=list(MEMBER), how="left")
    lacks = sf.coalesce(sf.col("lacks_hardware"), sf.lit(False))
    return joined.withColumn("has_hardware", ~lacks).drop("lacks_hardware")


def one_member(frame: DataFrame, subject: Sequence[str], usable: Column) -> DataFrame:
    """One row per subject and interval end: that of one member, always the same one.

    Members with hardware statistics and a usable figure come first, then the longer interval,
    then the SMF id in order.
    """
    choice = Window.partitionBy(*subject, "interval_end_utc").orderBy(
        sf.col("has_hardware").desc(), usable.desc(), "interval_start_utc", "smfid"
    )
    ranked = frame.withColumn("choice", sf.row_number().over(choice))
    return ranked.where(sf.col("choice") == 1).drop("choice")
