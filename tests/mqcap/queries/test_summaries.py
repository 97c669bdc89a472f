"""Rows of a day as the store has them."""

from __future__ import annotations

from mqcap.queries.summaries import plan_summaries_on
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_losses, replace_plans
from tests.factories import DAY, finding
from tests.plan_factories import loss, plan, plan_rule


def test_a_day_has_a_row_for_each_plan_and_each_loss_with_its_figure(engine: Store) -> None:
    judged = finding(rule_id="LOG-RUNWAY-12H", observed=4.13, limit_value=12.0, unit="h")
    replace_findings(engine, DAY, [judged])
    replace_plans(engine, DAY, [plan(rules=(plan_rule(),))])
    replace_losses(engine, DAY, [loss()])
    rows = plan_summaries_on(engine, DAY, Settings())
    assert [(row.title, row.now_of_limit) for row in rows] == [
        ("CSQ1 active logs", "4.1 h of 12 h"),
        ("Loss of CF02", "73 % of 60 %"),
    ]
