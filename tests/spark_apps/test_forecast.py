from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mqcap.domain.errors import InputError
from mqcap.domain.forecast import Forecast
from mqcap.settings import ForecastSettings
from spark_apps.forecast import exports, forecast, forecast_options, main, row_groups

pytestmark = pytest.mark.spark

CUTOFF = date(2025, 6, 30)
OPTIONS = forecast_options(ForecastSettings(horizon_days=30))
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
    table = pa.Table.from_pylist(rows).cast(_ROWS)
    pq.write_table(table, folder / "part-0.parquet", row_group_size=50)


_ROWS = pa.schema(
    {"series_id": pa.string(), "statistic": pa.string(), "site_date": pa.date32(),
     "value": pa.float64(), "ceiling": pa.float64(), "country": pa.string(),
     "series_number": pa.int32()}
)  # fmt: skip
"""Without calendar, changes and driver, as an export of a site that has none."""


def made(spark: SparkSession, lake: Path) -> int:
    return forecast(spark, exports(lake, CUTOFF)[0], OPTIONS)


def documents(lake: Path) -> list[str]:
    folder = lake / "forecast_result" / f"cutoff_date={CUTOFF}"
    return list(pq.read_table(folder, partitioning=None)["document"].to_pylist())


def test_every_series_gets_a_forecast_or_a_reason_and_a_rerun_the_same(
    spark: SparkSession, tmp_path: Path
) -> None:
    export(tmp_path)
    [_, *others] = row_groups(exports(tmp_path, CUTOFF)[0].source)
    assert len(others) > len(SERIES)
    left = tmp_path / "forecast_result" / f".cutoff_date={CUTOFF}.123"
    left.mkdir(parents=True)
    assert made(spark, tmp_path) == len(SERIES)
    assert not left.exists()
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
    assert made(spark, tmp_path) == len(SERIES)
    assert documents(tmp_path) == first


def test_rolling_origins_that_were_exported_are_forecast_apart(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path))
    export(tmp_path)
    assert main(["--day", f"{CUTOFF}"]) == {"series": 3}
    export(tmp_path, "hold_out_training")
    assert main(["--day", f"{CUTOFF}"]) == {"series": 3, "hold_out_days": 1}
    folder = tmp_path / "hold_out_result" / f"cutoff_date={CUTOFF}"
    assert (folder / "_SUCCESS").is_file()


def test_without_training_data_the_error_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exports it first"):
        exports(tmp_path, CUTOFF)


def test_a_day_without_series_has_no_forecasts(spark: SparkSession, tmp_path: Path) -> None:
    export(tmp_path)
    [file] = (tmp_path / "training").rglob("*.parquet")
    pq.ParquetWriter(file, pq.read_schema(file)).close()
    assert made(spark, tmp_path) == 0
    assert documents(tmp_path) == []
    assert [*(tmp_path / "forecast_result").rglob("_SUCCESS")]
