"""Parts by application, user, channel and connection from class 3 accounting (116.1 and 116.2)."""

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Final

import polars as pl

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.parts import DAYS, counted, folded, measured, part_rows, trimmed
from spark_apps.metrics.accounting import CALL_CPU, OF_QUEUE, OF_TASK, WQST, WTAS
from spark_apps.metrics.local_queues import PUT_RATE
from spark_apps.metrics.logs import LOG_GROWTH
from spark_apps.transforms.intervals import MANAGER_SUBJECT, Sections, union, whole
from spark_apps.transforms.keys import INTERVAL

WTID: Final = "section_wtid"
NAMES: Final = {
    PartKind.application: "wtidccn",
    PartKind.user: "wtidopid",
    PartKind.channel: "wtidchl",
    PartKind.connection: "wtidchlc",
}
"""Field of WTID that names each kind; that of a channel is empty for other tasks."""
_RECORD: Final = ("sysplex", "smfid", "qmgr", INTERVAL[0], "record_hash")
_FIGURES: Final = {LOG_GROWTH: "log_bytes", PUT_RATE: "puts", CALL_CPU: "cpu_us"}


def parts(sections: Sections) -> pl.LazyFrame:
    """Return the part rows of tasks: log bytes (WTASJWB), messages put, CPU of their calls."""
    queues = measured(sections[WQST]).with_columns(
        pl.lit(0, pl.Int64).alias("log_bytes"),
        counted("putn", "put1n").alias("puts"),
        _cpu_us(OF_QUEUE),
    )
    tasks = measured(sections[WTAS]).with_columns(
        counted("wtasjwb").alias("log_bytes"), pl.lit(0, pl.Int64).alias("puts"), _cpu_us(OF_TASK)
    )
    columns = (*_RECORD, *DAYS, *_FIGURES.values())
    names = sections[WTID].select(*_RECORD, *map(trimmed, NAMES.values()))
    of_names = (
        union(tasks.select(columns), queues.select(columns))
        .join(names, on=list(_RECORD), how="left")
        .group_by("sysplex", "qmgr", *NAMES.values(), *DAYS)
        .agg(pl.col(*_FIGURES.values()).sum())
    )
    by_queue = queues.group_by("sysplex", "qmgr", "basename", *DAYS).agg(pl.col("cpu_us").sum())
    manager = MANAGER_SUBJECT
    cpu_of_queues = [(CALL_CPU, manager, "cpu_us")]
    return union(
        *(
            part_rows(
                of_names,
                kind,
                pl.col(name),
                *((metric, manager, column) for metric, column in _FIGURES.items()),
            )
            for kind, name in NAMES.items()
        ),
        part_rows(by_queue, PartKind.queue, folded(pl.col("basename")), *cpu_of_queues),
    )


def _cpu_us(columns: Sequence[str]) -> pl.Expr:
    """Return the sum of times, whole microseconds."""
    return whole(reduce(add, (pl.col(name).fill_null(0.0) for name in columns))).alias("cpu_us")
