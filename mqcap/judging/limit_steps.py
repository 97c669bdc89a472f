"""Future steps of the limit of a finding, from the changes that the site has planned."""

from __future__ import annotations

from datetime import date, timedelta

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding
from mqcap.domain.metric import SERIES_SEPARATOR, sysplex_of
from mqcap.judging.hours import busiest_hours_of
from mqcap.judging.inputs import Observed
from mqcap.judging.planned_limits import planned_limits
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.observations import read_window
from sizing.rulebook.registry import all_rules, longest_look_back


def limit_steps(settings: Settings, engine: Store, finding: Finding) -> list[tuple[date, float]]:
    """Return first day and value of each later limit; empty when no planned change moves it."""
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
    return planned_limits(rule, finding, observed, estate.as_of(day), policy)


def _is_planned(estate: Estate, subject: str, day: date) -> bool:
    name = subject.split(SERIES_SEPARATOR)[1:2]
    manager = estate.queue_manager(sysplex_of(subject), name[0]) if name else None
    return manager is not None and any(change.first_day > day for change in manager.planned)
