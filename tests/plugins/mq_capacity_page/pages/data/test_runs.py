"""Runs of DAGs and steps of a day as a model."""

from __future__ import annotations

from typing import Any

import pytest

from mq_capacity_page.pages.data.runs import FIRST_REMARKS, DagRunRow, step_row
from tests import factories


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


@pytest.mark.parametrize(
    ("number", "first", "more"),
    [(FIRST_REMARKS - 1, 2, 0), (FIRST_REMARKS, 3, 0), (FIRST_REMARKS + 1, 3, 1)],
)
def test_a_list_among_the_counts_is_counted_and_its_first_items_follow(
    number: int, first: int, more: int
) -> None:
    rejected = [f"{name}.smf: no records" for name in range(number)]
    row = step_row(factories.step_run(counts={"files_read": 3, "files_rejected": rejected}))
    assert row.counts == f"files read 3, files rejected {number}"
    [remarks] = row.remarks
    assert (remarks.name, len(remarks.first), len(remarks.more)) == ("files rejected", first, more)
    assert [*remarks.first, *remarks.more] == rejected


def test_an_empty_list_has_no_remarks() -> None:
    row = step_row(factories.step_run(counts={"files_read": 3, "rejected": []}))
    assert (row.counts, row.remarks) == ("files read 3, rejected 0", ())
