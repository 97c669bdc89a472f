"""Parts of a coupling facility by structure: its busy time, divided by requests and their time."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.parts import named, part_rows
from spark_apps.attribution.tables import (
    DayRows,
    SiteDays,
    grouped,
    measured,
    number,
    numbers,
    path,
    summed_over,
    whole,
    with_columns,
)
from spark_apps.metrics.coupling_facility import CF_BUSY
from spark_apps.metrics.structures import R744S

READS: Final = (R744S,)
COUNTED: Final = READS


def parts(rows: DayRows, site_days: SiteDays) -> pa.Table:
    """Return the part rows of structures, those of other users than MQ included.

    The weight of a structure is the time that all its requests would take at the mean service time
    of its synchronous ones, else at that of the facility: the records of the members do not hold
    the processor time that the facility itself spent.
    """
    intervals = measured(rows.of(R744S, "r744snam", "r744ssrc", "r744sarc", "r744sstm"))
    requests = {"sync": "r744ssrc", "other": "r744sarc", "sync_us": "r744sstm"}
    figures = {name: number(intervals, column) for name, column in requests.items()}
    sums = grouped(
        site_days.dated(with_columns(intervals, **figures)),
        ["sysplex", "cf", "r744snam", "site_date"],
        list(figures),
    )
    facility = ["sysplex", "cf", "site_date"]
    sync, other, sync_us = (numbers(sums[name]) for name in figures)
    usual_us = _ratio(summed_over(sums, facility, "sync_us"), summed_over(sums, facility, "sync"))
    own_us = _ratio(sync_us, np.maximum(sync, 0))
    each_us = np.where(np.isnan(own_us), np.where(np.isnan(usual_us), 1.0, usual_us), own_us)
    weighted = with_columns(sums, weight=whole((sync + other) * each_us))
    return part_rows(
        named(weighted, PartKind.structure, sums["r744snam"]),
        [(CF_BUSY, path(sums["sysplex"], sums["cf"]), "weight")],
    )


def _ratio(time_us: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return the mean time; not a number where nothing was counted."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(count != 0, time_us / count, np.nan)
