"""Parts by queue from queue statistics (115.216): log, messages, buffer pools, structures."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.attribution import PartKind
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.units import PAGE_BYTES, US_PER_S
from sizing.calculators.cf_structures import CF_MESSAGE_MAX_BYTES, ELEMENT_BYTES, HEADER_BYTES
from sizing.calculators.log_bytes import FIXED_BYTES, PAGE_OVERHEAD_BYTES
from spark_apps.attribution.parts import MILLISECOND_US, folded, named, part_rows
from spark_apps.attribution.tables import (
    DayRows,
    Ints,
    SiteDays,
    grouped,
    length_us,
    measured,
    number,
    numbers,
    path,
    summed_over,
    trimmed,
    whole,
    with_columns,
)
from spark_apps.metrics.buffer_pools import BUFFER_POOL_USED
from spark_apps.metrics.local_queues import PUT_RATE, QQST, RATE
from spark_apps.metrics.logs import LOG_GROWTH
from spark_apps.metrics.structures import ELEMENTS_USED, ENTRIES_USED, R744S, SECONDARY

LEAST_ELEMENTS: Final = -(-HEADER_BYTES // ELEMENT_BYTES)
"""Elements of the header of a message, which stay in the structure when its data is offloaded."""


def elements_per_message(puts: Ints, put_bytes: Ints) -> Ints:
    """Return the elements of a message of the mean length put (CFS-ELEMENTS).

    Those of its header only where nothing was put, so that its length is not known, and where the
    mean length is above what a structure holds (CFS-OFFLOAD-TIER).

    Args:
        puts: Messages put to each queue.
        put_bytes: Bytes put to each queue.
    """
    length = np.ceil(put_bytes / np.maximum(puts, 1)).astype(np.int64)
    in_structure = np.where(length > CF_MESSAGE_MAX_BYTES, 0, length)
    elements: Ints = -(-(in_structure + HEADER_BYTES) // ELEMENT_BYTES)
    return elements


LOG_HEADER_BYTES: Final = 300
"""Headers of a message in LOG-BYTES-ESTIMATE."""
READS: Final = (QQST, R744S)
COUNTED: Final = (QQST,)
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


def parts(rows: DayRows, site_days: SiteDays) -> pa.Table:
    """Return the part rows of queues with statistics.

    Log bytes are those of LOG-BYTES-ESTIMATE for the persistent messages put, their get included.
    A buffer pool is divided by bytes put and got. Messages of a shared queue are entries of its
    structure, wherever that is located, and elements by their mean length; every member reports the
    same depth. Of private queues the highest rate of an interval is kept as well: it names the
    busiest one.
    """
    queues = _by_queue(rows, site_days).join(
        _places(rows), ["sysplex", "r744snam"], join_type="left outer", use_threads=False
    )
    manager = path(queues["sysplex"], queues["qmgr"])
    number_text = pc.utf8_lpad(queues["pool"].cast(pa.string()), 2, padding="0")
    name = pc.binary_join_element_wise("BP", number_text, "", null_handling="emit_null")
    pool = path(queues["sysplex"], queues["qmgr"], name)
    structure = path(queues["sysplex"], queues["cf"], queues["r744snam"])
    structure = _where(queues["cf"].is_valid(), structure)
    return part_rows(
        named(queues, PartKind.queue, queues["queue"]),
        [
            (LOG_GROWTH, manager, "log_bytes"),
            (PUT_RATE, manager, "puts"),
            (BUFFER_POOL_USED, _where(pc.greater_equal(queues["pool"], 0), pool), "moved_bytes"),
            (ENTRIES_USED, structure, "depth_ms"),
            (ELEMENTS_USED, structure, "elements_ms"),
            (RATE, _where(queues["r744snam"].is_null(), manager), _RATE),
        ],
    )


def _by_queue(rows: DayRows, site_days: SiteDays) -> pa.Table:
    """Return a row per queue manager, queue and day with the sums of its intervals.

    Rows of intervals are only added up: what follows from the sums is computed of those, which are
    a hundredth in number.
    """
    fields = {field for counted in _COUNTERS.values() for field in counted}
    intervals = site_days.dated(measured(rows.of(QQST, *_NAMES, *fields, "qqstdpth")))
    length = length_us(intervals)
    raw: dict[str, Ints] = {
        name: sum(number(intervals, field) for field in counted)  # type: ignore[misc]
        for name, counted in _COUNTERS.items()
    }
    raw["depth_ms"] = number(intervals, "qqstdpth") * (length // MILLISECOND_US)
    # The highest of rounded rates is the highest rate, rounded.
    raw[_RATE] = whole(raw["puts"] * 1_000 / (length / US_PER_S))
    sums = grouped(
        with_columns(intervals.select(["sysplex", "qmgr", *_NAMES, "site_date"]), **raw),
        ["sysplex", "qmgr", *_NAMES, "site_date"],
        [name for name in raw if name != _RATE],
        [_RATE],
    )
    structure = trimmed(sums, "qqstcfst")
    described = with_columns(
        sums,
        r744snam=_where(pc.not_equal(structure, ""), _z_os_name(sums, structure)),
        pool=sums["qqstbpid"].cast(pa.int32()),
        queue=folded(trimmed(sums, "qqstqnam")),
        log_bytes=_log_bytes(numbers(sums["messages"]), numbers(sums["message_bytes"])),
    )
    key = ["sysplex", "qmgr", "r744snam", "pool", "queue", "site_date"]
    figures = ["log_bytes", "puts", "put_bytes", "moved_bytes", "depth_ms"]
    queues = grouped(described, key, figures, [_RATE])
    return with_columns(queues, elements_ms=numbers(queues["depth_ms"]) * _elements_each(queues))


def _elements_each(queues: pa.Table) -> Ints:
    """Return the elements of a message of each queue, by what all members of its group put."""
    key = ["sysplex", "r744snam", "queue", "site_date"]
    puts, put_bytes = (summed_over(queues, key, name) for name in ("puts", "put_bytes"))
    return elements_per_message(puts, put_bytes)


def _z_os_name(sums: pa.Table, structure: Any) -> Any:
    """Return the name of a structure in the CFRM policy: four characters of its group before."""
    group = pc.utf8_rpad(trimmed(sums, "qqstqsgn"), GROUP_NAME_LENGTH, padding="@")
    first = pc.utf8_slice_codeunits(group, 0, GROUP_NAME_LENGTH)
    return pc.binary_join_element_wise(first, structure, "", null_handling="emit_null")


def _log_bytes(messages: Ints, message_bytes: Ints) -> Ints:
    """Return the log bytes of persistent messages of which the number and the total is known."""
    counted = np.maximum(messages, 1)
    total = np.ceil(message_bytes / counted).astype(np.int64) + LOG_HEADER_BYTES
    pages = np.ceil(total / PAGE_BYTES).astype(np.int64)
    overhead = np.where(pages > 1, PAGE_OVERHEAD_BYTES * pages, 0)
    fixed = messages * (LOG_HEADER_BYTES + FIXED_BYTES + overhead)
    return np.where(messages > 0, message_bytes + fixed, 0)


def _places(rows: DayRows) -> pa.Table:
    """Return the facility of each structure; of two copies the one that is not secondary."""
    structures = rows.of(R744S, "r744snam", "r744sflg")
    copy = np.bitwise_and(number(structures, "r744sflg"), SECONDARY)
    mark = pc.if_else(pa.array(copy != 0), "2", "1")
    ranked = pc.binary_join_element_wise(mark, structures["cf"].cast(pa.string()), "")
    first = grouped(
        with_columns(structures, ranked=ranked), ["sysplex", "r744snam"], lowest=["ranked"]
    )
    cf = pc.utf8_slice_codeunits(first["ranked"], 1)
    return with_columns(first.drop_columns("ranked"), cf=cf)


def _where(condition: Any, values: Any) -> Any:
    """Return the values, null where the condition does not hold."""
    return pc.if_else(condition, values, pa.scalar(None, pa.string()))
