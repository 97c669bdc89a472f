"""How urgent a notice is: time to breach x probability x class of system.

A rule grades a figure against its limit; a notice also asks whose system it is and how sure
the date is. A notice is never graded above what the rule says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing, CrossingState
from mqcap.domain.estate import Estate, SystemClass
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Finding, Severity
from mqcap.settings import AlertSettings, GradePolicy


class DailyEvaluation(BaseModel):
    """What one day says about one problem, before its history is looked at."""

    model_config = ConfigDict(frozen=True)

    key: str
    severity: Severity
    over: bool = False
    headroom: float | None = None
    expected_date: date | None = None
    probability: float | None = None
    probability_days: int | None = None
    clear: bool = False
    """In order by the clear level, which is further from the limit than the raise level."""
    complete: bool = True
    """Whether every record of the day that the figure rests on has arrived."""
    production: bool = True
    peak_hour_utc: datetime | None = None

    @property
    def bad(self) -> bool:
        """Whether the day speaks for a problem."""
        return self.severity in {Severity.watch, Severity.act}

    @property
    def judged(self) -> bool:
        """Whether the day says anything."""
        return self.severity is not Severity.unknown


class Grading(NamedTuple):
    """What grading needs beyond findings and crossings."""

    alerts: AlertSettings
    grades: Mapping[str, GradePolicy]
    """By rule; ``default`` for all others."""
    estate: Estate
    interval_width: float = 0.8
    """Width of the forecast's band, of which the crossing's edges are."""

    def policy(self, rule_id: str) -> GradePolicy:
        """The grade policy of one rule."""
        return self.grades.get(rule_id) or self.grades.get("default") or GradePolicy()


def daily_evaluations(
    findings: Iterable[Finding],
    crossings: Iterable[Crossing],
    feeds: Iterable[FeedDay],
    grading: Grading,
    peak_hours: Mapping[str, datetime] | None = None,
) -> list[DailyEvaluation]:
    """One sighting per finding that no other one leads.

    ``peak_hours`` is by series: when the worst value was measured.
    """
    by_key = {(one.rule_id, one.subject): one for one in crossings}
    lacking = {one.subject for one in feeds if one.is_incomplete}
    hours = peak_hours or {}
    return [
        _sighting(finding, by_key.get((finding.rule_id, finding.subject)), grading).model_copy(
            update={
                "complete": not _rests_on(finding.subject, lacking),
                "peak_hour_utc": hours.get(finding.series_id or ""),
            }
        )
        for finding in findings
        if not finding.superseded_by
    ]


def is_over(finding: Finding, crossing: Crossing | None) -> bool:
    """Whether measured values have passed the limit."""
    state = crossing.state if crossing else None
    return bool(finding.breach) or state is CrossingState.breached


def planned_for(finding: Finding, crossing: Crossing | None) -> date | None:
    """The day to plan for; ``None`` when over already or not expected to cross."""
    if is_over(finding, crossing) or crossing is None:
        return None
    return crossing.expected_date or crossing.earliest_date


def probability_within(crossing: Crossing, days: int, interval_width: float) -> float | None:
    """That the limit is passed within so many days of the cutoff; ``None`` without a forecast.

    What the crossing states for these days; for other days, and for crossings of older
    versions, read off the band: half of what lies outside it at the earliest date, one half at
    the expected, the rest at the latest, straight lines between, none on the cutoff date.
    """
    if crossing.state is CrossingState.breached:
        return 1.0
    stated = getattr(crossing, f"probability_{days}_days") if days in PROBABILITY_DAYS else None
    if stated is not None:
        return float(stated)
    if crossing.state is CrossingState.not_within_horizon:
        return 0.0
    if crossing.state is not CrossingState.will_cross:
        return None
    low = round((1 - interval_width) / 2, 9)
    edges = (crossing.earliest_date, crossing.expected_date, crossing.latest_date)
    points = [(crossing.cutoff_date, 0.0)]
    points += [(day, share) for day, share in zip(edges, (low, 0.5, 1 - low), strict=True) if day]
    return _interpolated(points, crossing.cutoff_date + timedelta(days=days))


def system_class(subject: str, estate: Estate) -> SystemClass:
    """The class of a subject's queue manager; a CF has that of its most important user.

    Production when the site told nothing: nobody is left untold for want of an entry.
    """
    sysplex, _, rest = subject.partition("/")
    qmgr = estate.queue_manager(sysplex, rest.split("/", 1)[0])
    if qmgr is not None:
        return qmgr.system_class
    users = {q.system_class for p in estate.sysplexes if p.sysplex == sysplex for q in p.qmgrs}
    return next((kind for kind in SystemClass if kind in users), SystemClass.production)


def _sighting(finding: Finding, crossing: Crossing | None, grading: Grading) -> DailyEvaluation:
    policy = grading.policy(finding.rule_id)
    kind = system_class(finding.subject, grading.estate)
    over = is_over(finding, crossing)
    soon, later = (
        probability_within(crossing, days, grading.interval_width) if crossing else None
        for days in (policy.act_within_days, policy.watch_within_days)
    )
    weight = grading.alerts.class_weights.get(kind, 1.0)
    severity = finding.severity
    if over and severity is Severity.act and kind is SystemClass.test:
        severity = Severity.watch
    if not over and severity in {Severity.watch, Severity.act}:
        severity = _by_risk(severity, soon, later, weight, grading.alerts)
    return DailyEvaluation(
        key=f"{finding.rule_id}/{finding.subject}",
        severity=severity,
        over=over,
        headroom=finding.headroom_ratio,
        expected_date=planned_for(finding, crossing),
        probability=soon,
        probability_days=None if soon is None else policy.act_within_days,
        clear=_is_clear(finding, crossing, policy, grading.alerts),
        production=kind is SystemClass.production,
    )


def _by_risk(
    ruled: Severity,
    soon: float | None,
    later: float | None,
    weight: float,
    alerts: AlertSettings,
) -> Severity:
    """The grade of a limit that is not passed yet.

    On a system of full weight nothing that the rule would watch is hidden, however unlikely.
    """
    if soon is None or later is None:
        return Severity.watch
    if ruled is Severity.act and soon * weight >= alerts.act_risk:
        return Severity.act
    return Severity.watch if weight >= 1 or later * weight >= alerts.watch_risk else Severity.ok


def _is_clear(
    finding: Finding, crossing: Crossing | None, policy: GradePolicy, alerts: AlertSettings
) -> bool:
    if finding.severity is not Severity.ok or is_over(finding, crossing):
        return False
    left = finding.headroom_ratio
    if left is not None and left < policy.watch_below_headroom + alerts.clear_margin:
        return False
    expected = planned_for(finding, crossing)
    far = policy.watch_within_days + alerts.clear_margin_days
    return expected is None or (expected - finding.site_date).days > far


def _rests_on(subject: str, lacking: set[str]) -> bool:
    """Whether records of the subject, of what it is part of, or of its parts are missing."""
    return any(
        subject == one or subject.startswith(f"{one}/") or one.startswith(f"{subject}/")
        for one in lacking
    )


def _interpolated(points: list[tuple[date, float]], day: date) -> float:
    before = [point for point in points if point[0] <= day]
    after = [point for point in points if point[0] > day]
    if not before:
        return 0.0
    if not after:
        return before[-1][1]
    (first, low), (last, high) = before[-1], after[0]
    return low + (high - low) * (day - first).days / (last - first).days
