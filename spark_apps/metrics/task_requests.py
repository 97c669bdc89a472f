"""Work that class 3 accounting shows at gets and opens: skips, and opens that go to the CF."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Final

import polars as pl

from spark_apps.transforms.hourly import hour_parts, whole_hours
from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    at_least_0,
    interval_rows,
    path,
    total,
    whole,
)
from spark_apps.transforms.keys import INTERVAL

WQST: Final = "section_wqst"
REQUEST_TYPES: Final = 20
"""Types of requests to the CF that each verb has in MQCFREQ; the first verb is MQOPEN."""
_WORD_HEX: Final = 8
_GROUP_WORDS: Final = 5
"""Count, synchronous, their time, asynchronous, their time."""


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and UTC hour with gets, opens or CF requests.

    The counts of a task are divided among the hours of its accounting interval.
    """
    opens, sent = whole(pl.col("openn")), _sent()
    opens_at_cf = at_least_0(opens - whole(pl.col("opencf0")))
    retries = at_least_0(sent - _open_words(0))
    figures = {
        "gets": whole(pl.col("getn")),
        "skips": whole(pl.col("getsmsg")),
        "opens": _of_shared(opens),
        "opens_at_cf": _of_shared(opens_at_cf),
        "sent": _of_shared(sent),
        "retries": _of_shared(retries),
    }
    key = ["sysplex", "qmgr", *INTERVAL]
    of_interval = (
        sections[WQST]
        .group_by(*key)
        .agg(*(total(figure).alias(name) for name, figure in figures.items()))
    )
    parts = hour_parts(
        of_interval.unpivot(list(figures), index=key, variable_name="figure", value_name="amount")
    )
    sums = (total(pl.col("amount").filter(pl.col("figure") == n)).alias(n) for n in figures)
    return interval_rows(
        whole_hours(parts, *sums),
        path("sysplex", "qmgr"),
        [
            Gauge("skips_per_get", _ratio("skips", "gets")),
            Gauge("opens_at_cf_pct", 100 * _ratio("opens_at_cf", "opens")),
            Gauge("cf_open_retries_pct", 100 * _ratio("retries", "sent")),
        ],
    )


def _of_shared(figure: pl.Expr) -> pl.Expr:
    """Return a figure of a shared queue, 0 of another; null where it is not known which it is."""
    is_shared = pl.col("cfstrucname").str.strip_chars(" ") != ""
    return pl.when(is_shared).then(figure).when(is_shared.is_not_null()).then(0)


def _ratio(part: str, of: str) -> pl.Expr:
    return pl.when(pl.col(of) > 0).then(pl.col(part) / pl.col(of))


def _sent() -> pl.Expr:
    """Return the requests that MQOPEN sent to the CF, of both kinds."""
    return _open_words(1) + _open_words(3)


def _open_words(place: int) -> pl.Expr:
    """Return the sum over the types of requests of one word of the groups of MQOPEN."""
    words = [
        pl.col("mqcfreq").str.slice((request * _GROUP_WORDS + place) * _WORD_HEX, _WORD_HEX)
        for request in range(REQUEST_TYPES)
    ]
    return reduce(add, (word.str.to_integer(base=16, strict=False) for word in words))
