"""Tables of plans: their rows, and totals that are the sums of the plans."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.plan import PlanCost, total_cost
from mqcap.reports.document import ReportFormat, Section, Table
from mqcap.reports.plan_tables import plans_table, totals_by_month, totals_by_owner
from mqcap.reports.write import as_bytes
from tests.factories import DAY, acknowledgement
from tests.mqcap.reports.builders import Workbook, report, texts
from tests.plan_factories import plan

PARTS = {
    "cylinders": "3390 cylinders",
    "dasd_mib": "DASD, MiB",
    "real_storage_mib": "Real storage, MiB",
    "above_bar_mib": "Virtual storage above the bar, MiB",
    "cf_storage_mib": "CF storage, MiB",
    "engines": "CF engines",
    "chinit_restarts": "CHINIT restarts",
    "queue_manager_restarts": "Queue manager restarts",
    "ipls": "IPLs",
    "file_system_mib": "File systems, MiB",
    "work_hours": "Hours of work",
}
COSTS = st.builds(PlanCost, **{name: st.integers(0, 500_000) for name in PARTS})


def values(table: Table, heading: str) -> list[float]:
    """Return the figures below a heading, the rows of totals included."""
    result = [index for index, column in enumerate(table.columns) if column.heading == heading]
    figures = [row[index].value for row in table.rows for index in result]
    return [figure for figure in figures if isinstance(figure, float)]


def test_a_part_of_the_cost_that_no_plan_has_gets_no_column() -> None:
    headings = [column.heading for column in plans_table([plan()]).columns]
    assert [part for part in PARTS.values() if part in headings] == [
        "3390 cylinders", "DASD, MiB", "Hours of work",
    ]  # fmt: skip


def test_dasd_until_old_logs_are_deleted_has_a_column_where_logs_are_replaced() -> None:
    replacing = plan(cost=PlanCost(cylinders=100, replaced_cylinders=20))
    adding = plan(cost=PlanCost(cylinders=30))
    table = totals_by_month([replacing, adding])
    assert values(table, "Peak cylinders") == [150.0] * 5
    assert values(totals_by_month([adding]), "Peak cylinders") == []
    rows = plans_table([replacing, adding]).rows
    notes = [[cell.note for cell in row if cell.note.startswith("peak")] for row in rows]
    assert notes == [["peak 120"], []]


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
    production = total_cost(item.cost for item in plans if item.is_production)
    for table in (totals_by_month(plans), totals_by_owner(plans)):
        for name, heading in PARTS.items():
            found = values(table, heading)
            if not found:
                continue
            *groups, first, mandatory_first, last, mandatory_last = found
            assert first == mandatory_first == getattr(production, name)
            assert last == mandatory_last == getattr(every, name)
            notes = [row[0].note for row in table.rows]
            pairs = list(zip(notes, groups, strict=False))
            assert sum(value for note, value in pairs if note == "production") == first
            names = [row[0].text for row in table.rows[: len(groups)]]
            of_all = dict(zip(names, groups, strict=True))
            assert sum(of_all.values()) == last


def test_what_is_not_of_production_is_named_in_plans_and_totals() -> None:
    plans = [
        plan(owner="A"),
        plan(owner="A", is_production=False),
        plan(owner="B", is_production=False),
    ]
    assert texts(plans_table(plans))[1][1] == "CSQ1 active logs (not production)"
    assert [(row[0].text, row[0].note, row[1].text) for row in totals_by_owner(plans).rows] == [
        ("A", "production", "1"),
        ("A", "all", "2"),
        ("B", "all, none of production", "1"),
        ("Production", "", "1"),
        ("Production", "with what is recommended", "1"),
        ("All, with other systems", "", "3"),
        ("All, with other systems", "with what is recommended", "3"),
    ]


def test_an_acknowledged_plan_says_so_beside_its_owner() -> None:
    one = plan()
    table = plans_table([one], {one.resource: acknowledgement()})
    assert table.rows[0][4].note.startswith("Acknowledged")
    assert plans_table([one]).rows[0][4].note == ""


def test_months_follow_each_other_across_years() -> None:
    late, early = plan(due_date=date(2027, 1, 5)), plan(due_date=date(2026, 12, 5))
    table = totals_by_month([late, early])
    assert [row[0].text for row in table.rows[:2]] == ["December 2026", "January 2027"]


def test_a_workbook_has_a_sheet_of_plans_with_numbers_as_numbers() -> None:
    section = Section(heading="Changes to request", tables=(plans_table([plan()]),))
    book = Workbook(as_bytes(report(section), ReportFormat.xlsx))
    assert "Plans" in book.sheets
    sheet = book.sheets.index("Plans") + 1
    cells = book.places(sheet)
    assert {139_792.0, 98_291.0, 10.0} <= {
        cell for cell in cells.values() if isinstance(cell, float)
    }
