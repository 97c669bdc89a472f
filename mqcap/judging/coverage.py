"""Findings on so little measured time that it is too early to judge: neither Act nor in order."""

from __future__ import annotations

from mqcap.completeness.incomplete import DayCompleteness
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import quantity
from mqcap.judging.observed import Observed


def with_coverage(
    finding: Finding,
    kind: SubjectKind,
    observed: Observed,
    arrived: DayCompleteness,
    min_covered_hours: float,
) -> Finding:
    """Return the finding with severity unknown where too little of its figure was measured.

    Only figures of records that are expected all day: samples cover seconds, and messages none.
    """
    metrics = finding.measured_metrics
    if finding.severity is Severity.unknown or finding.is_event or not metrics:
        return finding
    if not arrived.today_of(finding.subject, kind, metrics):
        return finding
    covered = [_covered_hours(metric, finding.subject, observed) for metric in metrics]
    known = [hours for hours in covered if hours is not None]
    if not known or min(known) >= min_covered_hours:
        return finding
    measured, wanted = quantity(min(known), "h"), quantity(min_covered_hours, "h")
    statement = (
        f"too early to judge: {measured} measured, rules.min_covered_hours (ours) is {wanted}. "
        f"So far: {finding.statement or finding.summary}"
    )
    return finding.with_statement(statement).model_copy(
        update={
            "severity": Severity.unknown,
            "breach": None,
            "headroom_ratio": None,
            "advice": "Load more records; the first whole day is judged.",
            "missing": (f"records of {wanted}: {measured} have arrived",),
            "is_data_incomplete": True,
            "changes": (),
        }
    )


def _covered_hours(metric: str, subject: str, observed: Observed) -> float | None:
    """Return the measured hours within the window; ``None`` where a day does not state them."""
    days = [day.covered_hours for day in observed.days(metric, subject)]
    known = [hours for hours in days if hours is not None]
    return sum(known) if days and len(known) == len(days) else None
