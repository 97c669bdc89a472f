"""Parts by application, user, channel and connection from class 3 accounting (116.1 and 116.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.parts import folded, named, part_rows
from spark_apps.attribution.tables import (
    DayRows,
    Ints,
    SiteDays,
    grouped,
    measured,
    number,
    numbers,
    path,
    trimmed,
    whole,
    with_columns,
)
from spark_apps.metrics.accounting import CALL_CPU, OF_QUEUE, OF_TASK, WQST, WTAS
from spark_apps.metrics.local_queues import PUT_RATE
from spark_apps.metrics.logs import LOG_GROWTH
from spark_apps.transforms.keys import INTERVAL

WTID: Final = "section_wtid"
READS: Final = (WTID, WTAS, WQST)
COUNTED: Final = (WTAS, WQST)
NAMES: Final = {
    PartKind.application: "wtidccn",
    PartKind.user: "wtidopid",
    PartKind.channel: "wtidchl",
    PartKind.connection: "wtidchlc",
}
"""Field of WTID that names each kind; that of a channel is empty for other tasks."""
_RECORD: Final = ("sysplex", "smfid", "qmgr", INTERVAL[0], "record_hash")
_FIGURES: Final = ("log_bytes", "puts", "cpu_us")


def parts(rows: DayRows, site_days: SiteDays) -> pa.Table:
    """Return the part rows of tasks: log bytes (WTASJWB), messages put, CPU of their calls.

    An accounting interval belongs to the day on which it begins.
    """
    of_queues = measured(rows.of(WQST, "record_hash", "basename", "putn", "put1n", *OF_QUEUE))
    of_queues = with_columns(
        of_queues,
        log_bytes=np.zeros(of_queues.num_rows, np.int64),
        puts=number(of_queues, "putn") + number(of_queues, "put1n"),
        cpu_us=_sum(of_queues, OF_QUEUE),
    )
    tasks = _by_task(rows, site_days, of_queues)
    by_queue = grouped(
        site_days.dated(of_queues), ["sysplex", "qmgr", "basename", "site_date"], ["cpu_us"]
    )
    manager = path(by_queue["sysplex"], by_queue["qmgr"])
    queues = named(by_queue, PartKind.queue, folded(by_queue["basename"]))
    of_names = [_by_name(tasks, kind) for kind in NAMES]
    return pa.concat_tables([*of_names, part_rows(queues, [(CALL_CPU, manager, "cpu_us")])])


def _by_name(tasks: pa.Table, kind: PartKind) -> pa.Table:
    """Return the part rows of one kind of name."""
    key = ["sysplex", "qmgr", "breakdown", "kind", "part", "site_date"]
    sums = grouped(named(tasks, kind, tasks[kind]), key, _FIGURES)
    manager = path(sums["sysplex"], sums["qmgr"])
    return part_rows(
        sums,
        [
            (LOG_GROWTH, manager, "log_bytes"),
            (PUT_RATE, manager, "puts"),
            (CALL_CPU, manager, "cpu_us"),
        ],
    )


def _by_task(rows: DayRows, site_days: SiteDays, of_queues: pa.Table) -> pa.Table:
    """Return a row per set of names and day, with the sums of the records that have them."""
    of_tasks = measured(rows.of(WTAS, "record_hash", "wtasjwb", *OF_TASK))
    of_tasks = with_columns(
        of_tasks,
        log_bytes=number(of_tasks, "wtasjwb"),
        puts=np.zeros(of_tasks.num_rows, np.int64),
        cpu_us=_sum(of_tasks, OF_TASK),
    )
    by_record = pa.concat_tables(
        [grouped(table, _RECORD, _FIGURES) for table in (of_tasks, of_queues)]
    )
    identities = rows.of(WTID, "record_hash", *NAMES.values())
    names = {str(kind): trimmed(identities, field) for kind, field in NAMES.items()}
    plain = {name: identities[name].cast(pa.string()) for name in ("sysplex", "smfid", "qmgr")}
    identities = with_columns(identities, **names, **plain).select([*_RECORD, *names])
    joined = by_record.join(identities, list(_RECORD), join_type="left outer", use_threads=False)
    key = ["sysplex", "qmgr", *map(str, NAMES), "site_date"]
    return grouped(site_days.dated(joined), key, _FIGURES)


def _sum(table: pa.Table, columns: Sequence[str]) -> Ints:
    """Return the sum of times, whole microseconds."""
    total = np.zeros(table.num_rows)
    for column in columns:
        total = total + numbers(table[column].fill_null(0.0))
    return whole(total)
