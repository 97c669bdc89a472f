"""Runs of DAGs and steps of a day as a model."""

from __future__ import annotations

from typing import Any

import pytest

from mq_capacity_page.pages.runs.view import DagRunRow, runs_view, step_row
from mq_capacity_page.web.context import PageContext
from mqcap.store.step_runs import save_step_run
from tests import factories
from tests.plugins import builder


def row(**changed: Any) -> DagRunRow:
    values: dict[str, Any] = {
        "dag_id": "mqcap_daily",
        "run_id": "manual/1 2",
        "kind": "manual",
        "state": "success",
        "started": None,
        "seconds": None,
        "day": None,
    }
    return DagRunRow(**values | changed)


def test_the_address_of_a_run_is_quoted() -> None:
    assert row().address == "../dags/mqcap_daily/runs/manual%2F1%202"


def test_steps_are_those_of_the_day(context: PageContext) -> None:
    save_step_run(context.engine, factories.step_run(site_date=builder.DAY))
    view = runs_view(context, builder.DAY, [row()])
    assert len(view.runs) == len(view.steps) == 1
    assert list(runs_view(context, builder.DAY.replace(day=1), []).steps) == []


def test_before_the_first_evaluated_day_there_are_no_steps(empty_context: PageContext) -> None:
    assert list(runs_view(empty_context, None, []).steps) == []


@pytest.mark.parametrize(
    ("rejected", "counts", "remarks"),
    [
        ([], "files read 3, rejected 0", ()),
        (["a.smf: no records"], "files read 3, rejected 1", ("a.smf: no records",)),
    ],
    ids=["none", "one"],
)
def test_a_list_among_the_counts_of_a_step_is_counted_and_its_items_follow(
    rejected: list[str], counts: str, remarks: tuple[str, ...]
) -> None:
    row = step_row(factories.step_run(counts={"files_read": 3, "rejected": rejected}))
    assert (row.counts, row.remarks) == (counts, remarks)
