"""Use of the structures of a coupling facility, as the facility sees them."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Counter, Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

R744S: Final = "section_r744s"
BLOCKS_PER_MIB: Final = 256
"""Structure sizes are counted in blocks of 4 KiB."""

ENTRIES_USED: Final = Metric(
    name="structure_entries_used_pct",
    label="Structure entries used",
    unit="%",
    subject_kind=SubjectKind.structure,
    description="Entries in use of those allocated (R744SLEM of R744SLEL), taken once.",
    reads=(R744S,),
    fields=("R744SLEM", "R744SLEL"),
    forecast=True,
    ceiling=100.0,
)
ELEMENTS_USED: Final = Metric(
    name="structure_elements_used_pct",
    label="Structure elements used",
    unit="%",
    subject_kind=SubjectKind.structure,
    description="Elements in use of those allocated (R744SCUE of R744SMAE), taken once.",
    reads=(R744S,),
    fields=("R744SCUE", "R744SMAE"),
    uncertain=("R744SCUE", "R744SMAE"),
    forecast=True,
    ceiling=100.0,
)
REQUESTS: Final = Metric(
    name="structure_requests_per_s",
    label="Structure requests",
    unit="count/s",
    subject_kind=SubjectKind.structure,
    description="Synchronous and asynchronous requests of all members.",
    reads=(R744S,),
    uncertain=("R744SARC", "R744SSRC"),
)
SIZE: Final = Metric(
    name="structure_size_mib",
    label="Structure size",
    unit="MiB",
    subject_kind=SubjectKind.structure,
    description="Allocated size (R744SSIZ), taken once.",
    reads=(R744S,),
    fields=("R744SSIZ",),
    uncertain=("R744SSIZ",),
)
DUPLEX_ROLE: Final = Metric(
    name="structure_duplex_role",
    label="Structure duplexing",
    unit="",
    subject_kind=SubjectKind.structure,
    description="Duplexing (R744SFLG): 0 none, 1 primary, 2 secondary, 3 role not stated.",
    reads=(R744S,),
    fields=("R744SFLG",),
)
METRICS: Final = (ENTRIES_USED, ELEMENTS_USED, REQUESTS, SIZE, DUPLEX_ROLE)
_DUPLEXING: Final = 0x1C
"""Bits of R744SFLG: duplexing, primary, secondary."""
_PRIMARY: Final = 0x08
SECONDARY: Final = 0x04


def intervals(sections: Sections) -> DataFrame:
    """Return one row per metric, structure and RMF interval.

    Requests belong to the member that wrote them and are added; what describes the structure
    is the same in every member's record and is taken once, at its highest.
    """
    return interval_rows(
        once_of_members(sections),
        path("sysplex", "cf", "r744snam"),
        [
            Gauge(ENTRIES_USED.name, sf.col("entries_pct")),
            Gauge(ELEMENTS_USED.name, sf.col("elements_pct")),
            Counter(REQUESTS.name, sf.col("requests")),
            Gauge(SIZE.name, sf.col("size_blocks") / sf.lit(BLOCKS_PER_MIB)),
            Gauge(DUPLEX_ROLE.name, sf.col("duplex_role")),
        ],
    )


def once_of_members(sections: Sections) -> DataFrame:
    """Return one row per facility, structure and RMF interval with the figures of all members."""
    return (
        sections[R744S]
        .groupBy("sysplex", "cf", "r744snam", INTERVAL[1])
        .agg(
            sf.min(INTERVAL[0]).alias(INTERVAL[0]),
            sf.max(_used_pct("r744slem", "r744slel")).alias("entries_pct"),
            sf.max(_used_pct("r744scue", "r744smae")).alias("elements_pct"),
            sf.max("r744slem").alias("entries"),
            sf.max("r744scue").alias("elements"),
            sf.max("r744ssiz").alias("size_blocks"),
            sf.max(_duplex_role()).alias("duplex_role"),
            sf.sum(sf.round(sf.col("r744sarc") + sf.col("r744ssrc")).cast("bigint")).alias(
                "requests"
            ),
        )
    )


def _duplex_role() -> Column:
    """Return the code of DUPLEX_ROLE; null where no flags were read."""
    flags = sf.col("r744sflg").cast("int")
    return (
        sf.when(flags.bitwiseAND(SECONDARY) != 0, 2)
        .when(flags.bitwiseAND(_PRIMARY) != 0, 1)
        .when(flags.bitwiseAND(_DUPLEXING) != 0, 3)
        .when(flags.isNotNull(), 0)
    )


def _used_pct(used: str, defined: str) -> Column:
    """Use in per cent; null for a structure type without them, as elements of a lock structure."""
    return sf.when(sf.col(defined) > 0, sf.col(used) * sf.lit(100.0) / sf.col(defined))
