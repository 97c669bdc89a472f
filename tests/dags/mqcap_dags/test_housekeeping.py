"""Housekeeping every week."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag


def test_the_store_is_checked_after_old_data_have_been_deleted(bag: BundleDagBag) -> None:
    housekeeping: Any = bag.dags["mqcap_housekeeping"]
    assert [task.task_id for task in housekeeping.topological_sort()] == ["prune", "check_store"]


def test_it_deletes_data_under_the_pool_of_the_lake(bag: BundleDagBag) -> None:
    housekeeping: Any = bag.dags["mqcap_housekeeping"]
    assert housekeeping.get_task("prune").pool == "mqcap_lake"
    assert housekeeping.timetable.expression == "0 12 * * 0"
