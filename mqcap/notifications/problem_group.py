"""The problems of one resource with its plan: what an email, a ticket and a page are about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pydantic import BaseModel

from mqcap.domain.finding import Severity
from mqcap.domain.plan import AnyPlan, Plan
from mqcap.domain.problem import Problem
from mqcap.domain.urgency import UNPLANNED, PlanOrder, plan_order
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_words import acknowledged_words


class ProblemGroup(BaseModel, frozen=True):
    """The problems of one resource, most urgent first, and its plan."""

    resource: str
    """Path of the resource."""
    problems: tuple[Problem, ...]
    row: PlanSummary
    """What every channel prints of it."""
    plan: AnyPlan | None = None
    """``None`` for a resource whose rules are in order again, and on days without plans."""
    is_plan_changed: bool = False
    """True when its plan changed materially since it was last notified."""

    @property
    def lead(self) -> Problem:
        """The problem of the plan's worst rule, else the most urgent one."""
        reason = self.plan.reason if self.plan is not None else None
        key = reason.key if reason else ""
        return next((problem for problem in self.problems if problem.key == key), self.problems[0])

    @property
    def severity(self) -> Severity:
        """That of its plan, which every channel shows; without one the highest of its alerts.

        That of an alert decides on tickets and pages: of a test system it is lower.
        """
        if self.plan is not None:
            return self.plan.severity
        return max((one.severity for one in self.problems), key=lambda one: one.rank)

    @property
    def order(self) -> PlanOrder:
        """Sort key: that of its plan; without a plan it is after those of its severity."""
        if self.plan is not None:
            return plan_order(self.plan)
        lead = self.lead
        headroom = lead.finding.headroom_ratio
        return (
            not any(one.is_production for one in self.problems),
            -self.severity.rank,
            UNPLANNED,
            lead.finding.site_date if lead.over else lead.due_date or date.max,
            False,
            float("inf") if headroom is None else headroom,
            self.resource,
        )

    @property
    def changed_on(self) -> date | None:
        """Last day on which its plan changed materially; ``None``: on none, and without one."""
        return self.plan.dates.changed_on if isinstance(self.plan, Plan) else None

    @property
    def has_ended(self) -> bool:
        """True of events that have ended, where the plan asks for no change either."""
        if self.plan is not None:
            return self.plan.has_ended
        return all(one.finding.has_ended for one in self.problems)

    @property
    def is_acknowledged(self) -> bool:
        """True when an acknowledgement is in effect for each of its problems."""
        return all(problem.status.acknowledgement is not None for problem in self.problems)

    @property
    def is_new_or_changed(self) -> bool:
        """True when a problem of it is new, worse or back, or its plan has changed."""
        return self.is_plan_changed or any(
            problem.status.is_new_or_changed for problem in self.problems
        )

    def only(self, problems: Sequence[Problem]) -> ProblemGroup:
        """Return the group of some of its problems."""
        return problem_group(self.resource, problems, self.plan, self.row)


def problem_group(
    path: str, problems: Sequence[Problem], plan: AnyPlan | None, row: PlanSummary
) -> ProblemGroup:
    """Return the group of a resource; ``problems`` are in order, and at least one."""
    group = ProblemGroup(resource=path, problems=tuple(problems), row=row, plan=plan)
    is_changed = plan is not None and group.changed_on == plan.site_date
    found = group.lead.status.acknowledgement if group.is_acknowledged else None
    words = acknowledged_words(found) if found else ""
    return group.model_copy(
        update={
            "is_plan_changed": is_changed and not group.is_acknowledged,
            "row": row.model_copy(update={"acknowledged": words}),
        }
    )
