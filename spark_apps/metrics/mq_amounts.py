"""What distributed queue managers write and put, per second of the measured time."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Sections, union
from spark_apps.transforms.samples import amounts

PUTS: Final = "mq_put_per_s"
PUT_MIB: Final = "mq_put_mib_per_s"
_DAYS_PER_SECOND: Final = 1 / 86_400
_COUNTED: Final = (
    (QmgrFigure.log_written_bytes, "mq_log_written_mib_per_s", float(MIB_BYTES)),
    (QmgrFigure.put_count, PUTS, 1.0),
    (QmgrFigure.put_bytes, PUT_MIB, float(MIB_BYTES)),
    (QmgrFigure.log_extents_grown_count, "mq_log_extents_grown_per_day", _DAYS_PER_SECOND),
    (
        QmgrFigure.log_extents_unreclaimed_count,
        "mq_log_extents_unreclaimed_per_day",
        _DAYS_PER_SECOND,
    ),
)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time in which it counted."""
    return union(
        [amounts(sections, figure, metric, per_unit) for figure, metric, per_unit in _COUNTED]
    )
