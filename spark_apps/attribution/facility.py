"""Parts of a coupling facility by structure: its busy time, divided by requests and their time."""

import polars as pl

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.parts import DAYS, counted, measured, part_rows
from spark_apps.metrics.coupling_facility import CF_BUSY
from spark_apps.metrics.structures import R744S
from spark_apps.transforms.intervals import Sections, path, ratio, whole


def parts(sections: Sections) -> pl.LazyFrame:
    """Return the part rows of structures, those of other users than MQ included.

    A structure weighs the time of all its requests at the mean service time of its synchronous
    ones, else of the facility: records do not hold the processor time of the facility itself.
    """
    sync, other, sync_us = pl.col("sync"), pl.col("other"), pl.col("sync_us")
    facility = ("sysplex", "cf", *DAYS)
    usual_us = ratio(sync_us.sum().over(*facility), sync.sum().over(*facility))
    each_us = pl.coalesce(ratio(sync_us, sync), usual_us, 1.0)
    structures = (
        measured(sections[R744S])
        .group_by(*facility, "r744snam")
        .agg(
            counted("r744ssrc").sum().alias("sync"),
            counted("r744sarc").sum().alias("other"),
            counted("r744sstm").sum().alias("sync_us"),
        )
        .with_columns(whole((sync + other) * each_us).alias("weight"))
    )
    figure = (CF_BUSY, path("sysplex", "cf"), "weight")
    return part_rows(structures, PartKind.structure, pl.col("r744snam"), figure)
