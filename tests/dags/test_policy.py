"""Policy over the DAG folder: what every DAG of ours must be and have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.airflow_home import CHECKOUT, fresh_environment  # isort: skip - before Airflow

from mqcap_dags.defaults import Tag

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

DAGS = CHECKOUT / "dags"
TASKS = {
    "mqcap_daily": {"wait_for_data", "land", "measure_and_forecast", "size", "alert"},
    "mqcap_reports": {"write"},
    "mqcap_housekeeping": {"check_store", "prune"},
    "mqcap_forecast_verification": {"record", "score"},
}
"""Tasks whose history belongs to their names."""


def test_dags_and_tasks_keep_their_names_and_so_their_history(bag: BundleDagBag) -> None:
    assert bag.import_errors == {}
    assert {dag_id: set(dag.task_ids) for dag_id, dag in bag.dags.items()} == TASKS


def test_parsing_imports_no_heavy_package_and_of_mqcap_only_errors_and_releases() -> None:
    program = """
import json, sys
from mqcap_dags import daily_capacity, forecast_verification, housekeeping, reports
import mqcap_dags.airflow_names, mqcap_dags.defaults, mqcap_dags.params, mqcap_dags.spark
heavy = {"pandas", "pyspark", "prophet", "numpy", "pyarrow", "matplotlib", "smtplib",
         "reportlab", "xlsxwriter"}
ours = {"mqcap", "forecasting", "sizing", "spark_apps", "devtools"}
print(json.dumps(sorted(m for m in sys.modules if m in heavy or m.partition(".")[0] in ours)))
"""
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env={**fresh_environment(), "PYTHONPATH": f"{DAGS}{os.pathsep}{CHECKOUT}"},
        capture_output=True,
        check=True,
        text=True,
        cwd=DAGS,
    )
    light = {"mqcap", "mqcap.domain", "mqcap.domain.errors", "mqcap.domain.shown_text"}
    light |= {"mqcap.installation", "mqcap.installation.airflow_needs"}
    assert set(json.loads(answer.stdout.splitlines()[-1])) <= light


def test_every_dag_says_what_it_does_and_runs_once_at_a_time(bag: BundleDagBag) -> None:
    allowed = {str(tag) for tag in Tag}
    for dag in bag.dags.values():
        for heading in ("Inputs", "Outputs", "How to rerun", "If it fails", "Whom to call"):
            assert f"**{heading}." in (dag.doc_md or ""), heading
        assert "day" not in dag.params, "all runs of a backfill would share it"
        assert {"capacity", "tier-2"} <= set(dag.tags) <= allowed
        assert (dag.catchup, dag.max_active_runs) == (False, 1)


def test_every_task_has_owner_retries_with_backoff_and_a_time_limit(bag: BundleDagBag) -> None:
    for dag in bag.dags.values():
        for task in dag.tasks:
            assert task.owner == "mq-capacity"
            assert task.retries
            assert task.retry_exponential_backoff > 1
            assert task.execution_timeout is not None
            assert task.on_failure_callback


def test_no_module_has_the_name_of_a_package_of_ours() -> None:
    packages = {path.parent.name for path in CHECKOUT.glob("*/__init__.py")} - {"dags"}
    files = [*DAGS.glob("*.py"), *(CHECKOUT / "plugins").glob("*.py")]
    assert not {file.stem for file in files} & packages
