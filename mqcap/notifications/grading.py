"""Severity of an alert: time to the breach, its probability and the class of the system.

It is never above the rule's own severity, which grades a figure against its limit.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple

from pydantic import BaseModel

from mqcap.domain.crossing import Crossing, CrossingState, stated_probability
from mqcap.domain.estate import Estate
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.problem import planned_for
from mqcap.domain.urgency import is_over
from mqcap.settings import AlertSettings, GradePolicy, policy_of


class DailyEvaluation(BaseModel, frozen=True):
    """Finding of a day graded as an alert, before its history is considered."""

    key: str
    """``rule_id/subject``"""
    severity: Severity
    over: bool = False
    headroom: float | None = None
    """Ratio of the limit; negative when over it, ``None`` when not measured."""
    expected_date: date | None = None
    probability: float | None = None
    """Of passing the limit within ``probability_days``, 0 to 1; ``None`` without a forecast."""
    probability_days: int | None = None
    clear: bool = False
    """In order by the clear level, which is further from the limit than the raise level."""
    complete: bool = True
    """True when every record of the day that the figure is based on has arrived."""
    production: bool = True
    peak_hour_utc: datetime | None = None

    @property
    def bad(self) -> bool:
        """True when the day counts towards raising a problem."""
        return self.severity.is_urgent

    @property
    def judged(self) -> bool:
        """True when the rule could be evaluated."""
        return self.severity is not Severity.unknown


class Grading(NamedTuple):
    """Settings and estate that grading needs besides findings and crossings."""

    alerts: AlertSettings
    grades: Mapping[str, GradePolicy]
    """By rule; ``default`` for all others, and for what a rule does not state."""
    estate: Estate
    interval_width: float = 0.8
    """Nominal coverage of the prediction interval that bounds the crossing dates."""

    def policy(self, rule_id: str) -> GradePolicy:
        """Return the grade policy of one rule."""
        return policy_of(self.grades, rule_id)


def daily_evaluations(
    findings: Iterable[Finding],
    crossings: Iterable[Crossing],
    feeds: Iterable[FeedDay],
    grading: Grading,
    peak_hours: Mapping[str, datetime] | None = None,
) -> list[DailyEvaluation]:
    """Return an evaluation for each finding in force; ``peak_hours`` is by series: the worst."""
    by_key = {(crossing.rule_id, crossing.subject): crossing for crossing in crossings}
    incomplete = {feed.subject for feed in feeds if feed.is_incomplete}
    hours = peak_hours or {}
    evaluations = []
    for finding in findings:
        if finding.superseded_by:
            continue
        subject = finding.subject
        evaluation = _evaluation(finding, by_key.get((finding.rule_id, subject)), grading)
        surroundings = {
            # no records of the subject, of its owner or of its parts are missing
            "complete": not any(
                subject == other or subject.is_part_of(other) or other.is_part_of(subject)
                for other in incomplete
            ),
            "peak_hour_utc": hours.get(finding.series_id or ""),
        }
        evaluations.append(evaluation.model_copy(update=surroundings))
    return evaluations


def probability_within(crossing: Crossing, days: int, interval_width: float) -> float | None:
    """Return the probability (0 to 1) of passing the limit within so many days of the cutoff.

    ``None`` without a forecast. The crossing states it for ``PROBABILITY_DAYS``; for other days it
    is interpolated linearly between the cutoff date (0), the earliest date (half of what the
    prediction interval leaves out), the expected date (one half) and the latest date (the rest).
    """
    if crossing.state is CrossingState.breached:
        return 1.0
    stated = stated_probability(crossing, days)
    if stated is not None:
        return stated
    if crossing.state is CrossingState.not_within_horizon:
        return 0.0
    if crossing.state is not CrossingState.will_cross:
        return None
    low = round((1 - interval_width) / 2, 9)
    dated = zip(crossing.dates, (low, 0.5, 1 - low), strict=True)
    points = [(crossing.cutoff_date, 0.0), *((day, ratio) for day, ratio in dated if day)]
    return _interpolated(points, crossing.cutoff_date + timedelta(days=days))


def _evaluation(finding: Finding, crossing: Crossing | None, grading: Grading) -> DailyEvaluation:
    policy = grading.policy(finding.rule_id)
    kind = grading.estate.class_of(finding.subject)
    over = is_over(finding, crossing)
    soon, later = (
        probability_within(crossing, days, grading.interval_width) if crossing else None
        for days in (policy.act_within_days, policy.watch_within_days)
    )
    weight = grading.alerts.class_weights.get(kind, 1.0)
    severity = finding.severity
    if over and severity is Severity.act and kind is SystemClass.test:
        severity = Severity.watch
    if not over and severity.is_urgent:
        # on a system of full weight a finding to watch is never suppressed
        is_risk = soon is None or later is None or later * weight >= grading.alerts.watch_risk
        is_soon = (
            soon is not None and later is not None and soon * weight >= grading.alerts.act_risk
        )
        if severity is not Severity.act or not is_soon:
            severity = Severity.watch if weight >= 1 or is_risk else Severity.ok
    return DailyEvaluation(
        key=finding.key,
        severity=severity,
        over=over,
        headroom=finding.headroom_ratio,
        expected_date=planned_for(finding, crossing),
        probability=soon,
        probability_days=None if soon is None else policy.act_within_days,
        clear=_is_clear(finding, crossing, policy, grading.alerts),
        production=kind is SystemClass.production,
    )


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


def _interpolated(points: list[tuple[date, float]], day: date) -> float:
    before = [point for point in points if point[0] <= day]
    after = [point for point in points if point[0] > day]
    if not before:
        return 0.0
    if not after:
        return before[-1][1]
    (first, low), (last, high) = before[-1], after[0]
    return low + (high - low) * (day - first).days / (last - first).days
