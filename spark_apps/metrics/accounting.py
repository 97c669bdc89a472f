"""Metrics of accounting records (SMF 116): their volume, CPU of calls, requests, units of work."""

from functools import reduce
from operator import add
from typing import Final

import polars as pl

from mqcap.domain.units import MIB_BYTES, SECONDS_PER_HOUR, US_PER_S
from spark_apps.transforms.intervals import (
    MANAGER_SUBJECT,
    Counter,
    Gauge,
    Sections,
    at_least_0,
    highest,
    highest_ratio,
    interval_rows,
    ratio,
    total,
    union,
    whole,
    whole_hours,
)
from spark_apps.transforms.keys import INTERVAL, MANAGER

TASK_HEAD_BYTES: Final = 188
"""Of each 116.1: SMF header 28, four triplets 32, QWHS 36, QWHC 92. With WTID, WTAS and two WQST
of 2,792 bytes that is MP16's 8,324 bytes; a 116.2 has one triplet less."""
CHANNEL_HEAD_BYTES: Final = 112
"""Of each 116.10: SMF header 28, two triplets 16, QWHS 52, QWHX 16."""
WTAS: Final = "section_wtas"
WQST: Final = "section_wqst"
LENGTHS: Final = {
    "section_wtid": ("wtidlen", TASK_HEAD_BYTES),
    WTAS: ("wtaslen", 0),
    WQST: ("wqll", 0),
    "section_qcst": ("qcstll", CHANNEL_HEAD_BYTES),
}
"""By section: the field with its length, and the bytes that each record has beside."""
_DAY_S: Final = 24 * SECONDS_PER_HOUR


def accounting_volume(sections: Sections) -> pl.LazyFrame:
    """Return bytes of SMF 116, and tasks, by queue manager and UTC hour with any."""
    key = [*MANAGER, *INTERVAL]
    every = union(
        *(
            sections[name].select(
                *key,
                # the first section of a record bears the bytes of its head
                amount=pl.col(length).cast(pl.Int64)
                + pl.when(pl.col("section_index") == 0).then(head).otherwise(0),
            )
            for name, (length, head) in LENGTHS.items()
        )
    )
    of_interval = every.group_by(*key).agg(total("amount"))
    tasks = sections[WTAS].group_by(*key).agg(pl.len().cast(pl.Int64).alias("amount"))
    return union(
        _by_hour(of_interval, "accounting_mib_per_day", MIB_BYTES / _DAY_S),
        _by_hour(tasks, "accounting_tasks_per_day", 1 / _DAY_S),
    )


def _by_hour(of_interval: pl.LazyFrame, metric: str, amount_per_unit: float) -> pl.LazyFrame:
    return interval_rows(
        whole_hours(of_interval, total("amount").alias("counted")),
        MANAGER_SUBJECT,
        Counter(metric, "counted", amount_per_unit),
    )


CALL_CPU: Final = "call_cpu_pct"
OF_TASK: Final = ("wtasotct", "wtascmct", "wtasbact", "wtasprct")
"""Fields of WTAS with the CPU of calls, microseconds."""
OF_QUEUE: Final = ("openct", "closect", "getct", "putct", "put1ct", "inqct", "setct", "cbct")
"""Fields of WQST with the CPU of the calls to a queue, microseconds."""
_PER_CENT: Final = 100


def call_cpu(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and UTC hour in which a task was accounted."""
    key = [*MANAGER, *INTERVAL]
    of_tasks = (
        sections[WTAS]
        .group_by(*key)
        .agg(total(_sum(OF_TASK)).alias("of_tasks"), total("wtaswqct").alias("named_queues"))
    )
    of_queues = sections[WQST].group_by(*key).agg(total(_sum(OF_QUEUE)).alias("of_queues"))
    without_queues = pl.when(pl.col("named_queues") == 0).then(0)
    by_interval = of_tasks.join(of_queues, key, "left").select(
        *key, amount=pl.col("of_tasks") + pl.coalesce("of_queues", without_queues)
    )
    return _by_hour(by_interval, CALL_CPU, US_PER_S / _PER_CENT)


def _sum(columns: tuple[str, ...]) -> pl.Expr:
    """Return the sum of times, whole microseconds."""
    return whole(reduce(add, map(pl.col, columns)))


REQUEST_TYPES: Final = 20
"""Types of requests to the CF that each verb has in MQCFREQ; the first verb is MQOPEN."""
_WORD_HEX: Final = 8
_GROUP_WORDS: Final = 5
"""Count, synchronous, their time, asynchronous, their time."""


def task_requests(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and UTC hour; counts are divided among hours."""
    opens, sent = whole("openn"), _open_words(1) + _open_words(3)
    opens_at_cf = at_least_0(opens - whole("opencf0"))
    retries = at_least_0(sent - _open_words(0))
    figures = {
        "gets": whole("getn"),
        "skips": whole("getsmsg"),
        "opens": _of_shared(opens),
        "opens_at_cf": _of_shared(opens_at_cf),
        "sent": _of_shared(sent),
        "retries": _of_shared(retries),
    }
    key = [*MANAGER, *INTERVAL]
    of_interval = (
        sections[WQST]
        .group_by(*key)
        .agg(*(total(figure).alias(name) for name, figure in figures.items()))
    )
    amounts = of_interval.unpivot(
        list(figures), index=key, variable_name="figure", value_name="amount"
    )
    sums = (total(pl.col("amount").filter(pl.col("figure") == n)).alias(n) for n in figures)
    return interval_rows(
        whole_hours(amounts, *sums),
        MANAGER_SUBJECT,
        Gauge("skips_per_get", ratio("skips", "gets")),
        Gauge("opens_at_cf_pct", 100 * ratio("opens_at_cf", "opens")),
        Gauge("cf_open_retries_pct", 100 * ratio("retries", "sent")),
    )


def _of_shared(figure: pl.Expr) -> pl.Expr:
    """Return a figure of a shared queue, 0 of another; null where it is not known which it is."""
    is_shared = pl.col("cfstrucname").str.strip_chars(" ") != ""
    return pl.when(is_shared).then(figure).when(is_shared.is_not_null()).then(0)


def _open_words(place: int) -> pl.Expr:
    """Return the sum over the types of requests of one word of the groups of MQOPEN."""
    words = [
        pl.col("mqcfreq").str.slice((request * _GROUP_WORDS + place) * _WORD_HEX, _WORD_HEX)
        for request in range(REQUEST_TYPES)
    ]
    return reduce(add, (word.str.to_integer(base=16, strict=False) for word in words))


_RECORD: Final = ("sysplex", "smfid", "qmgr", *INTERVAL, "record_hash")


def units_of_work(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and UTC hour with units of work; 116.2 is not counted."""
    units = sections[WTAS].select(*_RECORD, (whole("wtascmn") + whole("wtasban")).alias("units"))
    messages = (
        sections[WQST]
        .group_by(*_RECORD)
        .agg(total(whole("validput") + whole("validget")).alias("messages"))
    )
    largest = (
        units.join(messages, list(_RECORD))
        .group_by(*MANAGER, *INTERVAL)
        .agg(
            highest_ratio("messages", "units").alias("level"),
            (pl.col("units") != 0).any(ignore_nulls=False).alias("has_units"),
        )
        .filter(pl.col("has_units").is_null() | pl.col("has_units"))
    )
    without_amount = largest.with_columns(amount=pl.lit(None, pl.Int64))
    return interval_rows(
        whole_hours(without_amount, highest("level").alias("messages")),
        MANAGER_SUBJECT,
        Gauge("uow_messages_count", "messages"),
    )
