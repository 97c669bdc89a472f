"""Requests to the coupling facility and objects deleted, as the queue manager counts them."""

from __future__ import annotations

from functools import partial
from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, total, union
from spark_apps.transforms.keys import INTERVAL

QEST: Final = "section_qest"
QIST: Final = "section_qist"
QMST: Final = "section_qmst"

_metric: Final = partial(Metric, subject_kind=SubjectKind.queue_manager)

REDRIVES: Final = _metric(
    name="cf_redrive_pct",
    label="CF re-drives",
    unit="%",
    description="Re-drives of requests to structures (QESTRSEC + QESTRMEC of QESTCSEC + QESTCMEC).",
    reads=(QEST,),
    fields=("QESTRSEC", "QESTRMEC", "QESTCSEC", "QESTCMEC"),
)
LIST_CALLS: Final = _metric(
    name="cf_list_calls_per_get",
    label="CF list requests per MQGET",
    unit="count",
    description="Multiple-entry requests to structures for each MQGET (QESTCMEC of QMSTGET).",
    reads=(QEST, QMST),
    fields=("QESTCMEC", "QMSTGET"),
)
LIST_REDRIVES: Final = _metric(
    name="cf_list_redrives_per_get",
    label="CF list re-drives per MQGET",
    unit="count",
    description="Re-drives of multiple-entry requests to structures for each MQGET (QESTRMEC of "
    "QMSTGET).",
    reads=(QEST, QMST),
    fields=("QESTRMEC", "QMSTGET"),
)
DELETES: Final = _metric(
    name="object_deletes_per_create",
    label="Object deletes per create",
    unit="count",
    description="Object deletes for each create (QISTDDEL of QISTDCRE).",
    reads=(QIST,),
    fields=("QISTDDEL", "QISTDCRE"),
    forecast=True,
)
METRICS: Final = (REDRIVES, LIST_CALLS, LIST_REDRIVES, DELETES)
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
                        REDRIVES.name,
                        pl.when(requests > 0).then(100 * pl.col("redrives") / requests),
                    ),
                    Gauge(LIST_CALLS.name, pl.when(got > 0).then(pl.col("list_calls") / got)),
                    Gauge(LIST_REDRIVES.name, pl.when(got > 0).then(pl.col("list_redrives") / got)),
                ],
            ),
            interval_rows(
                sections[QIST],
                subject,
                [Gauge(DELETES.name, pl.when(created > 0).then(pl.col("qistddel") / created))],
            ),
        ]
    )
