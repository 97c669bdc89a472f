"""Intervals that have arrived by feed: the input of the completeness checks.

Of a queue manager they are those of QJST, which every class 1 trace writes; of its channel
initiator of QCCT; of a coupling facility of the local facility section.
"""

from typing import Final

import polars as pl

from mqcap.domain.datasets import FEED_INTERVAL
from mqcap.domain.feed import FeedKind
from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from spark_apps.metrics.channel_initiators import QCCT
from spark_apps.metrics.coupling_facility import R744F
from spark_apps.metrics.logs import QJST
from spark_apps.transforms.intervals import CHINIT_SUBJECT, MANAGER_SUBJECT, Sections, path, union
from spark_apps.transforms.keys import INTERVAL

GATHERER_FAILED: Final = 0x20
"""Bit of R744FFLG: nothing was gathered in the complete interval."""


def feed_intervals(sections: Sections) -> pl.LazyFrame:
    """Return FEED_INTERVAL; a facility's record that nothing was gathered has not arrived."""
    failed = pl.col("r744fflg").fill_null(0) & GATHERER_FAILED != 0
    facilities = sections[R744F].filter(~failed & pl.col("cf").is_not_null())
    manager, chinit = MANAGER_SUBJECT, CHINIT_SUBJECT
    level = pl.col("mq_level")
    return union(
        _rows(FeedKind.statistics, sections[QJST], manager, level),
        _rows(FeedKind.channel_initiator, sections[QCCT], chinit, level),
        _rows(FeedKind.coupling_facility, facilities, path("sysplex", "cf"), pl.lit(None)),
    )


def _rows(kind: FeedKind, frame: pl.LazyFrame, subject: pl.Expr, level: pl.Expr) -> pl.LazyFrame:
    printed = pl.col("record_hash") >= LOWEST_PRINTED_HASH
    intervals = frame.select(
        pl.lit(str(kind)).alias("kind"),
        subject.alias("subject"),
        pl.col("smfid").fill_null("").alias("smfid"),
        *INTERVAL,
        level.cast(pl.String).alias("mq_level"),
        pl.when(~printed).then(pl.col("utc_offset_minutes")).alias("utc_offset_minutes"),
        pl.col(INTERVAL[0]).dt.date().alias("hour_date"),
    )
    distinct = intervals.group_by(*FEED_INTERVAL.key, "hour_date").agg(
        pl.col("utc_offset_minutes").max()
    )
    return distinct.select(*FEED_INTERVAL.columns)
