"""Parts by queue from queue statistics (115.216): log, messages, buffer pools, structures."""

from typing import Final

import polars as pl

from mqcap.domain.attribution import PartKind
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.units import PAGE_BYTES
from sizing.calculators.cf_structures import CF_MESSAGE_MAX_BYTES, ELEMENT_BYTES, HEADER_BYTES
from sizing.calculators.log_bytes import FIXED_BYTES, PAGE_OVERHEAD_BYTES
from spark_apps.attribution.parts import (
    DAYS,
    MILLISECOND_US,
    counted,
    folded,
    measured,
    part_rows,
    trimmed,
)
from spark_apps.metrics.buffer_pools import BUFFER_POOL_USED
from spark_apps.metrics.local_queues import PUT_RATE, QQST, RATE
from spark_apps.metrics.logs import LOG_GROWTH
from spark_apps.metrics.structures import ELEMENTS_USED, ENTRIES_USED, R744S, SECONDARY
from spark_apps.transforms.intervals import (
    MANAGER_SUBJECT,
    Sections,
    length_us,
    numbered,
    path,
    seconds,
    whole,
)

LOG_HEADER_BYTES: Final = 300
"""Headers of a message in LOG-BYTES-ESTIMATE."""
_COUNTERS: Final = {
    "messages": ("qqstppt", "qqstpp1"),
    "message_bytes": ("qqstppb", "qqstp1b"),
    "puts": ("qqstputs", "qqstput1"),
    "put_bytes": ("qqstputb", "qqstpt1b"),
    "moved_bytes": ("qqstputb", "qqstpt1b", "qqstgetb"),
}
"""Sums over intervals, with the fields that each adds up."""
_NAMES: Final = ("qqstqsgn", "qqstcfst", "qqstbpid", "qqstqnam")
_RATE: Final = "milli_puts_per_s"


def elements_per_message(puts: pl.Expr, put_bytes: pl.Expr) -> pl.Expr:
    """Return the elements of a message of the mean length put (CFS-ELEMENTS).

    Those of its header only where that length is not known, or above what a structure holds: the
    data is offloaded then (CFS-OFFLOAD-TIER).
    """
    length = (put_bytes / pl.max_horizontal(puts, 1)).ceil().cast(pl.Int64)
    in_structure = pl.when(length <= CF_MESSAGE_MAX_BYTES).then(length).otherwise(0)
    return -(-(in_structure + HEADER_BYTES) // ELEMENT_BYTES)


def parts(sections: Sections) -> pl.LazyFrame:
    """Return the part rows of queues with statistics.

    Log bytes are those of LOG-BYTES-ESTIMATE for persistent messages put, their get included. A
    buffer pool is divided by bytes put and got. Messages of a shared queue are entries of its
    structure, and elements by their mean length; every member reports the same depth. Of private
    queues the highest rate of an interval is kept as well: it names the busiest one.
    """
    is_secondary = counted("r744sflg") & SECONDARY != 0
    facility = pl.col("cf").sort_by(is_secondary, "cf").first()
    structures = sections[R744S].group_by("sysplex", "r744snam", DAYS[0]).agg(facility)
    queues = _by_queue(sections).join(structures, on=["sysplex", "r744snam", DAYS[0]], how="left")
    manager, structure = MANAGER_SUBJECT, path("sysplex", "cf", "r744snam")
    pool = path("sysplex", "qmgr", numbered("BP", "qqstbpid"))
    return part_rows(
        queues,
        PartKind.queue,
        pl.col("queue"),
        (LOG_GROWTH, manager, "log_bytes"),
        (PUT_RATE, manager, "puts"),
        (BUFFER_POOL_USED, pl.when(pl.col("qqstbpid") >= 0).then(pool), "moved_bytes"),
        (ENTRIES_USED, structure, "depth_ms"),
        (ELEMENTS_USED, structure, "elements_ms"),
        (RATE, pl.when(pl.col("r744snam").is_null()).then(manager), _RATE),
    )


def _by_queue(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue manager, queue and day with the sums of its intervals."""
    sums = (
        measured(sections[QQST])
        .group_by("sysplex", "qmgr", *_NAMES, *DAYS)
        .agg(
            *(counted(*fields).sum().alias(name) for name, fields in _COUNTERS.items()),
            (counted("qqstdpth") * (length_us() // MILLISECOND_US)).sum().alias("depth_ms"),
            # The highest of rounded rates is the highest rate, rounded.
            whole(counted(*_COUNTERS["puts"]) * 1_000 / seconds()).max().alias(_RATE),
        )
    )
    key = ["sysplex", "qmgr", "r744snam", "qqstbpid", "queue", *DAYS]
    # What all members of a group put decides on the length of a message.
    put = pl.col("puts", "put_bytes").sum().over("sysplex", "r744snam", "queue", *DAYS)
    each = elements_per_message(pl.col("all_puts"), pl.col("all_put_bytes"))
    structure = trimmed("qqstcfst")
    group = trimmed("qqstqsgn").str.slice(0, GROUP_NAME_LENGTH)
    return (
        sums.with_columns(
            # the name in the CFRM policy: four characters of the group before
            pl.when(structure != "")
            .then(group.str.pad_end(GROUP_NAME_LENGTH, "@") + structure)
            .alias("r744snam"),
            folded(trimmed("qqstqnam")).alias("queue"),
            _log_bytes().alias("log_bytes"),
        )
        .group_by(*key)
        .agg(
            pl.col("log_bytes", "puts", "put_bytes", "moved_bytes", "depth_ms").sum(),
            pl.col(_RATE).max(),
        )
        .with_columns(put.name.prefix("all_"))
        .with_columns((pl.col("depth_ms") * each).alias("elements_ms"))
    )


def _log_bytes() -> pl.Expr:
    """Return the log bytes of persistent messages of which the number and the total is known."""
    messages, message_bytes = pl.col("messages"), pl.col("message_bytes")
    mean = (message_bytes / pl.max_horizontal(messages, 1)).ceil().cast(pl.Int64)
    pages = -(-(mean + LOG_HEADER_BYTES) // PAGE_BYTES)
    overhead = pl.when(pages > 1).then(PAGE_OVERHEAD_BYTES * pages).otherwise(0)
    fixed = messages * (LOG_HEADER_BYTES + FIXED_BYTES + overhead)
    return pl.when(messages > 0).then(message_bytes + fixed).otherwise(0)
