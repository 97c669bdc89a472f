"""Work that class 3 accounting shows at gets and opens: skips, and opens that go to the CF."""

from __future__ import annotations

from functools import partial
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.hourly import hour_parts, whole_hours
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, number, path
from spark_apps.transforms.keys import INTERVAL

WQST: Final = "section_wqst"
REQUEST_TYPES: Final = 20
"""Types of requests to the CF that each verb has in MQCFREQ; the first verb is MQOPEN."""
_WORD_HEX: Final = 8
_GROUP_WORDS: Final = 5
"""Count, synchronous, their time, asynchronous, their time."""

_metric: Final = partial(Metric, subject_kind=SubjectKind.queue_manager, reads=(WQST,))

SKIPS: Final = _metric(
    name="skips_per_get",
    label="Messages skipped per get",
    unit="count",
    description="Messages that gets passed over, for each MQGET of a task (GETSMSG of GETN).",
    fields=("GETSMSG", "GETN"),
)
OPENS: Final = _metric(
    name="opens_at_cf_pct",
    label="Opens that go to the CF",
    unit="%",
    description="Opens of shared queues that went to the CF (OPENN without OPENCF0, of OPENN).",
    fields=("OPENN", "OPENCF0"),
    ceiling=100.0,
)
RETRIES: Final = _metric(
    name="cf_open_retries_pct",
    label="CF retries at MQOPEN",
    unit="%",
    description="Requests of MQOPEN to the CF beyond those asked for (CFSYNCN + CFASYNCN without "
    "CFCOUNT, of CFSYNCN + CFASYNCN); that these are the retries is ours.",
    fields=("MQCFREQ",),
    ceiling=100.0,
)
METRICS: Final = (SKIPS, OPENS, RETRIES)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per metric, queue manager and UTC hour with gets, opens or CF requests.

    The counts of a task are divided among the hours of its accounting interval.
    """
    is_shared = sf.trim("cfstrucname") != ""
    opens, sent = number("openn"), _sent()
    figures = {
        "gets": number("getn"),
        "skips": number("getsmsg"),
        "opens": sf.when(is_shared, opens).otherwise(0),
        "opens_at_cf": sf.when(is_shared, sf.greatest(opens - number("opencf0"), sf.lit(0)))
        .otherwise(0),
        "sent": sf.when(is_shared, sent).otherwise(0),
        "retries": sf.when(is_shared, sf.greatest(sent - _open_words(0), sf.lit(0))).otherwise(0),
    }  # fmt: skip
    key = ["sysplex", "qmgr", *INTERVAL]
    of_interval = (
        sections[WQST]
        .groupBy(*key)
        .agg(*(sf.sum(figure).alias(name) for name, figure in figures.items()))
    )
    named = [sf.struct(sf.lit(n).alias("figure"), sf.col(n).alias("amount")) for n in figures]
    parts = hour_parts(of_interval.select(*key, sf.inline(sf.array(*named))))
    sums = (sf.sum(sf.when(sf.col("figure") == n, sf.col("amount"))).alias(n) for n in figures)
    return interval_rows(
        whole_hours(parts, *sums),
        path("sysplex", "qmgr"),
        [
            Gauge(SKIPS.name, _ratio("skips", "gets")),
            Gauge(OPENS.name, 100 * _ratio("opens_at_cf", "opens")),
            Gauge(RETRIES.name, 100 * _ratio("retries", "sent")),
        ],
    )


def _ratio(part: str, of: str) -> Column:
    return sf.when(sf.col(of) > 0, sf.col(part) / sf.col(of))


def _sent() -> Column:
    """Return the requests that MQOPEN sent to the CF, of both kinds."""
    return _open_words(1) + _open_words(3)


def _open_words(place: int) -> Column:
    """Return the sum over the types of requests of one word of the groups of MQOPEN."""
    total = sf.lit(0).cast("bigint")
    for request in range(REQUEST_TYPES):
        first = 1 + (request * _GROUP_WORDS + place) * _WORD_HEX
        word = sf.conv(sf.substring("mqcfreq", first, _WORD_HEX), 16, 10).cast("bigint")
        total = total + sf.coalesce(word, sf.lit(0))
    return total
