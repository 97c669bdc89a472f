"""Few series are forecast by processes of this machine, with the bytes of Spark."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqcap.settings import Settings, SparkSettings
from spark_apps.forecast import forecast, hold_out, main
from spark_apps.forecast_few import without_spark
from spark_apps.forecast_work import forecast_work
from tests.spark_apps.test_forecast import CUTOFF, OPTIONS, SERIES, export

pytestmark = pytest.mark.spark


def settings(lake: Path, limit: int) -> Settings:
    """Settings of two processes that forecast so many series without Spark."""
    options = OPTIONS.model_copy(update={"series_without_spark": limit})
    spark = SparkSettings(master="local[2]")
    return Settings(lake=str(lake), estate=(), forecast=options, spark=spark)


def files(lake: Path) -> dict[str, bytes]:
    """Contents of the results by path, those of rolling origins too."""
    found = [file for name in ("forecast_result", "hold_out_result") for file in
             (lake / name).rglob("*") if file.is_file()]  # fmt: skip
    return {str(file.relative_to(lake)): file.read_bytes() for file in found}


def test_processes_write_the_bytes_of_spark_and_count_alike(
    spark: SparkSession, tmp_path: Path
) -> None:
    here, there = tmp_path / "processes", tmp_path / "spark"
    for dataset in ("training", "hold_out_training"):
        export(there, dataset)
    shutil.copytree(there, here)
    counts = forecast(spark, OPTIONS, forecast_work(there, OPTIONS, CUTOFF))
    counts |= hold_out(spark, there, OPTIONS)
    assert without_spark(settings(here, 2 * len(SERIES)), CUTOFF) == counts
    assert files(here) == files(there)
    assert len(files(here)) == 4


def test_more_series_than_the_limit_wait_for_spark(tmp_path: Path) -> None:
    export(tmp_path)
    assert without_spark(settings(tmp_path, len(SERIES) - 1), CUTOFF) is None
    assert files(tmp_path) == {}
    assert without_spark(settings(tmp_path, len(SERIES)), CUTOFF) is not None
    export(tmp_path, "hold_out_training")
    assert without_spark(settings(tmp_path, 2 * len(SERIES) - 1), CUTOFF) is None
    assert without_spark(settings(tmp_path, 2 * len(SERIES) + 1), CUTOFF) is not None


def test_the_application_starts_no_session_for_few_series(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(tmp_path)
    monkeypatch.setenv("MQCAP_SPARK__MASTER", "spark://nobody:1")
    monkeypatch.setenv("MQCAP_FORECAST__HORIZON_DAYS", "30")
    counts = main(["--day", str(CUTOFF), "--lake", str(tmp_path)])
    assert counts["series"] == len(SERIES)
    assert (tmp_path / "forecast_result" / f"cutoff_date={CUTOFF}" / "_SUCCESS").is_file()
