"""The plan of one resource as a model."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mq_capacity_page.pages.plan.view import plan_view
from mq_capacity_page.web.context import PageContext
from mqcap.domain.metric import Statistic
from mqcap.store.plans import replace_plans
from tests.plugins import builder

LOGS = "PLEX1/CSQ1/active_log"


def test_a_rule_of_the_plan_comes_with_its_finding_and_so_with_its_chart(
    context: PageContext,
) -> None:
    view = plan_view(context, LOGS, builder.DAY)
    assert view is not None
    assert view.card.plan == builder.plan()
    [row] = view.rules
    assert row.line is not None
    assert (row.line.finding.series_id, row.line.finding.statistic) == (
        builder.LOG,
        Statistic.peak,
    )


def test_a_rule_that_applies_only_with_the_plan_has_no_finding(context: PageContext) -> None:
    rules = (builder.plan_rule(), builder.plan_rule(rule_id="CF-BUSY-N"))
    replace_plans(context.engine, builder.DAY, [builder.plan(rules=rules)])
    view = plan_view(context, LOGS, builder.DAY)
    assert view is not None
    assert [row.line is None for row in view.rules] == [False, True]


@pytest.mark.parametrize(
    ("resource", "days"), [("PLEX1/CSQ1", 0), ("PLEX1/CSQ1/recovery", 0), (LOGS, 1)]
)
def test_there_is_no_view_without_a_plan_of_that_resource_and_day(
    context: PageContext, resource: str, days: int
) -> None:
    assert plan_view(context, resource, builder.DAY + timedelta(days=days)) is None
