"""Addresses of a row, and text in one line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mqcap.notifications.problem_text import link_lines, one_line
from tests.factories import finding
from tests.mqcap.notifications.builders import resource_group
from tests.plan_factories import plan


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


def test_a_row_leads_to_its_plan_its_chart_and_its_arithmetic() -> None:
    row = resource_group(finding(), plan=plan(worst_rule="LOG-FILL-30MIN")).row
    lines = link_lines(row, "http://host/")
    assert [line.partition("&")[0] for line in lines] == [
        "Plan: http://host/resource?path=PLEX1%2FCSQ1%2Factive_log",
        "Chart: http://host/series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1",
        "How computed: http://host/finding?rule=LOG-FILL-30MIN",
    ]
    assert link_lines(row, "") == []
