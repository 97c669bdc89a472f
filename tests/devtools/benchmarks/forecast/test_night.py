"""What the benchmark of the forecasts of a night prints, and what it forecasts."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from devtools.benchmarks.forecast.night import NightCost, export, night
from devtools.benchmarks.forecast.simulated import simulated


def test_the_cost_is_that_of_as_many_series_as_the_target_has() -> None:
    assert NightCost(300, 2, 30.0, 12.0).lines() == [
        "300 series by 2 processes: 12.0 s of CPU, 40.0 ms a series, 30.0 s by the clock",
        "3000 series so: 60.0 s of CPU for each process, 0.50 of 120 s",
    ]


def test_every_series_is_exported_once(tmp_path: Path) -> None:
    export(tmp_path, simulated(3, 1))
    [file] = (tmp_path / "training").rglob("part-0.parquet")
    numbers = pq.read_table(file, partitioning=None)["series_number"]
    assert numbers.unique().to_pylist() == [0, 1, 2]


@pytest.mark.thorough
def test_all_series_are_forecast_by_as_many_processes(tmp_path: Path) -> None:
    cost = night(tmp_path, simulated(2, 1), 1)
    assert (cost.series_count, cost.processes) == (2, 1)
    [file] = (tmp_path / "forecast_result").rglob("part-0.parquet")
    assert pq.read_table(file, partitioning=None).num_rows == 2
