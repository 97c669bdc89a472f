"""Sweeps of z/TPF systems by local date."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from spark_apps.metrics import ztpf_sweeps
from tests.spark_apps.rows import levels, sections

pytestmark = pytest.mark.spark


def sweep(
    time: str, queue: str = "RES.IN", day: str = "2026-07-09", zone: str = "America/New_York",
    file: str = "a",
) -> dict[str, Any]:  # fmt: skip
    return {"site": "TPFA", "zone": zone, "system": "TPF1", "queue": queue, "local_date": day,
            "local_time": time, "file_sha256": file}  # fmt: skip


def rows(spark: SparkSession, *sweeps: dict[str, Any]) -> DataFrame:
    return ztpf_sweeps.intervals(sections(spark, ztpf_sweep=list(sweeps)))


def test_each_sweep_counts_once_for_its_queue_and_its_system(spark: SparkSession) -> None:
    sweeps = [sweep("00.00.01"), sweep("00.00.02"), sweep("00.00.01", "A/b%")]
    again = [sweep("00.00.01", file="b"), sweep("00.00.03", day="2026-07-10", file="b")]
    assert levels(rows(spark, *sweeps, *again)) == {
        ("tpf_sweep_count", "TPFA/TPF1/RES.IN"): [2.0, 1.0],
        ("tpf_sweep_count", "TPFA/TPF1/A%2Fb%25"): [1.0],
        ("tpf_system_sweep_count", "TPFA/TPF1"): [3.0, 1.0],
    }


@pytest.mark.parametrize(
    ("zone", "day", "begin", "end"),
    [
        ("America/New_York", "2026-07-09", "07-09 04:00", "07-10 04:00"),
        ("America/New_York", "2026-03-08", "03-08 05:00", "03-09 04:00"),
        ("America/New_York", "2026-11-01", "11-01 04:00", "11-02 05:00"),
        ("Asia/Kolkata", "2026-07-09", "07-08 18:30", "07-09 18:30"),
    ],
)
def test_the_interval_is_the_date_of_the_site(
    spark: SparkSession, zone: str, day: str, begin: str, end: str
) -> None:
    for row in rows(spark, sweep("12.00.00", day=day, zone=zone)).collect():
        found = [f"{each:%m-%d %H:%M}" for each in (row.interval_start_utc, row.interval_end_utc)]
        assert found == [begin, end]
        assert row.level == 1
