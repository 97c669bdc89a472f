"""Parts by channel from channel accounting (116.10): channel instances, and their storage."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from mqcap.domain.attribution import PartKind
from mqcap.domain.units import KIB_BYTES
from spark_apps.attribution.arrays import (
    constant,
    grouped,
    length_us,
    measured,
    numbers,
    path,
    whole,
    with_columns,
)
from spark_apps.attribution.days import SiteDays
from spark_apps.attribution.parts import named, part_rows
from spark_apps.attribution.rows import DayRows
from spark_apps.metrics.channel_batches import QCST
from spark_apps.metrics.channels import CURRENT
from spark_apps.metrics.chinit_storage import USED_31BIT

CHANNEL_KIB: Final = 170
"""31-bit storage of a channel, as the description of message CSQX004I has it: "about"."""
READS: Final = (QCST,)


def parts(rows: DayRows, site_days: SiteDays) -> pa.Table:
    """Return the part rows of channels: mean instances, and ``CHANNEL_KIB`` for each.

    The storage of the channel initiator itself, and that of larger messages, stays unexplained.
    """
    intervals = site_days.dated(measured(rows.of(QCST, "qcstchnm")))
    instances = grouped(
        with_columns(intervals, instance_us=length_us(intervals)),
        ["sysplex", "qmgr", "qcstchnm", "site_date"],
        ["instance_us"],
    )
    storage = whole(numbers(instances["instance_us"]) * CHANNEL_KIB / KIB_BYTES)
    instances = with_columns(instances, mib_us=storage)
    chinit = constant("CHINIT", instances.num_rows)
    subject = path(instances["sysplex"], instances["qmgr"], chinit)
    return part_rows(
        named(instances, PartKind.channel, instances["qcstchnm"]),
        [(CURRENT, subject, "instance_us"), (USED_31BIT, subject, "mib_us")],
    )
