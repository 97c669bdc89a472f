"""Hours of the mandatory changes of each team, where they do not fit before their due days."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import accumulate
from typing import Final, NamedTuple

from mqcap.domain.numbers import counted, figure
from mqcap.domain.plan import Plan, mandatory_variant, plan_order
from mqcap.presentation.dates import short_day
from mqcap.presentation.due_dates import done_date, hours_until

NO_TEAM: Final = "No owner configured"
MOST_STEPS: Final = 8
"""Plans of a team that are named; the number of further ones follows (ours)."""


class _Step(NamedTuple):
    """The mandatory changes of a plan in the order in which a team makes them."""

    label: str
    hours: float
    due_date: date
    done_date: date

    @property
    def is_late(self) -> bool:
        return self.done_date > self.due_date


def team_lines(plans: Iterable[Plan], week_hours: float) -> list[str]:
    """Return a sentence for each team whose mandatory changes are too many hours of work.

    Each plan alone is counted with all hours of a week; together they share them. What losses need
    is not counted. A team whose hours are enough up to every due day has none.

    Args:
        plans: The plans of one day; changes, cost, owner and due day count.
        week_hours: Hours of work a week (``plan.week_hours``).
    """
    teams = defaultdict[str, list[Plan]](list)
    for plan in plans:
        if mandatory_variant(plan).changes:
            teams[plan.owner].append(plan)
    return [line for team in sorted(teams) for line in _of_team(team, teams[team], week_hours)]


def _of_team(team: str, plans: Sequence[Plan], week_hours: float) -> Iterator[str]:
    site_date = plans[0].site_date
    needed = defaultdict[date, float](float)
    for plan in plans:
        needed[_due_date(plan)] += _hours(plan)
    days = sorted(needed)
    for day, hours in zip(days, accumulate(needed[day] for day in days), strict=True):
        available = hours_until(site_date, day, week_hours)
        if hours > available:
            by, week = short_day(day), f"{figure(week_hours)} h a week (plan.week_hours)"
            yield (
                f"{team or NO_TEAM}: {figure(hours)} h of mandatory changes by {by}, "
                f"{figure(available)} h available at {week}: not all can be done by then. One "
                f"after the other, in the order of plans: {_steps_text(plans, week_hours)}."
            )
            return


def _steps_text(plans: Sequence[Plan], week_hours: float) -> str:
    steps = list(_steps(plans, week_hours))
    words = [_step_text(step) for step in steps[:MOST_STEPS]]
    more = steps[MOST_STEPS:]
    if more:
        late = sum(step.is_late for step in more)
        words.append(f"and {counted(len(more), 'plan')} more, {late} of them late")
    return "; ".join(words)


def _steps(plans: Sequence[Plan], week_hours: float) -> Iterator[_Step]:
    hours = 0.0
    for plan in sorted(plans, key=plan_order):
        hours += _hours(plan)
        done = done_date(plan.site_date, hours, week_hours)
        yield _Step(plan.label, _hours(plan), _due_date(plan), done)


def _step_text(step: _Step) -> str:
    late = f", late: due {short_day(step.due_date)}" if step.is_late else ""
    return f"{step.label} ({figure(step.hours)} h) done {short_day(step.done_date)}{late}"


def _hours(plan: Plan) -> float:
    return mandatory_variant(plan).cost.work_hours


def _due_date(plan: Plan) -> date:
    return mandatory_variant(plan).needed_by or plan.due_date
