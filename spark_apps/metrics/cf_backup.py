"""Backups of coupling facility structures into the log of the queue manager that makes them."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

ENDED: Final = "CSQE121I"
_MOMENT: Final = "INTERVAL 1 SECOND"
"""The message is an instant; it represents the second before it."""

CF_BACKUP: Final = Metric(
    name="cf_backup_mib",
    label="CF structure backup",
    unit="MiB",
    subject_kind=SubjectKind.queue_manager,
    description="Size of a backup of a coupling facility structure (CSQE121I); the day's peak is"
    " the largest one.",
    reads=(CONSOLE_EVENT.name,),
    fields=("CSQE121I",),
)
METRICS: Final = (CF_BACKUP,)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per backup with a size."""
    ended = (
        sections[CONSOLE_EVENT.name]
        .where((sf.col("message_id") == ENDED) & sf.col("qmgr").isNotNull())
        .withColumn(INTERVAL[0], sf.col("event_utc") - sf.expr(_MOMENT))
        .withColumn(INTERVAL[1], sf.col("event_utc"))
    )
    return interval_rows(ended, path("sysplex", "qmgr"), [Gauge(CF_BACKUP.name, sf.col("amount"))])
