"""The problems of a resource with its plan."""

from __future__ import annotations

from datetime import timedelta

from mqcap.domain.problem import AcknowledgementKind, Problem, ProblemState
from mqcap.notifications.problem_group import problem_group
from tests.factories import DAY, acknowledgement, finding
from tests.mqcap.notifications.builders import log_plan, problem

PATH = "PLEX1/CSQ1/active_log"


def standing(rule_id: str = "LOG-FILL-30MIN", **changed: object) -> Problem:
    item = problem(finding(rule_id=rule_id))
    update = {"state": ProblemState.lasting, **changed}
    return item.model_copy(update={"status": item.status.model_copy(update=update)})


def test_the_lead_is_the_problem_of_the_worst_rule_of_the_plan() -> None:
    first, second = standing(), standing("LOG-RUNWAY-12H")
    plan = log_plan(worst_rule="LOG-RUNWAY-12H")
    assert problem_group(PATH, [first, second], plan).lead == second
    assert problem_group(PATH, [first, second], None).lead == first
    assert problem_group(PATH, [first], plan).lead == first


def test_a_plan_that_changed_today_makes_its_resource_changed() -> None:
    changed = problem_group(PATH, [standing()], log_plan(changed_on=DAY))
    assert changed.is_new_or_changed
    for earlier in (None, DAY - timedelta(days=1)):
        group = problem_group(PATH, [standing()], log_plan(changed_on=earlier))
        assert not group.is_new_or_changed


def test_a_changed_plan_is_no_news_where_every_problem_is_acknowledged() -> None:
    noted = acknowledgement(kind=AcknowledgementKind.acknowledged)
    known = standing(acknowledgement=noted)
    plan = log_plan(changed_on=DAY)
    assert not problem_group(PATH, [known], plan).is_new_or_changed
    assert problem_group(PATH, [known, standing("LOG-RUNWAY-12H")], plan).is_new_or_changed
