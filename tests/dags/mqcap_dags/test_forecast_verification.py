"""Forecast verification every week."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag


def test_it_covers_the_days_before_the_end_of_its_interval(bag: BundleDagBag) -> None:
    weekly: Any = bag.dags["mqcap_forecast_verification"]
    assert [task.task_id for task in weekly.topological_sort()] == ["score", "record"]
    assert {asset.name for task in weekly.tasks for asset in task.outlets} == {
        "mqcap_forecast_score"
    }
    for task in weekly.tasks:
        assert task.op_args == ("{{ mqcap_last_day(dag_run, params) }}",)


def test_it_runs_every_sunday_morning(bag: BundleDagBag) -> None:
    timetable: Any = bag.dags["mqcap_forecast_verification"].timetable
    assert timetable.expression == "0 6 * * 0"
