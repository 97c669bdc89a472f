"""Metrics of coupling facility structures and of shared message data sets."""

from datetime import timedelta
from typing import Final

import polars as pl

from mqcap.domain.datasets import CONSOLE_EVENT
from spark_apps.transforms.intervals import (
    MANAGER_SUBJECT,
    Counter,
    Gauge,
    Sections,
    at_most,
    first_bit,
    highest,
    highest_ratio,
    interval_rows,
    path,
    ratio,
    spanning,
    total,
    union,
    whole,
)
from spark_apps.transforms.keys import INTERVAL, MANAGER

R744S: Final = "section_r744s"
BLOCKS_PER_MIB: Final = 256
"""Structure sizes are counted in blocks of 4 KiB."""

ENTRIES_USED: Final = "structure_entries_used_pct"
ELEMENTS_USED: Final = "structure_elements_used_pct"
SECONDARY: Final = 0x04
_DUPLEX_ROLE: Final = {SECONDARY: 2, 0x08: 1, 0x1C: 3}
"""Code of DUPLEX_ROLE by bits of R744SFLG: secondary, primary, duplexing."""


def structures(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, structure and RMF interval: requests added, the rest once."""
    sync, later, defined = (pl.col(name) for name in ("sync", "async", "entries_defined"))
    both = sync + later
    return interval_rows(
        once_of_members(sections),
        path("sysplex", "cf", "r744snam"),
        Gauge(ENTRIES_USED, "entries_pct"),
        Gauge(ELEMENTS_USED, "elements_pct"),
        Counter("structure_requests_per_s", "requests"),
        Gauge("structure_size_mib", pl.col("size_blocks") / BLOCKS_PER_MIB),
        Gauge("structure_duplex_role", "duplex_role"),
        Gauge("structure_sync_us", ratio("sync_us", sync)),
        Gauge("structure_async_pct", ratio(100 * later, both)),
        Gauge("structure_entries_count", pl.when(defined > 0).then(defined)),
    )


def once_of_members(sections: Sections) -> pl.LazyFrame:
    """Return one row per facility, structure and RMF interval with the figures of all members."""
    return (
        sections[R744S]
        .group_by("sysplex", "cf", "r744snam", INTERVAL[1])
        .agg(
            pl.col(INTERVAL[0]).min(),
            ratio(pl.col("r744slem") * 100.0, "r744slel").max().alias("entries_pct"),
            # null for a structure type without them, as elements of a lock structure
            ratio(pl.col("r744scue") * 100.0, "r744smae").max().alias("elements_pct"),
            pl.col("r744slem").max().alias("entries"),
            pl.col("r744scue").max().alias("elements"),
            pl.col("r744ssiz").max().alias("size_blocks"),
            first_bit("r744sflg", _DUPLEX_ROLE).max().alias("duplex_role"),
            total(whole(pl.col("r744sarc") + pl.col("r744ssrc"))).alias("requests"),
            total(whole("r744ssrc")).alias("sync"),
            total("r744sstm").alias("sync_us"),
            total(whole("r744sarc")).alias("async"),
            pl.col("r744slel").max().alias("entries_defined"),
        )
    )


QEST: Final = "section_qest"
QIST: Final = "section_qist"
QMST: Final = "section_qmst"
_KEY: Final = (*MANAGER, *INTERVAL)


def shared_requests(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and interval with requests, gets or creates."""
    structures = (
        sections[QEST]
        .group_by(*_KEY)
        .agg(
            total(pl.col("qestcsec") + pl.col("qestcmec")).alias("requests"),
            total(pl.col("qestrsec") + pl.col("qestrmec")).alias("redrives"),
            total("qestcmec").alias("list_calls"),
            total("qestrmec").alias("list_redrives"),
        )
    )
    gets = sections[QMST].group_by(*_KEY).agg(total("qmstget").alias("gets"))
    subject = MANAGER_SUBJECT
    got = pl.col("gets")
    deletes_per_create = ratio("qistddel", "qistdcre")
    return union(
        interval_rows(
            structures.join(gets, on=list(_KEY), how="left"),
            subject,
            Gauge("cf_redrive_pct", ratio(100 * pl.col("redrives"), "requests")),
            Gauge("cf_list_calls_per_get", ratio("list_calls", got)),
            Gauge("cf_list_redrives_per_get", ratio("list_redrives", got)),
        ),
        interval_rows(
            sections[QIST], subject, Gauge("object_deletes_per_create", deletes_per_create)
        ),
    )


QESD: Final = "section_qesd"


def shared_data_sets(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and interval; of structures the worst."""
    blocks, buffers, asked = pl.col("qesdsmbd"), pl.col("qesdbfto"), pl.col("qesdbfgb")
    free = at_most(pl.col("qesdbfmf"), buffers)
    worst = (
        sections[QESD]
        .group_by(*MANAGER, *INTERVAL)
        .agg(
            highest_ratio(100 * pl.col("qesdsmmu"), blocks).alias("used_pct"),
            highest_ratio(100 * (buffers - free), buffers).alias("buffers_pct"),
            highest_ratio(100 * pl.col("qesdbfwp"), asked).alias("waits_pct"),
            highest(buffers).alias("buffers"),
        )
    )
    return interval_rows(
        worst,
        MANAGER_SUBJECT,
        Gauge("smds_used_pct", at_most(pl.col("used_pct"), 100.0)),
        Gauge("smds_buffers_used_pct", "buffers_pct"),
        Gauge("smds_buffer_waits_pct", at_most(pl.col("waits_pct"), 100.0)),
        Gauge("smds_buffers_count", "buffers"),
    )


ENDED: Final = "CSQE121I"
_MOMENT: Final = timedelta(seconds=1)
"""The message is an instant; it represents the second before it."""


def backups(sections: Sections) -> pl.LazyFrame:
    """Return one row per backup of a structure into the log, with its size."""
    ended = (
        sections[CONSOLE_EVENT.name]
        .filter((pl.col("message_id") == ENDED) & pl.col("qmgr").is_not_null())
        .with_columns(spanning(pl.col("event_utc") - _MOMENT, "event_utc"))
    )
    return interval_rows(ended, MANAGER_SUBJECT, Gauge("cf_backup_mib", "amount"))
