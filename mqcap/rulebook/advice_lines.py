"""The advice of an explanation: the plan of the finding's resource, and what its rule advises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mqcap.domain.finding import Finding
from mqcap.domain.numbers import quantity
from mqcap.domain.plan import Plan
from mqcap.presentation.plans.lasting import bound_text
from mqcap.presentation.plans.text import change_lines
from mqcap.store.database import Store
from mqcap.store.plans import read_plans
from sizing.advice import advice_for
from sizing.rulebook.registry import all_rules


class AdviceLines(NamedTuple):
    """What to do in one sentence, and the lines below it."""

    first: str
    rest: tuple[str, ...]


def advice_lines(engine: Store, finding: Finding) -> AdviceLines:
    """Return the plan of the finding's resource, then what its rule alone advises.

    A plan keeps every rule of its resource below Watch on the forecast, so where it has changes, or
    finds that none is needed, those of the rule come after it, with what they are sized for.
    """
    plan = _plan_of(engine, finding)
    own = tuple(_own(finding))
    if plan is None:
        return AdviceLines(finding.advice, own)
    first, *rest = change_lines(plan)
    if not plan.changes and plan.to_end_watch is None:
        return AdviceLines(finding.advice, (f"Plan of the resource: {first}", *rest, *own))
    return AdviceLines(first, (*rest, f"{_of_rule_alone(finding, plan)}: {finding.advice}", *own))


def _of_rule_alone(finding: Finding, plan: Plan) -> str:
    """Return for which level and at which value the advice of a rule is sized.

    That is the level that the advice names, else the limit, at the figure of the measured days or
    at the expected one of the day of the forecast that it names; the plan counts with the bound.
    """
    if finding.is_event or finding.limit_value is None:
        return f"{finding.rule_id} alone"
    limit = quantity(finding.limit_value, finding.unit)
    watch = f", {finding.watch_words}" if finding.watch_words else ""
    return (
        f"{finding.rule_id} alone (limit {limit}{watch}), for the level that it names, else its "
        "limit, at the expected value of the day of the forecast that it names, else on the "
        f"measured days; the plan is sized {bound_text(plan)}"
    )


def _plan_of(engine: Store, finding: Finding) -> Plan | None:
    """Return the plan of the finding's resource of its day; ``None`` without one."""
    rule = all_rules().get(finding.rule_id)
    if rule is None:
        return None
    path = rule.resource_of(finding.subject).path
    plans = read_plans(engine, finding.site_date)
    return next((plan for plan in plans if plan.resource == path), None)


def _own(finding: Finding) -> Iterator[str]:
    for change in finding.changes:
        typed = f" [{change.typed}]" if change.typed else ""
        yield f"- {change.action}{typed}"
        if change.side_effects:
            yield f"  side effects: {change.side_effects}"
    for caveat in finding.caveats:
        yield f"note: {caveat}"
    for advice in advice_for(finding.rule_id):
        yield f"see {advice.id}: {' '.join(advice.text.split())} [{advice.citation}]"
