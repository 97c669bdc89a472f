"""The daily DAG: order of its steps, pools, Spark applications, interval, parameters, assets."""

from __future__ import annotations

import inspect
import warnings
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from pendulum import datetime as moment

from mqcap.installation.airflow_needs import declared_pools
from tests.airflow_home import CHECKOUT

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

ORDER = ("wait_for_data", "land", "measure_and_forecast", "size", "alert")


@pytest.fixture(scope="module")
def daily(bag: BundleDagBag) -> Any:
    return bag.dags["mqcap_daily"]


def test_pools_are_those_of_the_file_and_delivery_is_apart(daily: Any) -> None:
    declared = {pool.name: pool.slots for pool in declared_pools()}
    assert set(declared.values()) == {1}
    used = {task.task_id: task.pool for task in daily.tasks}
    assert used.pop("wait_for_data") == "default_pool"
    assert used.pop("alert") == "mqcap_delivery"
    assert set(used.values()) == {"mqcap_lake"}
    assert set(declared) == {"mqcap_lake", "mqcap_delivery"}


def test_the_steps_follow_each_other(daily: Any) -> None:
    assert tuple(task.task_id for task in daily.topological_sort()) == ORDER
    for earlier, later in pairwise(ORDER):
        assert daily.get_task(earlier).downstream_task_ids == {later}


def test_what_runs_on_spark_is_one_application_for_the_day(daily: Any) -> None:
    task = daily.get_task("measure_and_forecast")
    assert task.application == str(CHECKOUT / "mqcap" / "steps" / "on_spark.py")
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


def test_each_step_task_is_named_after_the_function_that_it_calls(daily: Any) -> None:
    for task in daily.tasks:
        function = getattr(task, "python_callable", None)
        if function is not None:
            name = task.task_id.rpartition(".")[2]
            assert f"runner.{name}(" in inspect.getsource(function)


def test_tasks_that_change_data_announce_it(daily: Any) -> None:
    announced = {task.task_id: {asset.uri for asset in task.outlets} for task in daily.tasks}
    assert {task: outlets for task, outlets in announced.items() if outlets} == {
        "measure_and_forecast": {
            "mqcap://lake/section",
            "mqcap://lake/metric_hourly",
            "mqcap://store/observation_daily",
            "mqcap://store/forecast",
        },
        "size": {"mqcap://store/finding"},
        "alert": {"mqcap://store/problem"},
    }
