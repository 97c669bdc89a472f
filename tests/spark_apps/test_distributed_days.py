"""Site days of distributed queue managers: zones with half hours, changes of clocks, any order."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mqcap.domain.datasets import METRIC_HOURLY
from mqcap.domain.estate import Estate
from mqcap.domain.estate.places import Place
from mqcap.steps.daily_roll_up import daily_observations
from spark_apps.aggregate import aggregate, aggregation_plan
from spark_apps.decode import pending
from spark_apps.decode_file import DecodeOptions, decode_file
from tests.mqcap.ingest.prometheus.answers import PRIMARY, answer, written
from tests.spark_apps.lakes import land

pytestmark = pytest.mark.spark
STEP = 600
COUNTER = "ibmmq_qmgr_mqput_mqput1_total"


def place(zone: str) -> Estate:
    document = {"site": "EAST", "timezone": zone, "qmgrs": [{"name": "QM1"}]}
    return Estate(places=(Place.model_validate(document),))


def ramp(name: str, first: datetime, count: int) -> dict[str, Any]:
    """A series whose value is the number of the step since 2026, so that overlaps agree."""
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    times = [first + timedelta(seconds=STEP * number) for number in range(count)]
    values = [[time.timestamp(), str((time - begin).total_seconds() / STEP)] for time in times]
    return {"metric": {"__name__": name, "qmgr": "QM1"}, "values": values}


def load(spark: SparkSession, lake: Path, estate: Estate, files: Sequence[Path]) -> None:
    land(lake, files)
    for landed in pending(lake):
        assert decode_file(landed, DecodeOptions(lake, 0.0)).problem is None
    aggregate(spark, aggregation_plan(lake, estate))


def days(lake: Path, estate: Estate) -> dict[tuple[str, str], tuple[float, float, float]]:
    """Hours covered, mean and peak by metric and site date."""
    hours = pq.read_table(lake / METRIC_HOURLY.name, partitioning=None).to_pandas()
    hours["hour_utc"] = hours["hour_utc"].dt.tz_convert("UTC")
    daily = daily_observations(hours, estate.zones(), "UTC")
    return {
        (row["metric"], str(row["site_date"])): (
            round(row["covered_hours"], 6),
            round(row["mean"], 6),
            round(row["peak"], 6),
        )
        for row in daily.to_dict(orient="records")
    }


@pytest.mark.parametrize(
    ("zone", "day", "begin", "hours"),
    [
        ("Asia/Kolkata", "2026-07-09", datetime(2026, 7, 8, 18, 30, tzinfo=UTC), 24),
        ("Asia/Kathmandu", "2026-07-09", datetime(2026, 7, 8, 18, 15, tzinfo=UTC), 24),
        ("America/Chicago", "2026-03-08", datetime(2026, 3, 8, 6, tzinfo=UTC), 23),
        ("America/Chicago", "2026-11-01", datetime(2026, 11, 1, 5, tzinfo=UTC), 25),
        ("Australia/Lord_Howe", "2026-04-05", datetime(2026, 4, 4, 13, tzinfo=UTC), 24.5),
    ],
)
def test_a_site_day_begins_and_ends_at_its_midnights(
    spark: SparkSession, tmp_path: Path, zone: str, day: str, begin: datetime, hours: float
) -> None:
    estate = place(zone)
    first = begin - timedelta(hours=3)
    steps = int((hours + 6) * 3_600 / STEP)
    file = written(tmp_path, answer(ramp(PRIMARY, first, steps)))
    load(spark, tmp_path / "lake", estate, [file])
    covered, mean, _ = days(tmp_path / "lake", estate)["mq_log_primary_used_pct", day]
    middle = (begin + timedelta(hours=hours / 2) - datetime(2026, 1, 1, tzinfo=UTC)) / timedelta(
        seconds=STEP
    )
    assert covered == hours
    assert mean == pytest.approx(middle + 0.5, abs=0.51)


def test_the_order_of_overlapping_files_changes_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    estate = place("Asia/Kolkata")
    start = datetime(2026, 7, 8, 12, tzinfo=UTC)
    files = []
    for number, (hour, count) in enumerate(((0, 100), (12, 100), (40, 60))):
        first = start + timedelta(hours=hour)
        folder = tmp_path / str(number)
        folder.mkdir()
        series = [ramp(name, first, count) for name in (PRIMARY, COUNTER)]
        files.append(written(folder, answer(*series)))
    lakes = [tmp_path / "forwards", tmp_path / "backwards"]
    load(spark, lakes[0], estate, files)
    for file in reversed(files):
        load(spark, lakes[1], estate, [file])
    forwards, backwards = (days(lake, estate) for lake in lakes)
    assert forwards == backwards
    _, mean, peak = forwards["mq_put_per_s", "2026-07-09"]
    assert mean == pytest.approx(1 / STEP, abs=1e-6)
    assert peak == pytest.approx(1 / STEP, abs=1e-6)
