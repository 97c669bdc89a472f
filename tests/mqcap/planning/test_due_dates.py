"""Mandatory rules that are due, and the days by which changes have to be made."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.judging.evaluate import Verdict
from mqcap.planning.context import PlanContext, is_mandatory
from mqcap.planning.due_dates import due_date, due_pairs, due_verdicts, passed_from
from tests.factories import crossing
from tests.mqcap.planning.builders import active_log_of, facts_of

RULE = "LOG-FILL-30MIN"


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> PlanContext:
    return active_log_of(facts_of(Path(tmp_path_factory.mktemp("due")), 0.9))


def with_rule(context: PlanContext, severity: Severity, passed: date | None) -> PlanContext:
    """The context with one result: of that severity, and passed from a day on."""
    found = next(each.finding for each in context.verdicts if each.finding.rule_id == RULE)
    finding = found.model_copy(update={"severity": severity, "breach": False})
    ahead = crossing(
        finding, state=CrossingState.will_cross, earliest_date=passed, expected_date=passed
    )
    return context._replace(verdicts=(Verdict(finding, ahead if passed else None),))


def due_ids(context: PlanContext) -> list[str]:
    return [pair.rule.id for pair in due_pairs(context)]


@pytest.mark.parametrize(("severity", "expected"), [("ok", []), ("watch", [RULE]), ("act", [RULE])])
def test_a_mandatory_rule_at_watch_or_act_is_due(
    context: PlanContext, severity: str, expected: list[str]
) -> None:
    assert due_ids(with_rule(context, Severity(severity), None)) == expected


@pytest.mark.parametrize(("days_after", "expected"), [(-1, [RULE]), (0, [RULE]), (1, [])])
def test_a_rule_in_order_is_due_where_its_limit_is_passed_up_to_the_horizon(
    context: PlanContext, days_after: int, expected: list[str]
) -> None:
    passed = context.horizon_date + timedelta(days=days_after)
    assert due_ids(with_rule(context, Severity.ok, passed)) == expected


def test_a_recommended_rule_is_never_due(context: PlanContext) -> None:
    assert {pair.rule.id for pair in due_pairs(context)} <= {
        pair.rule.id for pair in context.pairs if is_mandatory(context, pair)
    }
    assert any(not is_mandatory(context, pair) for pair in context.pairs)


def test_changes_are_due_the_day_before_the_first_limit_of_their_rules(
    context: PlanContext,
) -> None:
    passed = context.horizon_date + timedelta(days=40)
    one = with_rule(context, Severity.watch, passed)
    assert due_date(one, due_verdicts(one, due_pairs(one))) == passed - timedelta(days=1)
    assert due_date(one, ()) == context.horizon_date - timedelta(days=1)
    assert due_verdicts(one, ()) == []


def test_a_limit_may_be_passed_from_its_first_day_on_unless_one_is_passed_already(
    context: PlanContext,
) -> None:
    day = context.earliest_date
    ahead = with_rule(context, Severity.watch, day)
    later = with_rule(context, Severity.watch, day + timedelta(days=1))
    assert passed_from((*later.verdicts, *ahead.verdicts)) == day
    assert passed_from(with_rule(context, Severity.watch, None).verdicts) is None
    [verdict] = ahead.verdicts
    over = verdict._replace(finding=verdict.finding.model_copy(update={"breach": True}))
    assert passed_from((over, *later.verdicts)) is None
