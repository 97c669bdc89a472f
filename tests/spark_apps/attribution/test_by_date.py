"""A task per date reads what touches the date."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqcap.domain.datasets import METRIC_PART, SOURCE_PAIR
from spark_apps.attribution.by_date import days_of, metric_parts, source_pairs
from spark_apps.attribution.days import SiteDays
from tests.spark_apps.attribution.parts import days_of_rows, put
from tests.spark_apps.manifests import DAY, NEXT, manifest
from tests.spark_apps.rows import START

pytestmark = pytest.mark.spark
BOTH = {"hour_dates": (DAY, NEXT), "last_interval_utc": datetime(2025, 3, 11, 12, tzinfo=UTC)}


def test_a_date_has_the_files_that_touch_it(tmp_path: Path) -> None:
    days = days_of(tmp_path, [DAY, NEXT], [manifest("a"), manifest("b", **BOTH)], ({}, {}))
    names = {day: [Path(file).stem for file in rows.files["section_qjst"]]
             for day, rows in days.items()}  # fmt: skip
    assert names == {DAY: ["a", "b"], NEXT: ["b"]}
    assert {day: "section_qjst" in rows.repeated for day, rows in days.items()} == {
        DAY: True,
        NEXT: False,
    }


def test_only_the_dates_that_were_asked_for_have_rows(spark: SparkSession, tmp_path: Path) -> None:
    rows = {"section_qqst": [put("A", 18)], "section_qjst": [{"qjstbffl": 256}]}
    days = {day.day: day for day in days_of_rows(tmp_path, rows)}
    assert list(days) == [START.date()]
    columns = (
        "metric string, subject string, hour_date date, site_date date, value double, "
        "covered_seconds double, base bigint"
    )
    wholes = spark.createDataFrame(
        [
            ("messages_put_per_s", "PLEX1/CSQ1", day, day, 0.01, 1_800.0, 18)
            for day in (START.date(), NEXT)
        ],
        columns,
    )
    parts = metric_parts(wholes, days, SiteDays(), 20)
    assert parts.columns == list(METRIC_PART.columns)
    found = {(row.metric, row.hour_date, row.kind) for row in parts.collect()}
    assert found == {
        ("messages_put_per_s", DAY, "whole"),
        ("messages_put_per_s", DAY, "queue"),
        ("private_queue_messages_per_s", DAY, "queue"),
    }
    pairs = source_pairs(spark, days, SiteDays())
    assert pairs.columns == list(SOURCE_PAIR.columns)
    assert [(row.pair, row.hour_date) for row in pairs.collect()] == [("log_queues", DAY)]
