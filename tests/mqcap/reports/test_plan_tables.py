"""Totals of plans: they are the sums of the plans."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.plan import PlanCost, total_cost
from mqcap.reports.document import Table
from mqcap.reports.plan_tables import totals_by_month, totals_by_owner
from tests.factories import DAY
from tests.plan_factories import plan

PARTS = {
    "cylinders": "Cylinders",
    "real_storage_mib": "Real storage, MiB",
    "above_bar_mib": "Virtual, MiB",
    "cf_storage_mib": "CF storage, MiB",
    "engines": "CF engines",
    "chinit_restarts": "Chinit restarts",
    "queue_manager_restarts": "Restarts",
    "ipls": "IPLs",
    "file_system_mib": "Disk, MiB",
    "work_hours": "Hours",
}
COSTS = st.builds(PlanCost, **{name: st.integers(0, 500_000) for name in PARTS})


def values(table: Table, heading: str) -> list[float]:
    """Return the figures below a heading, the rows of totals included."""
    result = [index for index, column in enumerate(table.columns) if column.heading == heading]
    figures = [row[index].value for row in table.rows for index in result]
    return [figure for figure in figures if isinstance(figure, float)]


def test_a_part_of_the_cost_that_no_plan_has_gets_no_column() -> None:
    headings = [column.heading for column in totals_by_owner([plan()]).columns]
    assert headings == ["Owner", "Plans", "Cylinders", "Hours"]


def test_dasd_until_old_logs_are_deleted_has_a_column_where_logs_are_replaced() -> None:
    replacing = plan(cost=PlanCost(cylinders=100, replaced_cylinders=20))
    adding = plan(cost=PlanCost(cylinders=30))
    assert values(totals_by_owner([replacing, adding]), "Peak cylinders") == [150.0]
    assert values(totals_by_owner([adding]), "Peak cylinders") == []


@pytest.mark.thorough
@given(
    st.lists(
        st.tuples(COSTS, st.integers(0, 400), st.sampled_from(["", "A", "B"]), st.booleans()),
        min_size=1,
    )
)
def test_the_totals_are_the_sums_of_the_plans_of_production_and_of_all(
    made: list[tuple[PlanCost, int, str, bool]],
) -> None:
    plans = [
        plan(cost=cost, due_date=DAY + timedelta(days=ahead), owner=owner, is_production=own)
        for cost, ahead, owner, own in made
    ]
    every = total_cost(item.cost for item in plans)
    own = [item for item in plans if item.is_production]
    production = total_cost(item.cost for item in own)
    for name, heading in PARTS.items():
        if not any(getattr(item.cost, name) for item in plans):
            continue
        assert sum(values(totals_by_owner(plans), heading)) == getattr(every, name)
        months = {item.due_date.replace(day=1) for item in plans}
        found = values(totals_by_month(plans), heading)
        groups, sums = found[: len(months)], found[len(months) :]
        assert sum(groups) == getattr(every, name)
        assert sums[:2] == [getattr(production, name)] * 2
        assert sums[2:] == ([getattr(every, name)] if len(own) < len(plans) else [])


def test_months_follow_each_other_across_years() -> None:
    late, early = plan(due_date=date(2027, 1, 5)), plan(due_date=date(2026, 12, 5))
    table = totals_by_month([late, early])
    assert [row[0].text for row in table.rows[:2]] == ["December 2026", "January 2027"]
