"""Plans as objects for programs."""

from __future__ import annotations

from datetime import timedelta

from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanRule
from mqcap.presentation.plans.objects import plan_object
from tests.factories import DAY
from tests.plan_factories import plan


def rule() -> PlanRule:
    return PlanRule(
        rule_id="LOG-RUNWAY-12H",
        subject="PLEX1/CSQ1",
        title="All active logs, archiving stopped",
        is_mandatory=True,
        before=Severity.act,
        after=Severity.ok,
        before_text="4.1 h of 12 h.",
        after_text="24.3 h of 12 h.",
        kept_until=DAY + timedelta(days=190),
    )


def test_an_object_has_everything_that_the_plan_has_and_the_keys_that_programs_read() -> None:
    made = plan(rules=(rule(),))
    document = plan_object(made).model_dump(mode="json")
    stored = made.model_dump(mode="json")
    for each in (document, stored):
        each["evidence"].pop("rules")
    assert {key: value for key, value in document.items() if key in stored} == stored
    assert (document["feasible"], document["due"]) == (True, str(made.due_date))


def test_a_rule_has_its_id_under_the_key_rule() -> None:
    [document] = plan_object(plan(rules=(rule(),))).model_dump(mode="json")["evidence"]["rules"]
    assert document["rule"] == "LOG-RUNWAY-12H"
    assert "rule_id" not in document
    assert (document["before"], document["after"]) == ("act", "ok")


def test_an_infeasible_plan_says_so() -> None:
    assert plan_object(plan(is_feasible=False)).feasible is False
