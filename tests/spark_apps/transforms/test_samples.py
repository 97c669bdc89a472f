"""Samples of distributed queue managers as interval rows."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from spark_apps.distributed_placement import DistributedPlacement
from spark_apps.transforms.intervals import INTERVAL_COLUMNS
from spark_apps.transforms.samples import (
    PLACED_COLUMNS,
    amounts,
    counted_once,
    part,
    placed_samples,
)
from tests.spark_apps.rows import START, samples

pytestmark = pytest.mark.spark
PLACE = DistributedPlacement({"QM1": "EAST"}, {"EAST": 300.0}, {("EAST", "mq.1"): "mq-1"})


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def once(spark: SparkSession, *rows: tuple[float, float, float, int | None]) -> list[Any]:
    """Begin, end, level and amount of what counts, in minutes."""
    values = [
        ("m", "EAST/QM1", at(start), at(end), float(level), amount, 1.0)
        for start, end, level, amount in rows
    ]
    schema = (
        "metric string, subject string, interval_start_utc timestamp, "
        "interval_end_utc timestamp, level double, amount bigint, amount_per_unit double"
    )
    counted = counted_once(spark.createDataFrame(values, schema)).orderBy("interval_start_utc")
    assert tuple(counted.columns) == INTERVAL_COLUMNS
    return [
        (
            (row.interval_start_utc - at(0).replace(tzinfo=None)).total_seconds() / 60,
            (row.interval_end_utc - at(0).replace(tzinfo=None)).total_seconds() / 60,
            row.level,
            row.amount,
        )
        for row in counted.collect()
    ]


def test_the_same_figure_of_two_files_counts_once(spark: SparkSession) -> None:
    assert once(spark, (0, 5, 7, None), (0, 5, 7, None)) == [(0, 5, 7, None)]


def test_a_moment_belongs_to_the_figure_that_is_told_next(spark: SparkSession) -> None:
    fine = [(minute, minute + 1, minute, None) for minute in range(1, 5)]
    coarse = (0, 5, 4, None)
    assert once(spark, *fine, coarse) == fine


def test_an_amount_is_cut_in_proportion(spark: SparkSession) -> None:
    assert once(spark, (0, 4, 1, 240), (2, 8, 2, 720)) == [(0, 4, 1, 240), (4, 8, 2, 480)]


def test_a_row_without_length_counts_nothing(spark: SparkSession) -> None:
    assert once(spark, (0, 0, 7, None), (5, 0, 7, None)) == []


def test_a_gap_stays_a_gap(spark: SparkSession) -> None:
    assert once(spark, (0, 5, 1, None), (10, 15, 2, None)) == [(0, 5, 1, None), (10, 15, 2, None)]


def rates(spark: SparkSession, *rows: dict[str, Any]) -> list[Any]:
    """Begin and end in minutes, and rate a second, of puts."""
    made = samples(spark, *({"figure": "put_count", **row} for row in rows))
    counted = amounts(made, QmgrFigure.put_count, "mq_put_per_s", 1.0).orderBy("interval_end_utc")
    begin = START.replace(tzinfo=None)
    return [
        (
            (row.interval_start_utc - begin).total_seconds() / 60,
            (row.interval_end_utc - begin).total_seconds() / 60,
            row.level,
        )
        for row in counted.collect()
    ]


@pytest.mark.parametrize(("step", "count"), [(60.0, 1), (300.0, 1), (301.0, 0)])
def test_a_scrape_counts_for_the_interval_of_scrapes_unless_some_are_missing(
    spark: SparkSession, step: float, count: int
) -> None:
    found = rates(spark, {"reading": "scrape", "value": 600.0, "step_seconds": step})
    assert found == [(-5, 0, 2.0)] * count


def test_a_delta_counts_for_its_own_interval(spark: SparkSession) -> None:
    delta = {"reading": "delta", "value": 600.0, "step_seconds": 60.0}
    assert rates(spark, delta) == [(-1, 0, 10.0)]


@pytest.mark.parametrize(("minutes", "count"), [(5.0, 1), (7.5, 1), (7.6, 0)])
def test_a_counter_counts_between_neighbours(
    spark: SparkSession, minutes: float, count: int
) -> None:
    first = {"reading": "counter", "value": 100.0}
    second = {"reading": "counter", "value": 400.0, "reported_utc": at(minutes)}
    assert len(rates(spark, first, second)) == count


def test_a_counter_that_falls_is_left_out_and_counts_from_there(spark: SparkSession) -> None:
    reported = [
        {"reading": "counter", "value": value, "reported_utc": at(5 * number)}
        for number, value in enumerate((900.0, 0.0, 300.0))
    ]
    assert rates(spark, *reported) == [(5, 10, 1.0)]


def test_a_counter_that_jumps_by_more_than_a_step_can_count_is_left_out(
    spark: SparkSession,
) -> None:
    told = [
        {"reading": "counter", "value": value, "reported_utc": at(5 * number)}
        for number, value in enumerate((0.0, 2.0**50, 2.0**50 + 300))
    ]
    assert rates(spark, *told) == [(5, 10, 1.0)]


def test_two_counters_are_not_subtracted_and_count_once(spark: SparkSession) -> None:
    reported = [
        {"reading": "counter", "value": float(value), "reported_utc": at(minute), "object": name}
        for name, minute, value in (("a", 0, 0), ("a", 5, 300), ("b", 0, 9_000), ("b", 5, 9_300))
    ]
    assert rates(spark, *reported) == [(0, 5, 1.0)]


def placed(spark: SparkSession, place: DistributedPlacement, **values: Any) -> list[Any]:
    names = [name for name in PLACED_COLUMNS if name not in {"site", "scrape_seconds"}]
    row = {
        "qmgr": "QM1", "host": "mq.1", "object": "", "figure": "put_count", "reading": "gauge",
        "reported_utc": START, "step_seconds": None, "value": 1.0, "file_sha256": "a", **values,
    }  # fmt: skip
    schema = (
        "qmgr string, host string, object string, figure string, reading string, "
        "reported_utc timestamp, step_seconds double, value double, file_sha256 string"
    )
    frame = spark.createDataFrame([tuple(row[name] for name in names)], schema)
    return placed_samples(frame, place).select("site", "host", "step_seconds").collect()


def test_a_sample_is_placed_with_the_true_name_of_its_host_and_the_step_of_scrapes(
    spark: SparkSession,
) -> None:
    assert placed(spark, PLACE) == [("EAST", "mq-1", 300.0)]
    assert placed(spark, PLACE, step_seconds=60.0) == [("EAST", "mq-1", 60.0)]
    assert placed(spark, PLACE, host="other") == [("EAST", "other", 300.0)]


def test_a_queue_manager_of_no_place_has_no_figures(spark: SparkSession) -> None:
    assert placed(spark, PLACE, qmgr="qm1") == []
    assert placed(spark, DistributedPlacement()) == []


def test_a_name_is_escaped_as_in_the_domain(spark: SparkSession) -> None:
    names = spark.createDataFrame([("a/b%c",)], "name string")
    assert names.select(part("name").alias("part")).collect() == [("a%2Fb%25c",)]
