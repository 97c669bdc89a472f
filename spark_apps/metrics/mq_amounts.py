"""What distributed queue managers write and put, per second of the measured time."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Sections, union
from spark_apps.transforms.samples import QMGR_SAMPLE, amounts


def _metric(
    name: str, label: str, unit: str, description: str, *, forecast: bool = False
) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit=unit,
        subject_kind=SubjectKind.distributed_queue_manager,
        description=description,
        reads=(QMGR_SAMPLE,),
        forecast=forecast,
    )


LOG_WRITTEN: Final = _metric(
    "mq_log_written_mib_per_s",
    "Log written",
    "MiB/s",
    "Physical bytes written to the log.",
    forecast=True,
)
PUTS: Final = _metric(
    "mq_put_per_s", "Message puts", "count/s", "MQPUT and MQPUT1 calls, without those to topics."
)
PUT_MIB: Final = _metric(
    "mq_put_mib_per_s", "Message data put", "MiB/s", "Bytes of messages put, without topics."
)
EXTENTS: Final = _metric(
    "mq_log_extents_grown_per_day",
    "Growth of a linear log",
    "count/day",
    "Log extents created less those deleted (AMQ7490).",
)
UNRECLAIMED: Final = _metric(
    "mq_log_extents_unreclaimed_per_day",
    "Log extents not reclaimed",
    "count/day",
    "Extents of a linear log created less those reused or deleted (AMQ7490).",
)
METRICS: Final = (LOG_WRITTEN, PUTS, PUT_MIB, EXTENTS, UNRECLAIMED)
_DAYS_PER_SECOND: Final = 1 / 86_400
_COUNTED: Final = (
    (QmgrFigure.log_written_bytes, LOG_WRITTEN, float(MIB_BYTES)),
    (QmgrFigure.put_count, PUTS, 1.0),
    (QmgrFigure.put_bytes, PUT_MIB, float(MIB_BYTES)),
    (QmgrFigure.log_extents_grown_count, EXTENTS, _DAYS_PER_SECOND),
    (QmgrFigure.log_extents_unreclaimed_count, UNRECLAIMED, _DAYS_PER_SECOND),
)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time in which it counted."""
    return union(
        [amounts(sections, figure, metric.name, per_unit) for figure, metric, per_unit in _COUNTED]
    )
