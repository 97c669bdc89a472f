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


def test_the_changes_for_mandatory_rules_alone_can_be_tried_too(context: PageContext) -> None:
    view = plan_view(context, LOGS, builder.DAY)
    assert view is not None
    fewer = view.card.plan.mandatory_only
    assert fewer is not None
    start = fewer.needed_by or view.card.plan.due_date
    assert view.mandatory_scenario == {
        "subject": "PLEX1/CSQ1",
        "start": start.isoformat(),
        "logs": "12",
    }
    facility = plan_view(context, "PLEX1/CF01", builder.DAY)
    assert facility is not None
    assert facility.mandatory_scenario == {}


@pytest.mark.parametrize(
    ("resource", "days"), [("PLEX1/CSQ1", 0), ("PLEX1/CSQ1/recovery", 0), (LOGS, 1)]
)
def test_there_is_no_view_without_a_plan_of_that_resource_and_day(
    context: PageContext, resource: str, days: int
) -> None:
    assert plan_view(context, resource, builder.DAY + timedelta(days=days)) is None
