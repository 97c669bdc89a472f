"""What is to be decided: a row per resource, and its options in the workbook."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from mqcap.queries.summaries import plan_summaries_on
from mqcap.reports.document import Cell
from mqcap.reports.sections.decisions import decisions
from mqcap.reports.sections.options import options
from mqcap.settings import Settings
from mqcap.store.observations import replace_observations
from mqcap.store.plans import replace_plans
from tests.factories import DAY, finding, observation
from tests.mqcap.reports.builders import basis, texts
from tests.plan_factories import plan, plan_change, plan_rule


def test_a_row_has_the_figure_the_course_the_change_and_the_day(tmp_path: Path) -> None:
    days = [observation(site_date=DAY - timedelta(days=back)) for back in range(14)]
    with basis(tmp_path, [finding()]) as made:
        replace_plans(made.engine, DAY, [plan(rules=(plan_rule("LOG-FILL-30MIN"),))])
        replace_observations(made.engine, [day.site_date for day in days], days, {})
        rows = plan_summaries_on(made.engine, DAY, Settings())
        section = decisions(made._replace(rows=rows))
    [row] = section.tables[0].rows
    assert [cell.text for cell in row] == [
        "▲ Act", "CSQ1 active logs", "4,320 of 2,002 MB/hour", "", "now", "16 x CYL(5825)",
        "16 Mar 2026", "Payments MQ team",
    ]  # fmt: skip
    assert row[3].png.startswith(b"\x89PNG")
    [course] = section.courses
    assert len(course.measured) == 2


def test_every_option_is_a_row_of_the_workbook_with_its_cost_as_numbers(tmp_path: Path) -> None:
    other = plan(changes=(plan_change(typed="COMPLOG(RLE)"),))
    with basis(tmp_path, [finding()]) as made:
        replace_plans(made.engine, DAY, [plan(options=(other,))])
        section = options(made._replace(rows=plan_summaries_on(made.engine, DAY, Settings())))
    [table] = section.tables
    headings = [column.heading for column in table.columns]
    assert {"option", "change", "cylinders", "work hours"} <= set(headings)
    assert "engines" not in headings
    assert [row[headings.index("change")] for row in texts(table)] == [
        "16 x CYL(5825)", "COMPLOG(RLE)",
    ]  # fmt: skip
    cell: Cell = table.rows[0][headings.index("cylinders")]
    assert cell.value == 139_792
