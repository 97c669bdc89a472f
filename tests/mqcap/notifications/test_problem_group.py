"""The problems of a resource with its plan."""

from __future__ import annotations

from datetime import timedelta

from mqcap.domain.finding import Severity
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


def test_the_severity_is_that_of_the_plan_whatever_the_class_of_the_system() -> None:
    lower = standing(severity=Severity.watch)
    assert problem_group(PATH, [lower], log_plan()).severity is Severity.act
    assert problem_group(PATH, [lower], None).severity is Severity.watch


def test_groups_are_in_the_order_of_plans_and_without_one_last_of_their_severity() -> None:
    plans = [
        log_plan(), log_plan(due_date=DAY + timedelta(days=90)),
        log_plan(severity=Severity.watch), log_plan(is_production=False),
    ]  # fmt: skip
    first, late, watch, test = (problem_group(PATH, [standing()], one) for one in plans)
    without = problem_group(PATH, [standing()], None)
    mixed = [test, without, watch, late, first]
    assert sorted(mixed, key=lambda one: one.order) == [first, late, without, watch, test]
