"""Days of distributed queue managers and of other platforms."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mqcap.domain.datasets import METRIC_HOURLY
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.steps.daily_roll_up import daily_observations
from spark_apps.aggregate import aggregate, aggregation_plan
from spark_apps.decode import pending
from spark_apps.decode_file import DecodeOptions, decode_file
from tests.mqcap.ingest.omegamon import odp_lines
from tests.mqcap.ingest.prometheus.answers import PRIMARY, answer, written
from tests.mqcap.ingest.ztpf.spooled import COLUMNS, display, sweep
from tests.spark_apps.lakes import land

pytestmark = pytest.mark.spark
STEP = 600
COUNTER = "ibmmq_qmgr_mqput_mqput1_total"
KOLKATA = Estate(
    sysplexes=(Sysplex(sysplex="PLEX1", timezone="Asia/Kolkata", smfids=("SYS1",)),),
    places=(
        Place.model_validate(
            {"site": "TPFA", "timezone": "Asia/Kolkata", "ztpf": [{"name": "TPF1"}]}
        ),
    ),
)
MIDNIGHT = datetime(2026, 7, 8, 18, 30, tzinfo=UTC)
"""Begin of 2026-07-09 in Kolkata."""


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


def kept_text(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def ramp_of_all(folder: Path) -> list[Path]:
    """Displays and lines of six hours from an hour before midnight on; values count the hours."""
    quarters = [MIDNIGHT - timedelta(hours=1) + timedelta(minutes=15) * n for n in range(1, 25)]
    spool = "".join(
        f"NOW({at:%Y-%m-%dT%H:%M:%S}+0000) SYSTEM(TPF1)\n"
        + display(in_use=number // 4 + 1, total=100, high_water=50)
        for number, at in enumerate(quarters)
    )
    console = "NOW(2026-07-08T23:59:00+0530) SYSTEM(TPF1)\n" + "".join(
        map(sweep, ("23.59.30", "00.00.01", "00.00.02"))
    )
    lines = odp_lines.text(
        *(
            odp_lines.row(
                write_time=f"{at:%Y-%m-%dT%H:%M:%S}.000000000+00:00",
                interval_seconds=900,
                percent_pages_in_use=number // 4 + 1,
                sysplex_name=None,
            )
            for number, at in enumerate(quarters)
        )
    )
    return [
        kept_text(folder, "display.txt", spool),
        kept_text(folder, "console.txt", console),
        kept_text(folder, "kmq.jsonl", lines),
    ]


def test_site_days_of_a_half_hour_zone_are_cut_exactly_and_files_may_repeat(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    files = ramp_of_all(tmp_path)
    again = kept_text(tmp_path, "again.txt", files[1].read_text("utf-8") + sweep("00.00.03"))
    row = f"TPF1,{MIDNIGHT:%Y-%m-%dT%H:%M:%SZ},A,1800,,,,,100,1,50,,,"
    table = kept_text(tmp_path, "table.csv", f"{COLUMNS}\n{row}\n")
    load(spark, lake, KOLKATA, [*files, again, table])
    made = days(lake, KOLKATA)
    assert made["tpf_mqm_used_pct", "2026-07-08"] == (1, 1, 1)
    assert made["tpf_mqm_used_pct", "2026-07-09"] == (5, 4, 6)
    assert made["tpf_mqm_high_water_pct", "2026-07-09"] == (5, 50, 50)
    assert made["tpf_system_sweep_count", "2026-07-08"] == (24, 1, 1)
    assert made["tpf_sweep_count", "2026-07-09"] == (24, 3, 3)
    assert made["odp_page_set_used_pct", "2026-07-08"] == (1, 1, 1)
    assert made["odp_page_set_used_pct", "2026-07-09"] == (5, 4, 6)
    assert aggregation_plan(lake, KOLKATA).stale == {}
    nowhere = KOLKATA.model_copy(update={"places": ()})
    plan = aggregation_plan(lake, nowhere)
    assert plan.stale
    aggregate(spark, plan)
    assert {name for name, _ in days(lake, nowhere)} == {"odp_page_set_used_pct"}
