"""What a finding says of its measured figures: too little time, the part, typed ones not used."""

from typing import Final

from mqcap.completeness.incomplete import DayCompleteness, as_incomplete
from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import entries_of
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.input_source import MeasuredDaySource, MeasuredWindowSource
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import duration, figure, quantity
from mqcap.domain.units import SECONDS_PER_HOUR
from mqcap.judging.observed import Observed
from mqcap.lake.location import open_lake
from mqcap.lake.readers import largest_part
from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import FromEstate

NAMED: Final = {"private_queue_messages_per_s": "queue"}
"""Metrics that are about the busiest of several, and what these are."""


def with_replaced_figures(finding: Finding, rule: Rule, estate: Estate) -> Finding:
    """Return the finding with a caveat for each typed figure in place of which one was measured."""
    sources = value_sources_of(rule.inputs)
    measured = {
        value.name: value.origin.metric
        for value in finding.inputs
        if isinstance(value.origin, MeasuredDaySource | MeasuredWindowSource)
    }
    caveats = (
        f"{mark.key} = {shown} of {place} in the settings is not used: {metric} is measured."
        for name, metric in measured.items()
        for mark in sources.get(name, ())
        if isinstance(mark, FromEstate)
        for entry, place in entries_of(finding.subject, rule.traits.subject_kind, estate)
        if (shown := _shown(getattr(entry, mark.key, None)))
    )
    return finding.with_caveats(*caveats)


def _shown(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return figure(value)
    return ""


def with_coverage(
    finding: Finding,
    kind: SubjectKind,
    observed: Observed,
    arrived: DayCompleteness,
    min_covered_hours: float,
) -> Finding:
    """Return the finding as unknown where too little was measured of records expected all day."""
    metrics = finding.measured_metrics
    if finding.severity is Severity.unknown or finding.is_event or not metrics:
        return finding
    if not arrived.today_of(finding.subject, kind, metrics):
        return finding
    windows = [
        [day.covered_hours for day in observed.days(metric, finding.subject)] for metric in metrics
    ]
    known = [sum(filter(None, hours)) for hours in windows if hours and None not in hours]
    if not known or min(known) >= min_covered_hours:
        return finding
    measured, wanted = duration(SECONDS_PER_HOUR * min(known)), quantity(min_covered_hours, "h")
    statement = (
        f"too early to judge: {measured} measured, rules.min_covered_hours (ours) is {wanted}. "
        f"So far: {finding.statement or finding.summary}"
    )
    advice = "Load more records; the first whole day is judged."
    return as_incomplete(
        finding, statement, advice, f"records of {wanted}: {measured} have arrived"
    )


def with_busiest_part(finding: Finding, lake: str) -> Finding:
    """Return the finding with the busiest part on the day of its figure, where it has a name."""
    for value in finding.inputs:
        origin = value.origin
        if not isinstance(origin, MeasuredDaySource) or origin.metric not in NAMED:
            continue
        name = largest_part(open_lake(lake), origin.metric, origin.subject, origin.site_date)
        if name is not None:
            statement = (finding.statement or finding.summary).rstrip(".")
            return finding.with_statement(f"{statement}; the {NAMED[origin.metric]} is {name}.")
    return finding
