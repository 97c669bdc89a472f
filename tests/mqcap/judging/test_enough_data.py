from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.completeness.incomplete import DayCompleteness
from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.plan import Plan
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.planning.make import plans_of_day
from tests.mqcap.planning.builders import ACTIVE_LOG, DAY, QUEUE_MANAGER, facts_of

NEEDED = 60


def plan_in(facts: DayFacts, previous: Plan | None = None) -> Plan:
    before = {previous.resource: previous} if previous else None
    plans = plans_of_day(facts, judge_facts(facts), before)
    return next(plan for plan in plans if plan.resource == ACTIVE_LOG)


def with_history(facts: DayFacts, days: int) -> DayFacts:
    refused = {
        key: each.model_copy(
            update={"trained_days": days, "refusal": "too short", "points": (), "after_horizon": ()}
        )
        for key, each in facts.forecasts.items()
    }
    return facts._replace(forecasts=refused)


@pytest.mark.parametrize(("days", "is_enough"), [(NEEDED - 1, False), (NEEDED, True)])
def test_a_short_history_gives_no_amount_and_the_day_from_which_it_is_enough(
    tmp_path: Path, days: int, is_enough: bool
) -> None:
    plan = plan_in(with_history(facts_of(tmp_path, 1.3), days))
    assert bool(plan.changes) is is_enough
    if not is_enough:
        assert plan.missing[-1].startswith("59 days of log_growth_mib_per_s measured, 60 needed")
        assert plan.missing[-1].endswith(f"from {DAY + timedelta(days=1):%-d %b %Y} on")


def test_an_incomplete_last_day_leaves_the_plan_of_the_night_before(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, 1.3)
    known = plan_in(facts)
    gone = FeedDay(
        kind=FeedKind.statistics, subject=QUEUE_MANAGER, site_date=DAY, state=FeedState.partial,
        expected_seconds=86_400, received_seconds=3_600, received_count=4,
    )  # fmt: skip
    late = facts._replace(arrived=DayCompleteness((gone,)))
    assert plan_in(late).changes == ()
    assert plan_in(late).missing[-1].endswith("an amount follows once they have arrived")
    assert plan_in(late, known).settings == known.settings


def test_a_finding_states_no_amount_either(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, 1.3)

    def typed(known: DayFacts) -> list[tuple[str, bool]]:
        return [
            (v.finding.advice, any(change.amount for change in v.finding.changes))
            for v in judge_facts(known)
            if v.finding.rule_id == "LOG-FILL-30MIN"
        ]

    assert typed(facts)[0][1]
    [(advice, has_amount)] = typed(with_history(facts, NEEDED - 1))
    assert not has_amount
    assert advice.endswith(f"from {DAY + timedelta(days=1):%-d %b %Y} on.")
