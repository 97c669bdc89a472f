"""Writes to the volumes of the logs that found no room in non-volatile storage, from 74.5."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import SERIES_SEPARATOR, Metric, SubjectKind, sysplex_of
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

R745D: Final = "section_r745d"
REQUESTS: Final = (
    *("R745DRCR", "R745DRSR", "R745DRNR", "R745DWRC", "R745DWSR", "R745DWNR"),
    *("R745DICL", "R745DBCR"),
)
"""I/Os of a device: the sum of RMF's condition CADTOT (total I/O)."""
BYPASSED: Final = "R745DFWB"
BYPASS: Final = Metric(
    name="log_dfw_bypass_pct",
    label="Bypass of the log volumes",
    unit="%",
    subject_kind=SubjectKind.queue_manager,
    description="DASD fast writes delayed for want of non-volatile storage (R745DFWB) of all I/Os, "
    "of the volume in log_volumes with the highest share.",
    reads=(R745D,),
    fields=("R745DVOL", BYPASSED, *REQUESTS),
    uncertain=(BYPASSED, "R745DICL", "R745DBCR"),
)
METRICS: Final = (BYPASS,)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per queue manager and interval in which a volume of its logs had I/Os.

    A volume of which a section is too short for the count, or that was not used, has no share.
    Systems that share a volume report the same control unit; the highest share counts.
    """
    ios = sum((sf.col(name.lower()) for name in REQUESTS), start=sf.lit(0.0))
    every = sorted({serial for serials in sections.log_volumes.values() for serial in serials})
    shares = (
        sections[R745D]
        .where(sf.col("r745dvol").isin(every))
        .select(
            *INTERVAL,
            sf.explode(_managers(sections)).alias("manager"),
            sf.when(ios > 0, 100 * sf.col(BYPASSED.lower()) / ios).alias("share"),
        )
    )
    highest = shares.groupBy("manager", *INTERVAL).agg(sf.max("share").alias("share"))
    return interval_rows(highest, sf.col("manager"), [Gauge(BYPASS.name, sf.col("share"))])


def _managers(sections: Sections) -> Column:
    """Return the queue managers with a log on the volume of a row; none for other volumes."""
    volume = path("sysplex", "r745dvol")
    named = [
        sf.when(volume.isin(_volumes(manager, serials)), sf.lit(manager))
        for manager, serials in sections.log_volumes.items()
    ]
    return sf.array_compact(sf.array(*named, sf.lit(None).cast("string")))


def _volumes(manager: str, serials: tuple[str, ...]) -> list[str]:
    sysplex = sysplex_of(manager)
    return [SERIES_SEPARATOR.join((sysplex, serial)) for serial in serials]
