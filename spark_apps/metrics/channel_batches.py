"""Messages of a channel batch, over all channels of a queue manager."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, total
from spark_apps.transforms.keys import INTERVAL

QCST: Final = "section_qcst"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per channel initiator and interval in which any channel ended a batch."""
    sums = (
        sections[QCST]
        .filter((pl.col("qcstbatc") > 0) | pl.col("qcstbatc").is_null())
        .group_by("sysplex", "qmgr", *INTERVAL)
        .agg(total("qcstnmsg").alias("messages"), total("qcstbatc").alias("batches"))
    )
    return interval_rows(
        sums,
        path("sysplex", "qmgr", pl.lit("CHINIT")),
        [Gauge("channel_batch_messages", pl.col("messages") / pl.col("batches"))],
    )
