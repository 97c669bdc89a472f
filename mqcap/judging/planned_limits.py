"""Limits that will change: the rule is evaluated with what is configured from a later day on."""

from __future__ import annotations

from datetime import date

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding
from mqcap.judging.inputs import Observed, values_of
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import GradingThresholds, judge


def planned_limits(
    rule: Rule, finding: Finding, observed: Observed, estate: Estate, policy: GradingThresholds
) -> list[tuple[date, float]]:
    """Return first day and value of each later limit of the rule for this subject.

    Only planned changes of the estate count; days that leave the limit as it is are left out.
    """
    limits: list[tuple[date, float]] = []
    limit = finding.crossing_limit
    for day in estate.changes_after(observed.last):
        values = values_of(rule, finding.subject, observed, estate.as_of(day))
        later = judge(rule, finding.subject, observed.last, values, policy).crossing_limit
        if later is not None and later != limit:
            limits.append((day, later))
            limit = later
    return limits
