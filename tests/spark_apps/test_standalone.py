"""The apps through ``spark-submit`` on a standalone master and worker on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import spark_apps
from mqcap.domain.datasets import FORECAST_RESULT
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import decode_and_aggregate, forecast
from spark_apps.runtime.java import java_environment
from tests.spark_apps.lakes import hourly_table, land, simulated
from tests.spark_apps.test_forecast import CUTOFF, SERIES, export

pytestmark = pytest.mark.spark

START_SECONDS = 120
APP_SECONDS = 300
APPS = Path(spark_apps.__file__).parent
SPARK_BIN = Path(java_environment()["SPARK_HOME"]) / "bin"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, **java_environment(), "SPARK_WORKER_DIR": str(tmp_path / "worker")}


@pytest.fixture
def master(tmp_path: Path, environment: dict[str, str]) -> Iterator[str]:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"spark://127.0.0.1:{port}"
    host = ["--host", "127.0.0.1", "--webui-port", "0"]
    roles = {
        "master": ["master.Master", *host, "--port", str(port)],
        "worker": ["worker.Worker", *host, "--cores", "2", "--memory", "2g", address],
    }
    with ExitStack() as stack:
        for name, (role, *arguments) in roles.items():
            log = stack.enter_context((tmp_path / f"{name}.log").open("wb"))
            process = subprocess.Popen(
                [SPARK_BIN / "spark-class", f"org.apache.spark.deploy.{role}", *arguments],
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
            stack.callback(process.wait, timeout=START_SECONDS)
            stack.callback(process.terminate)
            _wait_for(port, process)
        yield address


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.fail(f"nothing listens on port {port}")


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
    for app in ("decode", "aggregate", "forecast"):
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
