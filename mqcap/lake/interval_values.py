"""The measured intervals behind the hours of a series, read from the lake without Spark."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.compute as pc
import pyarrow.dataset as pds

from mqcap.domain.datasets import METRIC_INTERVAL
from mqcap.lake.hour_values import as_utc, instant, partition_paths

LONGEST: Final = timedelta(days=1)
"""An interval that reaches into the time asked for began at most so long before."""
_COLUMNS: Final = ("interval_start_utc", "interval_end_utc", "level")


class IntervalValue(NamedTuple):
    """One measured interval of one series, in its unit."""

    start_utc: datetime
    end_utc: datetime
    level: float


def interval_values(
    lake: Path, series_id: str, begin: datetime, end: datetime
) -> list[IntervalValue]:
    """The intervals that touch the time from ``begin`` up to ``end``, in order.

    One that lasts longer is cut at ``end``: how long is told by records of a later time.
    Empty where the lake has none: not measured, or older than the newest 35 dates.
    """
    first = (begin - LONGEST).date()
    paths = partition_paths(lake, METRIC_INTERVAL.name, first, end.date())
    if not paths:
        return []
    wanted = (
        (pc.field("series_id") == series_id)
        & (pc.field("interval_start_utc") < instant(end))
        & (pc.field("interval_end_utc") > instant(begin))
    )
    table = pds.dataset(paths, format="parquet").to_table(columns=list(_COLUMNS), filter=wanted)
    return sorted(
        IntervalValue(
            as_utc(row["interval_start_utc"]),
            min(as_utc(row["interval_end_utc"]), end),
            row["level"],
        )
        for row in table.to_pylist()
    )
