"""Intervals that have arrived by feed: the input of the completeness checks.

A queue manager's statistics are counted by QJST, which every class 1 trace writes; those of its
channel initiator by QCCT; a coupling facility by the local facility section of each record.
"""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.datasets import FEED_INTERVAL
from mqcap.domain.feed import FeedKind
from spark_apps.metrics.channels import QCCT
from spark_apps.metrics.coupling_facility import R744F
from spark_apps.metrics.log import QJST
from spark_apps.transforms.intervals import Sections, path, union
from spark_apps.transforms.keys import INTERVAL

GATHERER_FAILED: Final = 0x20
"""Bit of R744FFLG: nothing was gathered in the complete interval."""


def feed_intervals(sections: Sections) -> DataFrame:
    """Return a row per feed, reporting system and interval: the columns of FEED_INTERVAL.

    A facility's record with the flag that nothing was gathered counts as not arrived.
    """
    failed = sf.coalesce("r744fflg", sf.lit(0)).cast("int").bitwiseAND(GATHERER_FAILED) != 0
    facilities = sections[R744F].where(~failed & sf.col("cf").isNotNull())
    return union(
        [
            _rows(FeedKind.statistics, sections[QJST], path("sysplex", "qmgr"), sf.col("mq_level")),
            _rows(
                FeedKind.channel_initiator,
                sections[QCCT],
                path("sysplex", "qmgr", sf.lit("CHINIT")),
                sf.col("mq_level"),
            ),
            _rows(FeedKind.coupling_facility, facilities, path("sysplex", "cf"), sf.lit(None)),
        ]
    )


def _rows(kind: FeedKind, frame: DataFrame, subject: Column, level: Column) -> DataFrame:
    return (
        frame.select(
            sf.lit(str(kind)).alias("kind"),
            subject.alias("subject"),
            sf.coalesce("smfid", sf.lit("")).alias("smfid"),
            *INTERVAL,
            level.cast("string").alias("mq_level"),
            sf.col(INTERVAL[0]).cast("date").alias("hour_date"),
        )
        .distinct()
        .select(*FEED_INTERVAL.columns)
    )
