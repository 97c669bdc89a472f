"""Days by which changes have to be begun: the day on which a limit breaks, less the lead time."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from mqcap.domain.console.ledger import NO_MECHANISM
from mqcap.domain.console.states import open_on
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, RuleOfSubject
from mqcap.planning.evaluation import breaks_on, facts_of_today
from mqcap.settings.due_dates import last_responsible_date


class Due(NamedTuple):
    """When the change of a plan is to be begun, and why."""

    due_date: date
    """The day of the context where it is over already: as soon as possible."""
    breaks_on: date | None
    """First day over a limit; ``None`` where none is up to the horizon."""
    rule_id: str
    """The rule whose limit breaks first; empty without one."""


def due_of(context: PlanContext, pairs: Collection[RuleOfSubject], headline: str) -> Due:
    """Return when a change is due that keeps the limits of these rules.

    Lead time and change freezes are those of the settings. Of rules that break on one day that of
    the ``headline`` is named; last come those whose arithmetic does not give what the console
    reported. What breaks only because of plans that the context counts is due with the first of
    them. Without a day it is due at the horizon.
    """
    if not pairs:
        return Due(context.horizon_date, None, "")
    alerts = context.facts.settings.alerts
    lead = max(alerts.lead_time(pair.rule.id) for pair in pairs)
    found = _first(context, pairs, context.facts, headline)
    if found is not None:
        day, rule_id = found
        last = last_responsible_date(day, lead, alerts.change_freezes)
        return Due(max(last, context.site_date), day, rule_id)
    added = _first(context, pairs, facts_of_today(context), headline) if context.counted else None
    if added is not None:
        return Due(min(plan.due_date for plan in context.counted), None, added[1])
    return Due(context.horizon_date, None, "")


def _first(
    context: PlanContext, pairs: Collection[RuleOfSubject], facts: DayFacts, headline: str
) -> tuple[date, str] | None:
    """Return the first day over a limit with its rule; ``None`` without one."""
    states = open_on(context.facts.observed.states, context.site_date)
    own = (state for state in states if state.subject == context.resource.owner_subject)
    others = {rule for state in own for rule in NO_MECHANISM.get(state.message_id, ())}
    broken = [
        (day, pair.rule.id in others, pair.rule.id != headline, pair.rule.id)
        for pair in pairs
        if (day := breaks_on(context, pair, facts)) is not None
    ]
    first = min(broken, default=None)
    return None if first is None else (first[0], first[-1])
