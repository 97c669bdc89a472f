"""Interval rows of gauges and counters."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import (
    INTERVAL_COLUMNS,
    Counter,
    Gauge,
    Sections,
    interval_rows,
    path,
    seconds,
    union,
)
from tests.spark_apps.rows import HALF_HOUR, START, between, frame

pytestmark = pytest.mark.spark
SUBJECT = ("sysplex", "qmgr")


def qjst(spark: SparkSession, **row: Any) -> Any:
    return frame(spark, "section_qjst", [row])


def test_a_subject_is_its_parts_from_columns_and_expressions(spark: SparkSession) -> None:
    pool = sf.format_string("BP%02d", sf.lit(3))
    assert qjst(spark).select(path(*SUBJECT, pool)).collect()[0][0] == "PLEX1/CSQ1/BP03"


def test_the_length_of_an_interval_keeps_fractions_of_a_second(spark: SparkSession) -> None:
    end = START + timedelta(seconds=1, microseconds=500_001)
    assert qjst(spark, **between(START, end)).select(seconds()).collect()[0][0] == 1.500001


def test_a_counter_is_its_amount_and_the_rate_of_it_in_the_unit(spark: SparkSession) -> None:
    counter = Counter("growth", sf.col("qjstbffl") * sf.lit(MIB_BYTES), float(MIB_BYTES))
    [row] = interval_rows(qjst(spark, qjstbffl=900), path(*SUBJECT), [counter]).collect()
    assert (row.metric, row.subject) == ("growth", "PLEX1/CSQ1")
    assert (row.level, row.amount, row.amount_per_unit) == (0.5, 900 * MIB_BYTES, MIB_BYTES)
    assert row.interval_start_utc == START.replace(tzinfo=None)
    assert row.interval_end_utc == (START + HALF_HOUR).replace(tzinfo=None)


def test_a_rate_per_hour_divides_by_hours(spark: SparkSession) -> None:
    counter = Counter("waits", sf.col("qjstwtb"), 1 / 3_600)
    [row] = interval_rows(qjst(spark, qjstwtb=90), path(*SUBJECT), [counter]).collect()
    assert row.level == pytest.approx(180)


def test_a_gauge_has_a_level_and_no_amount(spark: SparkSession) -> None:
    gauge = Gauge("buffers", sf.col("qjstwtb"))
    [row] = interval_rows(qjst(spark, qjstwtb=7), path(*SUBJECT), [gauge]).collect()
    assert (row.level, row.amount, row.amount_per_unit) == (7.0, None, None)


def test_a_figure_that_is_null_has_no_row_and_zero_has_one(spark: SparkSession) -> None:
    figures: list[Gauge | Counter] = [
        Gauge("null gauge", sf.col("qjstwtb")),
        Counter("null counter", sf.col("qjstwtb")),
        Gauge("zero gauge", sf.col("qjstbffl")),
        Counter("zero counter", sf.col("qjstbffl")),
    ]
    rows = interval_rows(qjst(spark, qjstbffl=0), path(*SUBJECT), figures)
    assert {row.metric: row.level for row in rows.collect()} == {
        "zero gauge": 0.0,
        "zero counter": 0.0,
    }
    assert tuple(rows.columns) == INTERVAL_COLUMNS


@pytest.mark.parametrize("length", [timedelta(0), timedelta(seconds=-1)])
def test_a_counter_of_no_time_has_no_rate(spark: SparkSession, length: timedelta) -> None:
    row = qjst(spark, qjstbffl=5, **between(START, START + length))
    assert interval_rows(row, path(*SUBJECT), [Counter("c", sf.col("qjstbffl"))]).count() == 0


def test_frames_are_joined_by_the_names_of_their_columns(spark: SparkSession) -> None:
    first = spark.createDataFrame([(1, "a")], "number int, letter string")
    second = spark.createDataFrame([("b", 2)], "letter string, number int")
    rows = union([first, second, first]).collect()
    assert [(row.number, row.letter) for row in rows] == [(1, "a"), (2, "b"), (1, "a")]


def test_a_dataset_is_looked_up_by_its_name(spark: SparkSession) -> None:
    rows = qjst(spark)
    sections = Sections({"section_qjst": rows})
    assert sections["section_qjst"] is rows
    with pytest.raises(KeyError, match="section_qpst"):
        sections["section_qpst"]
