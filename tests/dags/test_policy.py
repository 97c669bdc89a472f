"""Policy over the DAG folder: what every DAG of ours must be and have."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import warnings
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tests.airflow_home import CHECKOUT, fresh_environment  # isort: skip - before Airflow

from mqcap_dags.defaults import Tag
from pendulum import datetime as moment

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

DAGS = CHECKOUT / "dags"
DAILY = "mqcap_daily"
WEEKLY = "mqcap_weekly_backtest"
REPORTS = "mqcap_reports"
HOUSEKEEPING = "mqcap_housekeeping"
ORDER = (
    "wait_for_data",
    "land",
    "decode_and_aggregate",
    "observe",
    "forecast.export_training",
    "forecast.fit",
    "forecast.store_forecasts",
    "size",
    "alert",
)


@pytest.fixture(scope="module")
def bag() -> BundleDagBag:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Airflow's own use of what its dependencies deprecate
        from airflow.dag_processing.dagbag import BundleDagBag  # noqa: PLC0415 - warns

        return BundleDagBag(DAGS, bundle_path=DAGS, bundle_name="mqcap")


@pytest.fixture(scope="module")
def daily(bag: BundleDagBag) -> Any:
    return bag.dags[DAILY]


def test_every_dag_file_parses(bag: BundleDagBag) -> None:
    assert bag.import_errors == {}
    assert set(bag.dags) == {DAILY, WEEKLY, REPORTS, HOUSEKEEPING}


def test_parsing_imports_nothing_heavy_and_of_our_own_only_the_errors() -> None:
    program = """
import json, sys
import mq_capacity_dags, daily_capacity, reports, weekly_backtest
heavy = {"pandas", "pyspark", "prophet", "numpy", "pyarrow", "matplotlib", "plotly", "smtplib",
         "reportlab", "xlsxwriter"}
ours = {"domain", "settings", "store", "ingest", "simulator", "forecasting", "sizing", "alerting",
        "spark_apps", "pipeline"}
print(json.dumps(sorted(m for m in sys.modules if m in heavy or m.partition(".")[0] in ours)))
"""
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env={**fresh_environment(), "PYTHONPATH": str(DAGS)},
        capture_output=True,
        check=True,
        text=True,
        cwd=DAGS,
    )
    errors = {
        "mqcap", "mqcap.domain", "mqcap.domain.errors", "mqcap.domain.printable",
        "mqcap.domain.secrets",
    }  # fmt: skip
    assert set(json.loads(answer.stdout.splitlines()[-1])) <= errors


def test_every_dag_says_what_happens_when_it_fails(bag: BundleDagBag) -> None:
    for dag in bag.dags.values():
        for heading in ("Inputs", "Outputs", "How to rerun", "If it fails", "Whom to call"):
            assert f"**{heading}." in (dag.doc_md or ""), heading
        assert dag.description


def test_every_dag_carries_tags_of_the_list_only(bag: BundleDagBag) -> None:
    known = {str(tag) for tag in Tag}
    for dag in bag.dags.values():
        assert {"capacity", "tier-2"} <= set(dag.tags) <= known


def test_a_dag_never_catches_up_by_itself_and_runs_once_at_a_time(bag: BundleDagBag) -> None:
    for dag in bag.dags.values():
        assert dag.catchup is False
        assert dag.max_active_runs == 1


def test_every_task_has_owner_retries_with_backoff_and_a_time_limit(bag: BundleDagBag) -> None:
    for dag in bag.dags.values():
        for task in dag.tasks:
            assert task.owner == "mq-capacity"
            assert task.retries
            assert task.retry_exponential_backoff > 1
            assert task.execution_timeout is not None
            assert task.on_failure_callback


def test_pools_are_those_of_the_file_and_delivery_is_apart(daily: Any) -> None:
    declared = json.loads((DAGS / "pools.json").read_text(encoding="utf-8"))
    assert {pool["slots"] for pool in declared.values()} == {1}
    used = {task.task_id: task.pool for task in daily.tasks}
    assert used.pop("wait_for_data") == "default_pool"
    assert used.pop("alert") == "mqcap_delivery"
    assert set(used.values()) == {"mqcap_lake"}
    assert set(declared) == {"mqcap_lake", "mqcap_delivery"}


def test_the_steps_follow_each_other(daily: Any) -> None:
    assert tuple(task.task_id for task in daily.topological_sort()) == ORDER
    for earlier, later in pairwise(ORDER):
        assert daily.get_task(earlier).downstream_task_ids == {later}


def test_spark_tasks_submit_existing_applications_for_the_day(daily: Any) -> None:
    for task_id, name in (
        ("decode_and_aggregate", "load"),
        ("forecast.fit", "forecast"),
    ):
        task = daily.get_task(task_id)
        assert task.application == str(CHECKOUT / "spark_apps" / f"{name}.py")
        assert (CHECKOUT / "spark_apps" / f"{name}.py").is_file()
        assert task.application_args == ["--day", "{{ mqcap_day(dag_run, params) }}"]
        assert "{{ run_id }}" in task.name


def test_the_interval_of_a_run_is_one_utc_day(daily: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from airflow.timetables.interval import CronDataIntervalTimetable  # noqa: PLC0415 - warns

    declared = daily.timetable
    assert type(declared).__name__ == "CronDataIntervalTimetable"
    scheduled = CronDataIntervalTimetable(declared.expression, declared.timezone)
    interval = scheduled.infer_manual_data_interval(run_after=moment(2026, 3, 30, tz="UTC"))
    assert interval.start == moment(2026, 3, 29, tz="UTC")
    assert interval.end - interval.start == timedelta(days=1)


def test_parameters_are_described_and_have_defaults(daily: Any) -> None:
    assert set(daily.params) == {"day", "send", "wait_minutes"}
    for name in daily.params:
        assert daily.params.get_param(name).description
    assert daily.params.validate() == {"day": None, "send": "auto", "wait_minutes": 90}


def test_the_weekly_score_looks_at_the_days_before_the_end_of_its_interval(
    bag: BundleDagBag,
) -> None:
    weekly: Any = bag.dags[WEEKLY]
    assert [task.task_id for task in weekly.topological_sort()] == ["score", "record"]
    assert {asset.name for task in weekly.tasks for asset in task.outlets} == {
        "mqcap_forecast_score"
    }
    for task in weekly.tasks:
        assert task.op_args == ("{{ mqcap_last_day(dag_run, params) }}",)


def test_the_store_is_checked_after_what_is_old_has_gone(bag: BundleDagBag) -> None:
    weekly: Any = bag.dags[HOUSEKEEPING]
    assert [task.task_id for task in weekly.topological_sort()] == ["prune", "check_store"]


def test_no_module_has_the_name_of_a_package_of_ours() -> None:
    packages = {path.parent.name for path in CHECKOUT.glob("*/__init__.py")} - {"dags"}
    files = [*DAGS.glob("*.py"), *(CHECKOUT / "plugins").glob("*.py")]
    assert not {file.stem for file in files} & packages


def test_each_step_task_is_named_after_the_function_that_it_calls(daily: Any) -> None:
    for task in daily.tasks:
        function = getattr(task, "python_callable", None)
        if function is not None:
            name = task.task_id.rpartition(".")[2]
            assert f"steps.{name}(" in inspect.getsource(function)


def test_tasks_that_change_data_announce_it(daily: Any) -> None:
    announced = {asset.name for task in daily.tasks for asset in task.outlets}
    assert announced == {
        "mqcap_sections",
        "mqcap_metric_hourly",
        "mqcap_observation_daily",
        "mqcap_forecast",
        "mqcap_finding",
    }
