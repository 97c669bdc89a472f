"""Figures that two sources have, hour by hour where both have records, summed to days."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from mqcap.domain.attribution import SourcePair
from mqcap.domain.datasets import SOURCE_PAIR
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, SECONDS_PER_HOUR
from spark_apps.attribution.parts import DAYS, counted, measured, trimmed
from spark_apps.metrics.accounting import WTAS
from spark_apps.metrics.channel_initiators import QCCT
from spark_apps.metrics.local_queues import QQST
from spark_apps.metrics.logs import QJST
from spark_apps.metrics.structures import QEST, R744S
from spark_apps.transforms.intervals import (
    CHINIT_SUBJECT,
    CONSOLE_EVENT,
    MANAGER_SUBJECT,
    STORAGE_MESSAGE,
    Sections,
    divided,
    path,
    union,
    whole,
)
from spark_apps.transforms.keys import INTERVAL, MANAGER
from spark_apps.transforms.site_midnights import SiteDays

COMPARED: Final = (CONSOLE_EVENT, QCCT, QEST, QJST, QQST, R744S, WTAS)
_HOUR: Final = "hour_utc"
_MILLI: Final = 1_000


def source_pairs(sections: Sections, site_days: SiteDays) -> pl.LazyFrame:
    """Return the columns of SOURCE_PAIR; a figure that one source lacks all day has no row."""
    hour = pl.col(_HOUR)
    compared = [_logs(sections), _structures(sections), _storage(sections)]
    return (
        union(
            *(
                rows.select("sysplex", "pair", "subject", _HOUR, "first", "second")
                for rows in compared
            )
        )
        .with_columns(
            hour.dt.date().alias(DAYS[0]),
            site_days.local_date(pl.col("sysplex"), hour).alias(DAYS[1]),
        )
        .group_by("pair", "subject", *DAYS)
        .agg(
            divided(pl.col("first", "second").sum(), _MILLI),
            (pl.len() * float(SECONDS_PER_HOUR)).alias("covered_seconds"),
        )
        .select(*SOURCE_PAIR.columns)
    )


def _logs(sections: Sections) -> pl.LazyFrame:
    """Return thousandths of MiB logged, by the log and by tasks, or put persistently to queues."""
    log = _by_hour(sections[QJST], _mib(counted("qjstbffl") * PAGE_BYTES), MANAGER)
    others = {
        SourcePair.log_tasks: (WTAS, counted("wtasjwb")),
        SourcePair.log_queues: (QQST, counted("qqstppb", "qqstp1b")),
    }
    return union(
        *(
            _joined(
                log, _by_hour(sections[dataset], _mib(counted_bytes), MANAGER), MANAGER
            ).with_columns(pair=pl.lit(str(pair)), subject=MANAGER_SUBJECT)
            for pair, (dataset, counted_bytes) in others.items()
        )
    )


def _mib(amount: pl.Expr) -> pl.Expr:
    return whole(amount * _MILLI / MIB_BYTES)


def _by_hour(rows: pl.LazyFrame, milli: pl.Expr, key: Sequence[str]) -> pl.LazyFrame:
    """Return thousandths of an amount by the UTC hour in which its intervals begin."""
    return measured(rows).group_by(*key, _hour(INTERVAL[0])).agg(milli.sum().alias("amount"))


def _hour(moment: str) -> pl.Expr:
    return pl.col(moment).dt.truncate("1h").alias(_HOUR)


def _joined(first: pl.LazyFrame, second: pl.LazyFrame, key: Sequence[str]) -> pl.LazyFrame:
    """Return a row per hour in which both have records, with the columns first and second."""
    other = second.rename({"amount": "second"})
    return first.rename({"amount": "first"}).join(other, on=[*key, _HOUR])


def _structures(sections: Sections) -> pl.LazyFrame:
    """Return requests to a structure by facility and MQ, which omits the group, where clear."""
    key = ("sysplex", "smfid", "structure")
    name = pl.col("r744snam").str.slice(GROUP_NAME_LENGTH)
    requests = counted("r744ssrc", "r744sarc") * _MILLI
    records = sections[R744S].with_columns(structure=name)
    calls = counted("qestcsec", "qestcmec") * _MILLI
    facility = _by_hour(records, requests, (*key, "cf", "r744snam")).filter(
        pl.len().over(*key, _HOUR) == 1
    )
    called = sections[QEST].with_columns(structure=trimmed("qeststr"))
    return (
        _joined(facility, _by_hour(called, calls, key), key)
        .group_by("sysplex", "cf", "r744snam", _HOUR)
        .agg(pl.col("first", "second").sum())
        .with_columns(
            pair=pl.lit(str(SourcePair.structure_requests)),
            subject=path("sysplex", "cf", "r744snam"),
        )
    )


def _storage(sections: Sections) -> pl.LazyFrame:
    """Return mean 31-bit storage of hours by records and by messages, times the hour."""
    is_storage = (pl.col("message_id") == STORAGE_MESSAGE) & pl.col("qmgr").is_not_null()
    messages = sections[CONSOLE_EVENT].filter(is_storage)
    by_messages = _mean_by_hour(messages, "event_utc", "used_31bit_mib")
    by_records = _mean_by_hour(measured(sections[QCCT]), INTERVAL[0], "qcctstus")
    return _joined(by_records, by_messages, MANAGER).with_columns(
        pair=pl.lit(str(SourcePair.chinit_storage)), subject=CHINIT_SUBJECT
    )


def _mean_by_hour(rows: pl.LazyFrame, moment: str, column: str) -> pl.LazyFrame:
    """Return the mean storage of each hour over that hour, in thousandths of MiB-seconds."""
    milli = counted(column) * SECONDS_PER_HOUR * _MILLI
    mean = whole(milli.sum() / pl.len()).alias("amount")
    return rows.group_by(*MANAGER, _hour(moment)).agg(mean)
