"""Limits that will change: the rule is evaluated with what is configured from a later day on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding
from mqcap.domain.metric import SERIES_SEPARATOR, sysplex_of
from mqcap.judging.hours import busiest_hours_of
from mqcap.judging.inputs import values_of
from mqcap.judging.observed import Observed
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.observations import read_window
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import GradingThresholds, judge
from sizing.rulebook.registry import all_rules, longest_look_back


def limit_steps(settings: Settings, engine: Store, finding: Finding) -> list[tuple[date, float]]:
    """Return the later limits of a stored finding, measured anew from the store.

    First day and value of each; empty when no planned change moves the limit.
    """
    day = finding.site_date
    estate = settings.complete_estate()
    rule = all_rules().get(finding.rule_id)
    if rule is None or not _is_planned(estate, finding.subject, day):
        return []
    days_back = max(settings.rules.peak_days, longest_look_back()) - 1
    measured = read_window(engine, day - timedelta(days=days_back), day)
    window_days = settings.rules.peak_days
    first = day - timedelta(days=window_days - 1)
    hours = busiest_hours_of(settings, first, day)
    observed = Observed(measured, day, window_days, hours)
    policy = settings.grade_policy(finding.rule_id)
    estate = estate.as_of(day)
    return planned_limits(rule, finding, observed, estate, policy, estate.changes_after(day))


def planned_limits(
    rule: Rule,
    finding: Finding,
    observed: Observed,
    estate: Estate,
    policy: GradingThresholds,
    changes: Sequence[date],
) -> list[tuple[date, float]]:
    """Return first day and value of each later limit of the rule for this subject.

    Only planned changes of the estate count, which are on the days ``changes``; those that leave
    the limit as it is are left out.
    """
    limits: list[tuple[date, float]] = []
    limit = finding.crossing_limit
    for day in changes:
        values = values_of(rule, finding.subject, observed, estate.as_of(day))
        later = judge(rule, finding.subject, observed.last, values, policy).crossing_limit
        if later is not None and later != limit:
            limits.append((day, later))
            limit = later
    return limits


def _is_planned(estate: Estate, subject: str, day: date) -> bool:
    name = subject.split(SERIES_SEPARATOR)[1:2]
    manager = estate.queue_manager(sysplex_of(subject), name[0]) if name else None
    return manager is not None and any(change.first_day > day for change in manager.planned)
