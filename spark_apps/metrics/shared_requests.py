"""Requests to the coupling facility and objects deleted, as the queue manager counts them."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, total, union
from spark_apps.transforms.keys import INTERVAL

QEST: Final = "section_qest"
QIST: Final = "section_qist"
QMST: Final = "section_qmst"
_KEY: Final = ("sysplex", "qmgr", *INTERVAL)


def intervals(sections: Sections) -> pl.LazyFrame:
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
    subject = path("sysplex", "qmgr")
    requests, got = pl.col("requests"), pl.col("gets")
    created = pl.col("qistdcre")
    return union(
        [
            interval_rows(
                structures.join(gets, on=list(_KEY), how="left"),
                subject,
                [
                    Gauge(
                        "cf_redrive_pct",
                        pl.when(requests > 0).then(100 * pl.col("redrives") / requests),
                    ),
                    Gauge(
                        "cf_list_calls_per_get", pl.when(got > 0).then(pl.col("list_calls") / got)
                    ),
                    Gauge(
                        "cf_list_redrives_per_get",
                        pl.when(got > 0).then(pl.col("list_redrives") / got),
                    ),
                ],
            ),
            interval_rows(
                sections[QIST],
                subject,
                [
                    Gauge(
                        "object_deletes_per_create",
                        pl.when(created > 0).then(pl.col("qistddel") / created),
                    )
                ],
            ),
        ]
    )
