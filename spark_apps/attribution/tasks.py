"""Parts by application, user, channel and connection from class 3 accounting (116.1 and 116.2)."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.days import DAYS, SiteDays, has_length, named, part_rows
from spark_apps.attribution.names import folded
from spark_apps.metrics.call_cpu import CALL_CPU, WQST, WTAS, queue_cpu_us, task_cpu_us
from spark_apps.metrics.log import LOG_GROWTH
from spark_apps.metrics.messages import PUT_RATE
from spark_apps.transforms.intervals import Sections, number, path, union
from spark_apps.transforms.keys import INTERVAL

WTID: Final = "section_wtid"
READS: Final = (WTID, WTAS, WQST)
NAMES: Final = {
    PartKind.application: "wtidccn",
    PartKind.user: "wtidopid",
    PartKind.channel: "wtidchl",
    PartKind.connection: "wtidchlc",
}
"""Field of WTID that names each kind; that of a channel is empty for other tasks."""
_RECORD: Final = ("sysplex", "smfid", "qmgr", INTERVAL[0], "record_hash")
_FIGURES: Final = ("log_bytes", "puts", "cpu_us")


def parts(sections: Sections, site_days: SiteDays) -> DataFrame:
    """Return the part rows of tasks: log bytes (WTASJWB), messages put, CPU of their calls.

    An accounting interval belongs to the day on which it begins.
    """
    tasks = _by_task(sections, site_days)
    manager = path("sysplex", "qmgr")
    by_name = union([_by_name(tasks, kind) for kind in NAMES])
    named_rows = part_rows(
        by_name,
        [
            (LOG_GROWTH, manager, "log_bytes"),
            (PUT_RATE, manager, "puts"),
            (CALL_CPU, manager, "cpu_us"),
        ],
    )
    by_queue = (
        sections[WQST]
        .where(has_length())
        .select("sysplex", "qmgr", "basename", *site_days.of(sf.col("sysplex")),
                queue_cpu_us().alias("cpu_us"))
        .groupBy("sysplex", "qmgr", "basename", *DAYS)
        .agg(sf.sum("cpu_us").alias("cpu_us"))
    )  # fmt: skip
    queues = named(by_queue, PartKind.queue, folded(sf.col("basename")))
    return named_rows.unionByName(part_rows(queues, [(CALL_CPU, manager, "cpu_us")]))


def _by_name(tasks: DataFrame, kind: PartKind) -> DataFrame:
    """Return the sums by one kind of name."""
    key = ["sysplex", "qmgr", "breakdown", "kind", "part", *DAYS]
    sums = [sf.sum(figure).alias(figure) for figure in _FIGURES]
    return named(tasks, kind, sf.col(kind)).groupBy(*key).agg(*sums)


def _by_task(sections: Sections, site_days: SiteDays) -> DataFrame:
    """Return a row per set of names and day, with the sums of the records that have them."""
    zero = sf.lit(0).cast("bigint")
    of_tasks = sections[WTAS].select(
        *_RECORD, INTERVAL[1], number("wtasjwb").alias("log_bytes"), zero.alias("puts"),
        task_cpu_us().alias("cpu_us"),
    )  # fmt: skip
    of_queues = sections[WQST].select(
        *_RECORD, INTERVAL[1], zero.alias("log_bytes"),
        (number("putn") + number("put1n")).alias("puts"), queue_cpu_us().alias("cpu_us"),
    )  # fmt: skip
    names = [sf.trim(field).alias(str(kind)) for kind, field in NAMES.items()]
    identities = sections[WTID].select(*_RECORD, *names)
    by_record = (
        of_tasks.unionByName(of_queues)
        .groupBy(*_RECORD, INTERVAL[1])
        .agg(*(sf.sum(figure).alias(figure) for figure in _FIGURES))
    )
    return (
        by_record.join(identities, list(_RECORD), "left")
        .where(has_length())
        .withColumns(dict(zip(DAYS, site_days.of(sf.col("sysplex")), strict=True)))
        .groupBy("sysplex", "qmgr", *map(str, NAMES), *DAYS)
        .agg(*(sf.sum(figure).alias(figure) for figure in _FIGURES))
    )
