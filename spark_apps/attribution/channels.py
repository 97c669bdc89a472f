"""Parts by channel from channel accounting (116.10): channel instances, and their storage."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from mqcap.domain.attribution import PartKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES
from spark_apps.attribution.arrays import (
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
from spark_apps.attribution.client_buffers import MEMBERS, buffer_bytes, buffers
from spark_apps.attribution.days import SiteDays
from spark_apps.attribution.parts import named, part_rows
from spark_apps.attribution.rows import DayRows
from spark_apps.metrics.channel_batches import QCST
from spark_apps.metrics.channels import CURRENT
from spark_apps.metrics.chinit_storage import USED_31BIT, USED_64BIT

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
