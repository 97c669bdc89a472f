"""Simulated metrics with limits and truth, and the night that forecasts them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from devtools.benchmarks.forecast.night import NightCost, export, night
from devtools.benchmarks.forecast.simulated import LENGTHS, Simulated, roughness, simulated, write


@pytest.fixture(scope="module")
def items() -> list[Simulated]:
    return simulated(60, seed=4)


def test_a_seed_gives_the_same_metrics(items: list[Simulated]) -> None:
    again = simulated(3, seed=4)
    assert [one.unique_id for one in again] == [one.unique_id for one in items[:3]]
    assert np.array_equal(again[2].observed, items[2].observed, equal_nan=True)
    assert simulated(1, seed=5)[0].threshold != items[0].threshold


def test_each_limit_is_dated_by_the_first_single_day(items: list[Simulated]) -> None:
    for item in items:
        assert len(item.observed) in LENGTHS
        over = np.flatnonzero(item.coming >= item.threshold)
        assert np.isnan(item.days) if not over.size else item.days == over[0] + 1


def test_it_is_rougher_than_cash_machines_and_smoother_than_name_servers(
    items: list[Simulated],
) -> None:
    table = pd.DataFrame([roughness(one.observed) for one in items if len(one.observed) > 200])
    assert 0.10 < table["level_change_30"].median() < 0.42
    assert 0.02 < table["weekday_share"].median() < 0.5


def test_the_files_are_those_of_real_limits(items: list[Simulated], tmp_path: Path) -> None:
    write(items, tmp_path)
    history = pd.read_csv(tmp_path / "history.csv.gz")
    assert len(history) == sum(int(np.isfinite(one.observed).sum()) for one in items)
    truth = pd.read_csv(tmp_path / "truth_day.csv")
    assert truth["threshold"].tolist() == [one.threshold for one in items]
    assert truth["entity"].nunique() < len(items)


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
