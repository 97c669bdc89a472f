"""The apps through ``spark-submit`` on a standalone master and worker on loopback."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import spark_apps
from mqcap.domain.datasets import FORECAST_RESULT
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import decode_and_aggregate, forecast
from spark_apps.runtime.java import java_environment
from tests.spark_apps.cluster import SPARK_BIN, cluster
from tests.spark_apps.lakes import hourly_table, land, simulated
from tests.spark_apps.test_forecast import CUTOFF, SERIES, export

pytestmark = pytest.mark.spark

APP_SECONDS = 300
APPS = Path(spark_apps.__file__).parent


@pytest.fixture
def environment() -> dict[str, str]:
    return {**os.environ, **java_environment()}


@pytest.fixture
def master(tmp_path: Path, environment: dict[str, str]) -> Iterator[str]:
    with cluster(tmp_path / "spark", environment, workers=1, cores=2) as address:
        yield address


def test_a_cluster_gives_the_rows_of_local_mode(
    tmp_path: Path,
    environment: dict[str, str],
    master: str,
    spark: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    estate = simulated(tmp_path / "estate")
    files = [*estate.dumps, *estate.console_logs]
    here, there = tmp_path / "local", tmp_path / "cluster"
    monkeypatch.setenv(FILE_VARIABLE, str(estate.settings_file))
    for lake in (here, there):
        land(lake, files)
        export(lake)
    for app in ("decode_and_aggregate", "forecast"):
        submit = [str(SPARK_BIN / "spark-submit"), "--master", master]
        options = ["--conf", "spark.driver.host=127.0.0.1"]
        application = [str(APPS / f"{app}.py"), "--lake", str(there), "--day", str(CUTOFF)]
        done = subprocess.run(
            [*submit, *options, *application],
            env={**environment, FILE_VARIABLE: str(estate.settings_file)},
            capture_output=True,
            text=True,
            timeout=APP_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4_000:]
    decode_and_aggregate.main(["--lake", str(here)])
    forecast.main(["--lake", str(here), "--day", str(CUTOFF)])
    assert hourly_table(there).equals(hourly_table(here))
    assert forecasts(there).equals(forecasts(here))
    assert forecasts(here).num_rows == len(SERIES)


def forecasts(lake: Path) -> pa.Table:
    """Documents and stored models of all series, in order."""
    folder = lake / FORECAST_RESULT.name / f"cutoff_date={CUTOFF}"
    files = sorted(folder.glob("*.parquet"))
    return pa.concat_tables(pq.read_table(file, partitioning=None) for file in files)
