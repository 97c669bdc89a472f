"""Teams whose mandatory changes are more hours of work than they have."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan, PlanCost, PlanVariant
from mqcap.presentation.dates import short_day
from mqcap.presentation.plans.team_hours import MOST_STEPS, team_lines
from tests.factories import DAY
from tests.plan_factories import plan, plan_change


def of(label: str, hours: float, due_after_days: int = 14, **changed: Any) -> Plan:
    return plan(
        resource=label,
        label=label,
        cost=PlanCost(work_hours=hours),
        due_date=DAY + timedelta(days=due_after_days),
        **changed,
    )


def day(after: int) -> str:
    return short_day(DAY + timedelta(days=after))


def test_hours_that_each_fit_but_not_together_are_stated_with_the_day_of_each() -> None:
    """At 40 h a week 60 h end on the 11th day and 110 h on the 20th; 80 h are there in 14 days."""
    [line] = team_lines([of("CSQ1 active logs", 60), of("CSQ2 recovery", 50)], 40)
    assert line == (
        f"Payments MQ team: 110 h of mandatory changes by {day(14)}, 80 h available at 40 h a week "
        "(plan.week_hours): not all can be done by then. One after the other, in the order of "
        f"plans: CSQ1 active logs (60 h) done {day(11)}; CSQ2 recovery (50 h) done {day(20)}, "
        f"late: due {day(14)}."
    )


def test_hours_that_fit_together_and_those_of_other_teams_are_not_stated() -> None:
    first = of("CSQ1 active logs", 40)
    assert not team_lines([first, of("CSQ2 recovery", 40)], 40)
    assert not team_lines([of("CSQ1", 60), of("CF01", 60, owner="Sysplex team")], 40)
    [line] = team_lines([first, of("CSQ2 recovery", 40.25)], 40)
    assert line.startswith("Payments MQ team: 80.25 h")


def test_recommended_changes_count_no_hours_and_mandatory_ones_those_of_their_own_day() -> None:
    nothing = of("CSQ1 active logs", 60, mandatory_only=PlanVariant())
    fewer = PlanVariant(
        changes=(plan_change(),),
        cost=PlanCost(work_hours=50),
        needed_by=DAY + timedelta(days=18),
    )
    later = of("CSQ2 recovery", 90, mandatory_only=fewer)
    assert not team_lines([nothing, later, of("CSQ3 recovery", 50)], 40)
    [line] = team_lines([nothing, later, of("CSQ3 recovery", 53)], 40)
    assert f"103 h of mandatory changes by {day(18)}, 102.9 h available" in line
    assert "CSQ1" not in line


def test_the_more_urgent_plan_is_done_first_though_it_is_due_later() -> None:
    watch = of("CSQ2 recovery", 70, 7, severity=Severity.watch)
    [line] = team_lines([watch, of("CSQ1 active logs", 20, 21)], 40)
    assert f"CSQ1 active logs (20 h) done {day(4)}; CSQ2 recovery" in line


def test_of_many_plans_the_further_ones_and_the_late_ones_among_them_are_counted() -> None:
    plans = [of(f"BP{number:02}", 10) for number in range(MOST_STEPS + 2)]
    [line] = team_lines(plans, 40)
    assert line.endswith("; and 2 plans more, 2 of them late.")


def test_plans_without_an_owner_say_so() -> None:
    [line] = team_lines([of("CSQ1 active logs", 90, owner="")], 40)
    assert line.startswith("No owner configured: 90 h")
