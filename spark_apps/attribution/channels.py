"""Parts by channel from channel accounting (116.10): channel instances, and their storage."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.attribution import PartKind
from mqcap.domain.units import KIB_BYTES
from spark_apps.attribution.days import DAYS, SiteDays, has_length, length_us, named, part_rows
from spark_apps.metrics.channel_batches import QCST
from spark_apps.metrics.channels import CURRENT
from spark_apps.metrics.chinit_storage import USED_31BIT
from spark_apps.transforms.intervals import Sections, path

CHANNEL_KIB: Final = 170
"""31-bit storage of a channel, as the description of message CSQX004I has it: "about"."""
READS: Final = (QCST,)


def parts(sections: Sections, site_days: SiteDays) -> DataFrame:
    """Return the part rows of channels: mean instances, and ``CHANNEL_KIB`` for each.

    The storage of the channel initiator itself, and that of larger messages, stays unexplained.
    """
    instances = (
        sections[QCST]
        .where(has_length())
        .select("sysplex", "qmgr", "qcstchnm", *site_days.of(sf.col("sysplex")),
                length_us().alias("instance_us"))
        .groupBy("sysplex", "qmgr", "qcstchnm", *DAYS)
        .agg(sf.sum("instance_us").alias("instance_us"))
    )  # fmt: skip
    chinit = path("sysplex", "qmgr", sf.lit("CHINIT"))
    storage = sf.round(sf.col("instance_us") * CHANNEL_KIB / KIB_BYTES)
    rows = named(instances.withColumn("mib_us", storage), PartKind.channel, sf.col("qcstchnm"))
    return part_rows(rows, [(CURRENT, chinit, "instance_us"), (USED_31BIT, chinit, "mib_us")])
