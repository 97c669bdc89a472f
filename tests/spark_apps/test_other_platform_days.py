"""Site days of z/TPF systems and of samples of z/OS, from files to daily figures."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from spark_apps.aggregate import aggregate, aggregation_plan
from tests.mqcap.ingest.omegamon import odp_lines
from tests.mqcap.ingest.ztpf.spooled import COLUMNS, display, sweep
from tests.spark_apps.test_distributed_days import days, load

pytestmark = pytest.mark.spark
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


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def ramp(folder: Path) -> list[Path]:
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
        written(folder, "display.txt", spool),
        written(folder, "console.txt", console),
        written(folder, "kmq.jsonl", lines),
    ]


def test_site_days_of_a_half_hour_zone_are_cut_exactly_and_files_may_repeat(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    files = ramp(tmp_path)
    again = written(tmp_path, "again.txt", files[1].read_text("utf-8") + sweep("00.00.03"))
    row = f"TPF1,{MIDNIGHT:%Y-%m-%dT%H:%M:%SZ},A,1800,,,,,100,1,50,,,"
    table = written(tmp_path, "table.csv", f"{COLUMNS}\n{row}\n")
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
