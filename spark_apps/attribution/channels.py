"""Parts by channel from channel accounting (116.10): channel instances, and their storage."""

from typing import Final

import polars as pl

from mqcap.domain.attribution import PartKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES
from sizing.calculators.chinit_storage import HEADERS_BYTES, POOL_MIN_BYTES
from sizing.mq_release import BUFFERS_ABOVE_BAR
from spark_apps.attribution.parts import DAYS, counted, measured, part_rows
from spark_apps.metrics.channel_initiators import CURRENT, QCST, USED_31BIT, USED_64BIT
from spark_apps.transforms.intervals import CHINIT_SUBJECT, Sections, length_us, whole

SERVER_CONNECTION: Final = 7
"""QCSTCHTY of the channel of a client."""
SHARED_RATIO: Final = 1.1
"""Buffers for each of several conversations."""


def buffers() -> pl.Expr:
    """Return the message buffers above the bar of each instance.

    None for other channels than those of clients, and before the release that keeps them there.
    One without conversations, which is SHARECNV(0), two for one conversation, more for several.
    """
    conversations = counted("qcstcscv")
    count = pl.when(conversations > 1).then(conversations * SHARED_RATIO)
    is_client = counted("qcstchty") == SERVER_CONNECTION
    version, release = (
        pl.col("mq_level").str.extract(r"^(\d+)\.(\d+)", place).cast(pl.Int64) for place in (1, 2)
    )
    since_version, since_release = BUFFERS_ABOVE_BAR
    is_same = (version == since_version) & (release >= since_release)
    is_above_bar = (version > since_version) | is_same
    return pl.when(is_client & is_above_bar).then(count.otherwise(conversations + 1.0))


def buffer_bytes() -> pl.Expr:
    """Return the size of a buffer for messages of the mean length: the next one of the pools."""
    mean = (pl.col("message_bytes") / pl.max_horizontal("messages", 1)).ceil().cast(pl.Int64)
    needed = mean + HEADERS_BYTES
    size = -(-needed // MIB_BYTES) * MIB_BYTES
    pool = MIB_BYTES
    while pool >= POOL_MIN_BYTES:
        size = pl.when(needed <= pool).then(pool).otherwise(size)
        pool //= 2
    return size


CHANNEL_KIB: Final = 90
"""31-bit storage of a message channel of 1 KB (CHI-FOOTPRINT-MCA); readers put a learnt cost in its
place."""


def parts(sections: Sections) -> pl.LazyFrame:
    """Return the part rows of channels: mean instances, and their storage by the book.

    Below the bar that is ``CHANNEL_KIB`` for each, above it the message buffers of client channels;
    the rest stays unexplained.
    """
    instances = (
        measured(sections[QCST])
        .group_by("sysplex", "qmgr", "qcstchnm", *DAYS)
        .agg(
            length_us().sum().alias("instance_us"),
            whole(buffers() * length_us()).sum().alias("buffer_us"),
            counted("qcstnmsg").sum().alias("messages"),
            counted("qcstnbyt").sum().alias("message_bytes"),
        )
        .with_columns(
            whole(pl.col("instance_us") * CHANNEL_KIB / KIB_BYTES).alias("below_mib_us"),
            whole(pl.col("buffer_us") * (buffer_bytes() / MIB_BYTES)).alias("above_mib_us"),
        )
    )
    subject = CHINIT_SUBJECT
    return part_rows(
        instances,
        PartKind.channel,
        pl.col("qcstchnm"),
        (CURRENT, subject, "instance_us"),
        (USED_31BIT, subject, "below_mib_us"),
        (USED_64BIT, subject, "above_mib_us"),
    )
