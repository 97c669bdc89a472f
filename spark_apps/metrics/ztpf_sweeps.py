"""Sweeps of z/TPF systems on each local date, from messages MQSC0801I."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.keys import INTERVAL
from spark_apps.transforms.samples import part

ZTPF_SWEEP: Final = "ztpf_sweep"
_DATE: Final = ("site", "system", *INTERVAL)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue, per system and local date with a sweep: the date is the interval.

    Equal lines of a second count as often as one file has them, in however many files they are.
    """
    once = sections[ZTPF_SWEEP].select(*_DATE, "queue", "local_time", "sequence").unique()
    sweeps = pl.len().alias("sweeps")
    of_queue, of_system = (
        once.group_by(*_DATE, "queue").agg(sweeps),
        once.group_by(*_DATE).agg(sweeps),
    )
    count = pl.col("sweeps")
    system = part("system")
    return union(
        [
            interval_rows(
                of_queue, path("site", system, part("queue")), [Gauge("tpf_sweep_count", count)]
            ),
            interval_rows(
                of_system, path("site", system), [Gauge("tpf_system_sweep_count", count)]
            ),
        ]
    )
