"""The night that forecasts simulated metrics."""

from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from devtools.benchmarks.forecast.night import CUTOFF, SIMULATED, Limit, export, night
from devtools.benchmarks.forecast.outcomes import limits_of


@pytest.fixture
def items(tmp_path: Path) -> list[Limit]:
    folder = tmp_path / SIMULATED.folder
    folder.mkdir()
    days = pd.date_range("2025-01-01", "2025-06-30")
    names = ("a", "b", "c")
    history = [
        pd.DataFrame({"unique_id": name, "ds": days, "y": number + np.arange(len(days)) % 7})
        for number, name in enumerate(names, start=1)
    ]
    pd.concat(history).to_csv(folder / "history.csv.gz", index=False)
    truth = pd.DataFrame({"unique_id": names, "origin": "2025-06-30", "metric": "log_mb_hour"})
    truth.assign(threshold=99.0, days=np.nan).to_csv(folder / "truth_day.csv", index=False)
    return limits_of(tmp_path, SIMULATED, 1)


def test_every_series_is_exported_once_up_to_the_cutoff(items: list[Limit], tmp_path: Path) -> None:
    export(tmp_path, items)
    [file] = (tmp_path / "training").rglob("part-0.parquet")
    made = pq.read_table(file, partitioning=None).to_pandas()
    assert made["series_number"].unique().tolist() == [0, 1, 2]
    assert (
        made.groupby("series_id")["site_date"].agg(["min", "max", "count"]).to_numpy().tolist()
        == [[date(2026, 1, 1), CUTOFF, 181]] * 3
    )
    assert made["value"].iloc[:3].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.thorough
def test_all_series_are_forecast_by_as_many_processes(items: list[Limit], tmp_path: Path) -> None:
    count, _ = night(tmp_path, items[:2], 1)
    assert count == 2
    [file] = (tmp_path / "forecast_result").rglob("part-0.parquet")
    assert pq.read_table(file, partitioning=None).num_rows == 2
