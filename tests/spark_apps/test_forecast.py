from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.domain.forecast import Forecast
from mqcap.settings import ForecastSettings
from spark_apps.forecast import forecast, hold_out, main
from spark_apps.forecast_batches import batch_count
from spark_apps.forecast_work import forecast_work

pytestmark = pytest.mark.spark

CUTOFF = date(2025, 6, 30)
OPTIONS = ForecastSettings(horizon_days=30, series_per_batch=2)
SERIES = {
    "log_growth_mib_per_s/PLEX1/CSQ1": 120,
    "cf_busy_pct/PLEX1/CF01": 90,
    "cf_busy_pct/PLEX1/CF02": 5,
}
"""Days of history of each series; the last one has too few."""


def export(lake: Path, dataset: str = "training") -> None:
    rows = [
        {
            "series_id": name,
            "statistic": "peak",
            "site_date": CUTOFF - timedelta(days=back),
            "value": 20.0 - back * 0.05 + (back % 7 == 0),
            "ceiling": 100.0 if name.startswith("cf_") else None,
            "country": "DK" if name.startswith("cf_") else None,
            "series_number": sorted(SERIES).index(name),
        }
        for name, days in sorted(SERIES.items())
        for back in range(days)
    ]
    folder = lake / dataset / f"cutoff_date={CUTOFF}"
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "part-0.parquet")


def documents(lake: Path) -> list[str]:
    folder = lake / "forecast_result" / f"cutoff_date={CUTOFF}"
    result: list[str] = []
    for file in sorted(folder.glob("*.parquet")):
        result.extend(pq.read_table(file, partitioning=None)["document"].to_pylist())
    return result


def test_every_series_gets_a_forecast_or_a_reason_and_a_rerun_the_same(
    spark: SparkSession, tmp_path: Path
) -> None:
    export(tmp_path)
    assert forecast(spark, OPTIONS, forecast_work(tmp_path, OPTIONS, CUTOFF))["series"] == len(
        SERIES
    )
    first = documents(tmp_path)
    result = {item.series_id: item for item in map(Forecast.model_validate_json, first)}
    assert list(result) == sorted(SERIES)
    assert {name: len(item.points) for name, item in result.items()} == {
        "cf_busy_pct/PLEX1/CF01": 30,
        "cf_busy_pct/PLEX1/CF02": 0,
        "log_growth_mib_per_s/PLEX1/CSQ1": 30,
    }
    assert result["cf_busy_pct/PLEX1/CF02"].refusal
    assert all(point.site_date > CUTOFF for item in result.values() for point in item.points)
    forecast(spark, OPTIONS, forecast_work(tmp_path, OPTIONS, CUTOFF))
    assert documents(tmp_path) == first


def test_rolling_origins_that_were_exported_are_forecast_apart(
    spark: SparkSession, tmp_path: Path
) -> None:
    assert hold_out(spark, tmp_path, OPTIONS) == {}
    export(tmp_path, "hold_out_training")
    assert hold_out(spark, tmp_path, OPTIONS) == {"hold_out_days": 1}
    folder = tmp_path / "hold_out_result" / f"cutoff_date={CUTOFF}"
    assert (folder / "_SUCCESS").is_file()
    assert not (tmp_path / "forecast_result").exists()


def test_without_training_data_the_error_says_what_to_run(
    spark: SparkSession, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="exports it first"):
        forecast(spark, OPTIONS, forecast_work(tmp_path, OPTIONS, CUTOFF))


def test_a_day_without_series_has_no_forecasts(spark: SparkSession, tmp_path: Path) -> None:
    export(tmp_path)
    [file] = (tmp_path / "training").rglob("*.parquet")
    pq.write_table(pq.read_table(file).slice(0, 0), file)
    assert forecast(spark, OPTIONS, forecast_work(tmp_path, OPTIONS, CUTOFF))["series"] == 0
    assert documents(tmp_path) == []


def test_a_forecast_needs_a_day() -> None:
    with pytest.raises(ConfigurationError, match="--day"):
        main([])


@pytest.mark.parametrize(
    ("series", "per_batch", "cores", "batches"),
    [(0, 32, 2, 1), (3, 32, 2, 3), (50, 32, 2, 8), (1_000, 32, 2, 32)],
)
def test_batches_are_small_enough_and_enough_for_all_cores(
    series: int, per_batch: int, cores: int, batches: int
) -> None:
    assert batch_count(series, per_batch, cores) == batches
