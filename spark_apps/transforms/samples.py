"""Samples of distributed queue managers as interval rows.

``counted_once`` is the rule for all of them: a moment of a series belongs to the figure that is
reported next, whichever file, job or host tells it. A row that reaches back over an earlier figure
is cut there, so that overlapping answers and several collectors count once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from mqcap.domain.distributed.mq_name import ESCAPES
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.ingest.samples import AMOUNT_BELOW, COUNTER_REACH_STEPS
from spark_apps.attribution.days import SiteDays
from spark_apps.distributed_placement import DistributedPlacement
from spark_apps.qmgr_settings import SettingPeriod
from spark_apps.transforms.intervals import (
    INTERVAL_COLUMNS,
    MICROSECONDS,
    Counter,
    Sections,
    interval_rows,
    path,
)
from spark_apps.transforms.keys import INTERVAL

QMGR_SAMPLE: Final = "qmgr_sample"
SERIES: Final = ("site", "qmgr", "object", "figure")
PLACED_COLUMNS: Final = (
    "site", "qmgr", "host", "object", "figure", "reading", "reported_utc", "step_seconds",
    "scrape_seconds", "value", "file_sha256",
)  # fmt: skip
_SETTING_COLUMNS: Final = (
    "qmgr string, from_utc timestamp, to_utc timestamp,"
    " primary_files int, secondary_files int, max_channels int, log_file_pages int"
)


def placed_samples(frame: DataFrame, place: DistributedPlacement) -> DataFrame:
    """Return the samples of queue managers of one place: the columns of ``PLACED_COLUMNS``.

    A sample without a step has that of its site's scrapes.
    """
    site = _looked_up(sf.col("qmgr"), place.site_by_qmgr)
    scrape = _looked_up(sf.col("site"), place.scrape_seconds).cast("double")
    labels = {f"{site}/{label}": name for (site, label), name in place.hosts.items()}
    host = sf.coalesce(_looked_up(sf.concat_ws("/", "site", "host"), labels), sf.col("host"))
    return (
        frame.withColumn("site", site)
        .where(sf.col("site").isNotNull())
        .withColumn("scrape_seconds", scrape)
        .withColumn("host", host)
        .withColumn("step_seconds", sf.coalesce("step_seconds", "scrape_seconds"))
        .select(*PLACED_COLUMNS)
    )


def placed_systems(frame: DataFrame, place: DistributedPlacement, site_days: SiteDays) -> DataFrame:
    """Return rows of z/TPF systems of one place, with ``site`` and its time zone ``zone``."""
    site = _looked_up(sf.col("system"), place.site_by_ztpf)
    zone = sf.coalesce(_looked_up(sf.col("site"), site_days.zones), sf.lit(site_days.default_zone))
    return frame.withColumn("site", site).where(sf.col("site").isNotNull()).withColumn("zone", zone)


def part(column: str) -> Column:
    """Return a name as a part of a subject, as ``escaped`` of the domain does."""
    text = sf.col(column)
    for character, escape in ESCAPES:
        text = sf.replace(text, sf.lit(character), sf.lit(escape))
    return text


def qmgr_subject() -> Column:
    """Return the subject of a queue manager: ``EAST/QM1``."""
    return path("site", part("qmgr"))


def at_one_time(
    sections: Sections, key: Sequence[str], figures: Mapping[QmgrFigure, str]
) -> DataFrame:
    """Return gauges that were reported of one subject at one time, side by side.

    A row per site, key and time, with an interval, and a column per figure under the name given;
    null where that figure was not reported then.
    """
    names = [str(figure) for figure in figures]
    reported = sections[QMGR_SAMPLE].where(
        (sf.col("reading") == str(SampleReading.gauge)) & sf.col("figure").isin(names)
    )
    columns = [
        sf.max(sf.when(sf.col("figure") == str(figure), sf.col("value"))).alias(name)
        for figure, name in figures.items()
    ]
    step = sf.max("step_seconds").alias("step_seconds")
    return with_interval(reported.groupBy("site", *key, "reported_utc").agg(step, *columns))


def with_settings(frame: DataFrame, periods: Sequence[SettingPeriod]) -> DataFrame:
    """Return rows with the settings of their time, named as in ``SettingPeriod``.

    Null where no capture of the queue manager has the setting.
    """
    if not periods:
        names = SettingPeriod._fields[3:]
        return frame.withColumns({name: sf.lit(None).cast("int") for name in names})
    rows = [tuple(period) for period in periods]
    settings = frame.sparkSession.createDataFrame(rows, _SETTING_COLUMNS).withColumnRenamed(
        "qmgr", "setting_qmgr"
    )
    in_force = (
        (sf.col("qmgr") == sf.col("setting_qmgr"))
        & (sf.col("reported_utc") >= sf.col("from_utc"))
        & (sf.col("reported_utc") < sf.col("to_utc"))
    )
    joined = frame.join(sf.broadcast(settings), in_force, "left")
    return joined.drop("setting_qmgr", "from_utc", "to_utc")


def with_interval(frame: DataFrame) -> DataFrame:
    """Return rows with the interval of the step before they were reported."""
    start_us = sf.unix_micros("reported_utc") - _microseconds(sf.col("step_seconds"))
    return frame.withColumn(INTERVAL[0], sf.timestamp_micros(start_us)).withColumn(
        INTERVAL[1], sf.col("reported_utc")
    )


def amounts(
    sections: Sections,
    figure: QmgrFigure,
    metric: str,
    amount_per_unit: float,
    subject: Column | None = None,
) -> DataFrame:
    """Return interval rows of what was counted: deltas and differences of counters.

    ``subject`` is by default the queue manager; it may use ``site``, ``qmgr`` and ``object``.
    """
    reported = sections[QMGR_SAMPLE].where(sf.col("figure") == str(figure))
    counted = _deltas(reported).unionByName(_scrapes(reported)).unionByName(_differences(reported))
    about = qmgr_subject() if subject is None else subject
    rows = interval_rows(counted, about, [Counter(metric, sf.col("value"), amount_per_unit)])
    return counted_once(rows)


def counted_once(rows: DataFrame) -> DataFrame:
    """Return interval rows without their overlaps; amounts are cut in proportion.

    Rows end in order: each moment belongs to the row that ends next. Of rows that end together the
    one that begins first counts; of equal ones the highest.
    """
    start, end = INTERVAL
    order = Window.partitionBy("metric", "subject").orderBy(end, start, sf.desc("level"))
    length_us = sf.unix_micros(end) - sf.unix_micros(start)
    first = sf.greatest(sf.col(start), sf.lag(end).over(order))
    kept_us = sf.unix_micros(end) - sf.unix_micros("first")
    share = sf.when(kept_us == length_us, sf.col("amount")).otherwise(
        sf.round(sf.col("amount") * (kept_us / length_us)).cast("bigint")
    )
    return (
        rows.where(length_us > 0)
        .withColumn("first", first)
        .where(sf.col("first") < sf.col(end))
        .withColumn("amount", share)
        .withColumn(start, sf.col("first"))
        .select(*INTERVAL_COLUMNS)
    )


def _deltas(reported: DataFrame) -> DataFrame:
    rows = reported.where(sf.col("reading") == str(SampleReading.delta))
    return with_interval(rows).select("site", "qmgr", "object", *INTERVAL, "value")


def _scrapes(reported: DataFrame) -> DataFrame:
    """Return what was counted since the last scrape; of an answer with a larger step nothing."""
    rows = reported.where(
        (sf.col("reading") == str(SampleReading.scrape))
        & (sf.col("step_seconds") <= sf.col("scrape_seconds"))
    ).withColumn("step_seconds", sf.col("scrape_seconds"))
    return with_interval(rows).select("site", "qmgr", "object", *INTERVAL, "value")


def _differences(reported: DataFrame) -> DataFrame:
    """Return the differences of neighbouring samples of each counter; of one that fell none."""
    start, end = INTERVAL
    once = (
        reported.where(sf.col("reading") == str(SampleReading.counter))
        .groupBy(*SERIES, "reported_utc")
        .agg(sf.max("value").alias("value"), sf.max("step_seconds").alias("step_seconds"))
    )
    order = Window.partitionBy(*SERIES).orderBy("reported_utc")
    reach_us = _microseconds(sf.col("step_seconds") * COUNTER_REACH_STEPS)
    return (
        once.withColumn(start, sf.lag("reported_utc").over(order))
        .withColumn(end, sf.col("reported_utc"))
        .withColumn("value", sf.col("value") - sf.lag("value").over(order))
        .where(sf.unix_micros(end) - sf.unix_micros(start) <= reach_us)
        .where((sf.col("value") >= 0) & (sf.col("value") < AMOUNT_BELOW))
        .select("site", "qmgr", "object", *INTERVAL, "value")
    )


def _microseconds(seconds: Column) -> Column:
    return sf.round(seconds * sf.lit(float(MICROSECONDS))).cast("bigint")


def _looked_up(key: Column, names: Mapping[str, str] | Mapping[str, float]) -> Column:
    if not names:
        return sf.lit(None).cast("string")
    pairs = [sf.lit(text) for item in sorted(names.items()) for text in item]
    return sf.create_map(*pairs)[key]
