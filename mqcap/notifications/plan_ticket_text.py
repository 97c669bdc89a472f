"""Text of a ticket about a plan: what to do, what it takes, and every rule with and without it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mqcap.domain.plan import Plan
from mqcap.domain.problem import ProblemState
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.notifications.problem_text import (
    closing_text,
    link_lines,
    observation_text,
    probability_text,
    state_text,
)
from mqcap.presentation.crossing_text import crossing_text
from mqcap.presentation.plan_text import plan_lines, rule_text, side_effects
from mqcap.presentation.quantities import quantity
from mqcap.settings import AlertSettings

_BEGUN: Final = frozenset({ProblemState.new, ProblemState.reopened})


def plan_body(group: ProblemGroup, plan: Plan, page_url: str, alerts: AlertSettings) -> str:
    """Return the plan in full, the figures of its worst rule, and links, as plain text."""
    finding = group.lead.finding
    rules = [rule_text(rule, plan.worst_rule) for rule in plan.rules]
    lines = [
        *plan_lines(plan),
        *_section("Rules with and without the plan", rules),
        *_section("Side effects", side_effects(plan)),
        *_section("Why", _facts(group)),
        *_section("Arithmetic", (*finding.arithmetic, *plan.arithmetic)),
        *_section("Caveats", finding.caveats),
        "",
        closing_text(alerts),
        HOW_TO_ACKNOWLEDGE,
        *link_lines(group.lead, page_url),
    ]
    return "\n".join(lines)


def plan_update(group: ProblemGroup, plan: Plan, page_url: str) -> str:
    """Return the text of a comment: what is new, the plan and the links."""
    begun = [one.finding.rule_id for one in group.problems if one.state in _BEGUN]
    news = f"New: {', '.join(begun)}." if begun else "The plan has changed."
    return "\n".join([news, "", *plan_lines(plan), "", *link_lines(group.lead, page_url)])


def _facts(group: ProblemGroup) -> list[str]:
    """Return the figures of the plan's worst rule, with its date and its source."""
    lead, finding = group.lead, group.lead.finding
    likely = probability_text(lead.status)
    return [
        f"Resource: {group.resource}",
        f"Kind: {'measured' if lead.over else 'forecast'}, {state_text(lead.status)}",
        f"Observed: {observation_text(finding, lead.status)}",
        f"Limit: {quantity(finding.limit_value, finding.unit).full}",
        f"When: {crossing_text(lead.crossing, finding)}",
        *([f"Probability: {likely}"] if likely else []),
        f"Rule: {finding.rule_id}, {finding.citation}",
    ]


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    items = [f"- {line}" for line in lines]
    return ["", f"{heading}:", *items] if items else []
