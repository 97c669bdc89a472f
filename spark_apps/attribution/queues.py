"""Parts by queue from queue statistics (115.216): log, messages, buffer pools, structures."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.attribution import PartKind
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.units import PAGE_BYTES
from sizing.calculators.log_bytes import FIXED_BYTES, PAGE_OVERHEAD_BYTES
from spark_apps.attribution.days import (
    DAYS,
    SiteDays,
    has_length,
    length_us,
    named,
    part_rows,
)
from spark_apps.attribution.names import folded
from spark_apps.metrics.buffer_pool import BUFFER_POOL_USED
from spark_apps.metrics.log import LOG_GROWTH
from spark_apps.metrics.messages import PUT_RATE
from spark_apps.metrics.queues import QQST, RATE
from spark_apps.metrics.structure import ENTRIES_USED, R744S, SECONDARY
from spark_apps.transforms.intervals import Sections, number, path, seconds

HEADER_BYTES: Final = 300
"""Headers of a message in LOG-BYTES-ESTIMATE."""
READS: Final = (QQST, R744S)


def parts(sections: Sections, site_days: SiteDays) -> DataFrame:
    """Return the part rows of queues with statistics.

    Log bytes are those of LOG-BYTES-ESTIMATE for the persistent messages put, their get included.
    A buffer pool is divided by bytes put and got. Messages of a shared queue are entries of its
    structure, wherever that is located; every member reports the same depth. Of private queues the
    highest rate of an interval is kept as well: it names the busiest one.
    """
    manager = path("sysplex", "qmgr")
    pool = path("sysplex", "qmgr", sf.format_string("BP%02d", sf.col("pool")))
    structure = path("sysplex", "cf", "r744snam")
    queues = _by_queue(sections, site_days).join(
        sf.broadcast(_places(sections)), ["sysplex", "r744snam"], "left"
    )
    return part_rows(
        named(queues, PartKind.queue, sf.col("queue")),
        [
            (LOG_GROWTH, manager, "log_bytes"),
            (PUT_RATE, manager, "puts"),
            (BUFFER_POOL_USED, sf.when(sf.col("pool") >= 0, pool), "moved_bytes"),
            (ENTRIES_USED, sf.when(sf.col("cf").isNotNull(), structure), "depth_us"),
            (RATE, sf.when(sf.col("r744snam").isNull(), manager), "milli_puts_per_s"),
        ],
    )


def _by_queue(sections: Sections, site_days: SiteDays) -> DataFrame:
    """Return a row per queue manager, queue and day with the sums of its intervals.

    Rows of intervals are only added up: what follows from the sums is computed of those, which are
    a hundredth in number.
    """
    raw = {
        "messages": number("qqstppt") + number("qqstpp1"),
        "message_bytes": number("qqstppb") + number("qqstp1b"),
        "puts": number("qqstputs") + number("qqstput1"),
        "moved_bytes": number("qqstputb") + number("qqstpt1b") + number("qqstgetb"),
        "depth_us": number("qqstdpth") * length_us(),
    }
    names = ["sysplex", "qmgr", "qqstqsgn", "qqstcfst", "qqstbpid", "qqstqnam"]
    rate = (number("qqstputs") + number("qqstput1")) * 1_000 / seconds()
    sums = (
        sections[QQST]
        .where(has_length())
        .groupBy(*names, *site_days.of(sf.col("sysplex")))
        .agg(
            *(sf.sum(figure).alias(name) for name, figure in raw.items()),
            sf.round(sf.max(rate)).cast("bigint").alias("milli_puts_per_s"),
        )
    )
    structure = sf.trim("qqstcfst")
    z_os_name = sf.concat(sf.rpad(sf.trim("qqstqsgn"), GROUP_NAME_LENGTH, "@"), structure)
    described = sums.select(
        "sysplex",
        "qmgr",
        sf.when(structure != "", z_os_name).alias("r744snam"),
        sf.col("qqstbpid").cast("int").alias("pool"),
        folded(sf.trim("qqstqnam")).alias("queue"),
        *DAYS,
        _log_bytes(sf.col("messages"), sf.col("message_bytes")).alias("log_bytes"),
        "puts",
        "moved_bytes",
        "depth_us",
        "milli_puts_per_s",
    )
    key = ["sysplex", "qmgr", "r744snam", "pool", "queue", *DAYS]
    added = ("log_bytes", "puts", "moved_bytes", "depth_us")
    return described.groupBy(*key).agg(
        *(sf.sum(name).alias(name) for name in added),
        sf.max("milli_puts_per_s").alias("milli_puts_per_s"),
    )


def _log_bytes(messages: Column, message_bytes: Column) -> Column:
    """Return the log bytes of persistent messages of which the number and the total is known."""
    total = sf.ceil(sf.try_divide(message_bytes, messages)) + HEADER_BYTES
    pages = sf.ceil(total / PAGE_BYTES)
    overhead = sf.when(pages > 1, PAGE_OVERHEAD_BYTES * pages).otherwise(0)
    fixed = messages * (HEADER_BYTES + FIXED_BYTES + overhead)
    return sf.when(messages > 0, (message_bytes + fixed).cast("bigint")).otherwise(0)


def _places(sections: Sections) -> DataFrame:
    """Return the facility of each structure; of two copies the one that is not secondary."""
    copy = sf.struct(
        sf.coalesce("r744sflg", sf.lit(0)).cast("int").bitwiseAND(SECONDARY).alias("copy"), "cf"
    )
    return sections[R744S].groupBy("sysplex", "r744snam").agg(sf.min(copy)["cf"].alias("cf"))
