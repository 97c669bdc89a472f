"""Parts of a coupling facility by structure: its busy time, divided by requests and their time."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.days import DAYS, SiteDays, has_length, named, part_rows
from spark_apps.metrics.coupling_facility import CF_BUSY
from spark_apps.metrics.structure import R744S
from spark_apps.transforms.intervals import Sections, number, path

READS: Final = (R744S,)


def parts(sections: Sections, site_days: SiteDays) -> DataFrame:
    """Return the part rows of structures, those of other users than MQ included.

    The weight of a structure is the time that all its requests would take at the mean service time
    of its synchronous ones, else at that of the facility: the records of the members do not hold
    the processor time that the facility itself spent.
    """
    sums = (
        sections[R744S]
        .where(has_length())
        .select(
            "sysplex",
            "cf",
            "r744snam",
            *site_days.of(sf.col("sysplex")),
            number("r744ssrc").alias("sync"),
            number("r744sarc").alias("other"),
            number("r744sstm").alias("sync_us"),
        )
        .groupBy("sysplex", "cf", "r744snam", *DAYS)
        .agg(*(sf.sum(name).alias(name) for name in ("sync", "other", "sync_us")))
    )
    facility = Window.partitionBy("sysplex", "cf", *DAYS)
    usual_us = sf.try_divide(sf.sum("sync_us").over(facility), sf.sum("sync").over(facility))
    own_us = sf.when(sf.col("sync") > 0, sf.col("sync_us") / sf.col("sync"))
    each_us = sf.coalesce(own_us, usual_us, sf.lit(1.0))
    weighted = sums.withColumn(
        "weight", sf.round((sf.col("sync") + sf.col("other")) * each_us).cast("bigint")
    )
    rows = named(weighted, PartKind.structure, sf.col("r744snam"))
    return part_rows(rows, [(CF_BUSY, path("sysplex", "cf"), "weight")])
