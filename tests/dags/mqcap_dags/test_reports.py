"""Reports as files, every morning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag


@pytest.fixture(scope="module")
def reports(bag: BundleDagBag) -> Any:
    return bag.dags["mqcap_reports"]


def test_one_task_writes_the_reports_of_the_day(reports: Any) -> None:
    [task] = reports.tasks
    assert task.task_id == "write"
    assert task.op_args == ("{{ mqcap_day(dag_run, params) }}", "{{ params.kind }}")


def test_it_runs_after_the_daily_dag_and_tries_again_while_the_day_has_no_findings(
    reports: Any,
) -> None:
    assert reports.timetable.expression == "0 6 * * *"
    [task] = reports.tasks
    assert (task.retries, task.retry_delay.total_seconds()) == (5, 600)


def test_the_kind_is_one_of_the_reports_or_whatever_is_due(reports: Any) -> None:
    kind = reports.params.get_param("kind")
    assert kind.value == "due"
    assert kind.schema["enum"] == ["due", "daily", "weekly", "monthly"]
