"""Messages of a channel batch, over all channels of a queue manager."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Direction, Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

QCST: Final = "section_qcst"

BATCH: Final = Metric(
    name="channel_batch_messages",
    label="Messages per batch",
    unit="count",
    subject_kind=SubjectKind.channel_initiator,
    description="Messages per batch of all channels with batches (QCSTNMSG of QCSTBATC).",
    reads=(QCST,),
    fields=("QCSTNMSG", "QCSTBATC"),
    direction=Direction.downward,
    forecast=True,
)
METRICS: Final = (BATCH,)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per channel initiator and interval in which any channel ended a batch."""
    sums = (
        sections[QCST]
        .where(sf.col("qcstbatc") > 0)
        .groupBy("sysplex", "qmgr", *INTERVAL)
        .agg(sf.sum("qcstnmsg").alias("messages"), sf.sum("qcstbatc").alias("batches"))
    )
    return interval_rows(
        sums,
        path("sysplex", "qmgr", sf.lit("CHINIT")),
        [Gauge(BATCH.name, sf.col("messages") / sf.col("batches"))],
    )
