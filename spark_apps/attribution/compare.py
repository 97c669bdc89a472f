"""Figures that two sources have, hour by hour where both have records, summed to days."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.attribution.source_pair import PairName
from mqcap.domain.datasets import SOURCE_PAIR
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, SECONDS_PER_HOUR
from spark_apps.attribution.days import DAYS, SiteDays, has_length
from spark_apps.metrics.call_cpu import WTAS
from spark_apps.metrics.chinit_storage import QCCT
from spark_apps.metrics.log import QJST
from spark_apps.metrics.queues import QQST
from spark_apps.metrics.shared_requests import QEST
from spark_apps.metrics.structure import R744S
from spark_apps.transforms.console_storage import CONSOLE_EVENT, STORAGE_MESSAGE
from spark_apps.transforms.intervals import Sections, number, path, union
from spark_apps.transforms.keys import INTERVAL

READS: Final = (CONSOLE_EVENT, QCCT, QEST, QJST, QQST, R744S, WTAS)
_HOUR: Final = INTERVAL[0]


def source_pairs(sections: Sections, site_days: SiteDays) -> DataFrame:
    """Return the columns of SOURCE_PAIR; a figure that one source lacks all day has no row."""
    log = _by_hour(sections[QJST], _mib(number("qjstbffl") * PAGE_BYTES), ["sysplex", "qmgr"])
    tasks = _by_hour(sections[WTAS], _mib(number("wtasjwb")), ["sysplex", "qmgr"])
    put = _mib(number("qqstppb") + number("qqstp1b"))
    queues = _by_hour(sections[QQST], put, ["sysplex", "qmgr"])
    manager = path("sysplex", "qmgr")
    hours = union(
        [
            _joined(PairName.log_tasks, log, tasks, manager),
            _joined(PairName.log_queues, log, queues, manager),
            _structures(sections),
            _storage(sections),
        ]
    )
    summed = (
        hours.withColumns(
            dict(zip(DAYS, site_days.of(sf.substring_index("subject", "/", 1)), strict=True))
        )
        .groupBy("pair", "subject", *DAYS)
        .agg(
            *(sf.sum(name).alias(name) for name in ("first", "second")),
            (sf.count("*") * sf.lit(float(SECONDS_PER_HOUR))).alias("covered_seconds"),
        )
    )
    milli = sf.lit(1_000.0)
    return summed.withColumns({name: sf.col(name) / milli for name in ("first", "second")}).select(
        *SOURCE_PAIR.columns
    )


def _mib(amount: Column) -> Column:
    """Return bytes as thousandths of a MiB, whole numbers that add up the same in any order."""
    return sf.round(amount * 1_000 / MIB_BYTES).cast("bigint")


def _by_hour(frame: DataFrame, amount: Column, key: list[str]) -> DataFrame:
    """Return the sum of an amount by the UTC hour in which its intervals begin."""
    return (
        frame.where(has_length())
        .groupBy(*key, sf.date_trunc("hour", _HOUR).alias(_HOUR))
        .agg(sf.sum(amount).alias("amount"))
    )


def _joined(pair: PairName, first: DataFrame, second: DataFrame, subject: Column) -> DataFrame:
    """Return a row per hour in which both have records."""
    key = [name for name in first.columns if name != "amount"]
    other = second.withColumnRenamed("amount", "second")
    return first.join(other, key).select(
        sf.lit(str(pair)).alias("pair"),
        subject.alias("subject"),
        _HOUR,
        sf.col("amount").alias("first"),
        "second",
    )


def _structures(sections: Sections) -> DataFrame:
    """Return requests of each system to a structure, as the facility and as MQ count them.

    MQ leaves the group out of the name; where two groups of a system have such a structure, neither
    is compared.
    """
    key = ["sysplex", "smfid", "structure"]
    name = sf.substring("r744snam", GROUP_NAME_LENGTH + 1, 16).alias("structure")
    requests = (number("r744ssrc") + number("r744sarc")) * 1_000
    facility = (
        _by_hour(
            sections[R744S].withColumn("structure", name),
            requests,
            [*key, "cf", "r744snam"],
        )
        .groupBy(*key, _HOUR)
        .agg(
            sf.sum("amount").alias("amount"),
            sf.min("cf").alias("cf"),
            sf.min("r744snam").alias("r744snam"),
            sf.count("*").alias("holders"),
        )
        .where("holders = 1")
    )
    calls = _by_hour(
        sections[QEST].withColumn("structure", sf.trim("qeststr")),
        (number("qestcsec") + number("qestcmec")) * 1_000,
        key,
    ).withColumnRenamed("amount", "second")
    of_systems = facility.join(calls, [*key, _HOUR])
    return (
        of_systems.groupBy("sysplex", "cf", "r744snam", _HOUR)
        .agg(sf.sum("amount").alias("first"), sf.sum("second").alias("second"))
        .select(
            sf.lit(str(PairName.structure_requests)).alias("pair"),
            path("sysplex", "cf", "r744snam").alias("subject"),
            _HOUR,
            "first",
            "second",
        )
    )


def _storage(sections: Sections) -> DataFrame:
    """Return mean 31-bit storage of hours by records and by messages, times the hour."""
    hour = sf.date_trunc("hour", sf.col(_HOUR)).alias(_HOUR)
    key = ["sysplex", "qmgr", _HOUR]
    messages = (
        sections[CONSOLE_EVENT]
        .where((sf.col("message_id") == STORAGE_MESSAGE) & sf.col("qmgr").isNotNull())
        .withColumn(_HOUR, sf.col("event_utc"))
        .select("sysplex", "qmgr", hour, _hour_mib("used_31bit_mib"))
    )
    records = sections[QCCT].where(has_length())
    records = records.select("sysplex", "qmgr", hour, _hour_mib("qcctstus"))
    means = [
        frame.groupBy(*key).agg(sf.round(sf.avg("amount")).cast("bigint").alias("amount"))
        for frame in (records, messages)
    ]
    chinit = path("sysplex", "qmgr", sf.lit("CHINIT"))
    return _joined(PairName.chinit_storage, means[0], means[1], chinit)


def _hour_mib(column: str) -> Column:
    """Return storage over an hour in thousandths of MiB-seconds."""
    return (number(column) * SECONDS_PER_HOUR * 1_000).alias("amount")
