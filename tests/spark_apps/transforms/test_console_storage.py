"""Intervals over which the figures of a storage message hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from pyspark.sql import SparkSession

from spark_apps.transforms.console_storage import storage_intervals
from tests.spark_apps.rows import START, frame

pytestmark = pytest.mark.spark
HOUR: Final = timedelta(hours=1)


def ends(spark: SparkSession, events: Sequence[dict[str, Any]]) -> list[datetime]:
    """Return the end of each interval, in order of its start."""
    rows = storage_intervals(frame(spark, "console_event", events))
    ordered = rows.orderBy("interval_start_utc", "text").collect()
    return [row.interval_end_utc for row in ordered]


def at(hours: float, **changed: Any) -> dict[str, Any]:
    return {"event_utc": START + hours * HOUR, **changed}


def utc(hours: float) -> datetime:
    """Return an instant as Spark returns it, without a time zone."""
    return (START + hours * HOUR).replace(tzinfo=None)


@pytest.mark.parametrize(
    ("gap_hours", "end_hours"), [(0.25, 0.25), (1.999, 1.999), (2.0, 2.0), (2.001, 1.0)]
)
def test_a_value_holds_until_the_next_message_within_two_hours_else_to_its_hour(
    spark: SparkSession, gap_hours: float, end_hours: float
) -> None:
    assert ends(spark, [at(0), at(gap_hours)])[0] == utc(end_hours)


@pytest.mark.parametrize(("minutes", "end_hours"), [(0, 1.0), (1, 1.0), (59, 1.0), (60, 2.0)])
def test_the_last_value_holds_to_the_end_of_its_utc_hour(
    spark: SparkSession, minutes: int, end_hours: float
) -> None:
    assert ends(spark, [at(minutes / 60)]) == [utc(end_hours)]


@pytest.mark.parametrize(
    "other", [{"qmgr": "CSQ2"}, {"sysplex": "PLEX2"}, {"message_id": "CSQJ001I"}]
)
def test_another_queue_manager_or_message_ends_no_interval(
    spark: SparkSession, other: dict[str, Any]
) -> None:
    assert ends(spark, [at(0), at(0.5, **other)])[0] == utc(1.0)


def test_other_messages_have_no_interval(spark: SparkSession) -> None:
    assert ends(spark, [at(0, message_id="CSQJ001I")]) == []


def test_of_two_messages_at_one_instant_only_the_last_holds(spark: SparkSession) -> None:
    assert ends(spark, [at(0, text="a"), at(0, text="b")]) == [utc(0), utc(1.0)]
