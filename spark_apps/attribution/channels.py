"""Parts by channel from channel accounting (116.10): channel instances, and their storage."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mqcap.domain.attribution import PartKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES
from mqcap.ingest.smf.layout import level_key
from sizing.calculators.chinit_storage import HEADERS_BYTES, POOL_MIN_BYTES
from sizing.mq_release import BUFFERS_ABOVE_BAR
from spark_apps.attribution.parts import named, part_rows
from spark_apps.attribution.tables import (
    DayRows,
    Floats,
    Ints,
    SiteDays,
    constant,
    grouped,
    length_us,
    measured,
    number,
    numbers,
    path,
    whole,
    with_columns,
)
from spark_apps.metrics.channel_initiators import CURRENT, QCST, USED_31BIT, USED_64BIT

SERVER_CONNECTION: Final = 7
"""QCSTCHTY of the channel of a client."""
SHARED_RATIO: Final = 1.1
"""Buffers for each of several conversations."""
MEMBERS: Final = ("mq_level", "qcstchty", "qcstcscv", "qcstnbyt", "qcstnmsg")
"""Columns of QCST that the functions here need."""


def buffers(instances: pa.Table) -> Floats:
    """Return the message buffers above the bar of each instance.

    None for other channels than those of clients, and before the release that keeps them there.
    One without conversations, which is SHARECNV(0), two for one conversation, more for several.
    """
    conversations = number(instances, "qcstcscv")
    count = np.where(conversations > 1, conversations * SHARED_RATIO, conversations + 1.0)
    is_client = number(instances, "qcstchty") == SERVER_CONNECTION
    result: Floats = np.where(is_client & _is_above_bar(instances), count, 0.0)
    return result


def buffer_bytes(messages: Ints, message_bytes: Ints) -> Ints:
    """Return the size of a buffer for messages of the mean length: the next one of the pools."""
    mean = np.ceil(message_bytes / np.maximum(messages, 1)).astype(np.int64) + HEADERS_BYTES
    pages = np.maximum(mean / POOL_MIN_BYTES, 1.0)
    doubled = POOL_MIN_BYTES * np.exp2(np.ceil(np.log2(pages))).astype(np.int64)
    whole_mib: Ints = -(-mean // MIB_BYTES) * MIB_BYTES
    result: Ints = np.where(mean > MIB_BYTES, whole_mib, doubled)
    return result


def _is_above_bar(instances: pa.Table) -> NDArray[np.bool_]:
    """Return whether the queue manager of each instance keeps buffers above the bar."""
    levels = pc.dictionary_encode(instances["mq_level"].cast(pa.string()).combine_chunks())
    known = [
        bool(text) and level_key(text) >= BUFFERS_ABOVE_BAR
        for text in levels.dictionary.to_pylist()
    ]
    found = np.array([*known, False])
    places = numbers(pc.fill_null(levels.indices, len(known)))
    result: NDArray[np.bool_] = found[places]
    return result


CHANNEL_KIB: Final = 90
"""31-bit storage of a message channel of 1 KB (CHI-FOOTPRINT-MCA); readers put a learnt cost in its
place."""
READS: Final = (QCST,)
COUNTED: Final = READS


def parts(rows: DayRows, site_days: SiteDays) -> pa.Table:
    """Return the part rows of channels: mean instances, and their storage by the book.

    Below the bar that is ``CHANNEL_KIB`` for each, above it the message buffers of client channels.
    The storage of the channel initiator itself stays unexplained, below the bar that of larger
    messages too.
    """
    intervals = site_days.dated(measured(rows.of(QCST, "qcstchnm", *MEMBERS)))
    instance_us = length_us(intervals)
    intervals = with_columns(
        intervals,
        instance_us=instance_us,
        buffer_us=whole(buffers(intervals) * instance_us),
        messages=number(intervals, "qcstnmsg"),
        message_bytes=number(intervals, "qcstnbyt"),
    )
    instances = grouped(
        intervals,
        ["sysplex", "qmgr", "qcstchnm", "site_date"],
        ["instance_us", "buffer_us", "messages", "message_bytes"],
    )
    each = buffer_bytes(numbers(instances["messages"]), numbers(instances["message_bytes"]))
    instances = with_columns(
        instances,
        below_mib_us=whole(numbers(instances["instance_us"]) * CHANNEL_KIB / KIB_BYTES),
        above_mib_us=whole(numbers(instances["buffer_us"]) * (each / MIB_BYTES)),
    )
    chinit = constant("CHINIT", instances.num_rows)
    subject = path(instances["sysplex"], instances["qmgr"], chinit)
    return part_rows(
        named(instances, PartKind.channel, instances["qcstchnm"]),
        [
            (CURRENT, subject, "instance_us"),
            (USED_31BIT, subject, "below_mib_us"),
            (USED_64BIT, subject, "above_mib_us"),
        ],
    )
