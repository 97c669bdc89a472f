"""Sections of findings: their growth and dates, what changed, what losses leave."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.domain.crossing import CrossingState, stated_probability
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import Forecast, growth_of
from mqcap.domain.numbers import percent
from mqcap.domain.plan import AnyPlan
from mqcap.losses.model import Loss
from mqcap.losses.text.sentences import NOTE, brief_lines, consequence, minutes_text, worst_text
from mqcap.presentation import dates, labels
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.quantities import growth
from mqcap.presentation.summary_words import change_words
from mqcap.queries.date_changes import why_moved
from mqcap.queries.resources import resource_path
from mqcap.reports.document import (
    Cell,
    ReportKind,
    Section,
    Table,
    cell_of,
    columns,
    day_cell,
    headroom_cell,
    probability_cell,
    severity_cell,
    text_cell,
)
from mqcap.reports.make import Forecasts, ReportBasis, SectionEntry
from mqcap.store.findings import next_findings_date, previous_findings_date, read_finding_summaries
from mqcap.store.models import FindingSummary
from mqcap.store.plans import read_losses


def findings(basis: ReportBasis) -> Section:
    """Return the findings graded act or watch, of the monthly plan all limits with a forecast."""
    is_plan = basis.kind is ReportKind.monthly
    lines = [
        line
        for line in basis.lines
        if line.finding.severity.is_urgent or (is_plan and line.crossing is not None)
    ]
    return Section(
        heading="Findings, growth and dates",
        sentences=(
            "The limit is passed by the earliest, expected and latest day with 10, 50 and 90 %.",
        ),
        tables=(findings_table(lines, basis.forecasts, [*basis.plans, *basis.losses]),),
        is_detail=True,
    )


def findings_table(
    lines: Sequence[FleetLine],
    forecasts: Forecasts = MappingProxyType({}),
    plans: Sequence[AnyPlan] = (),
) -> Table:
    """Return the findings with growth and crossing dates, each with its plan's change and day.

    The plan of a line is the first one that judges its rule, else that of its resource.
    ``forecasts`` may lack the forecast of a line: its growth is then absent.
    """
    judging: dict[tuple[str, str], AnyPlan] = {}
    by_resource: dict[str, AnyPlan] = {}
    for plan in plans:
        by_resource.setdefault(plan.resource, plan)
        for key in plan.judged:
            judging.setdefault(key, plan)
    rows = []
    for line in lines:
        crossing = line.crossing
        forecast = forecasts.get((crossing.series_id, crossing.statistic)) if crossing else None
        plan_of_resource = by_resource.get(resource_path(line.finding.key))
        rows.append(_row(line, forecast, judging.get(line.key, plan_of_resource)))
    return Table(
        name="Findings",
        columns=columns(
            "Severity 0.8, Subject 1.2, Rule 1.75, Observed 1.6 right, Limit 1.2 right, "
            "Headroom 0.8 right, Growth a month 1.1 right, Exceeds the limit 1.25, "
            "Earliest 0.9 right, Expected 0.9 right, Latest 0.9 right, Passed in 90 d 0.8 right, "
            "Begin by 1 right, Change of its plan 1.9, Ticket 1.15"
        ),
        rows=tuple(rows),
        blank="Nothing is to act on or to watch.",
    )


def _row(line: FleetLine, forecast: Forecast | None, plan: AnyPlan | None) -> tuple[Cell, ...]:
    finding, crossing, observed = line.finding, line.crossing, cell_of(line.observed)
    noted = "; ".join(filter(None, (observed.note, line.observed_when_short)))
    shown = line.system_class if line.system_class and not line.is_production else None
    place = (line.sysplex, line.qsg, labels.CLASS_LABELS[shown] if shown else "")
    return (
        severity_cell(finding.severity),
        text_cell(" / ".join(line.names) or line.sysplex, " · ".join(filter(None, place))),
        text_cell(finding.title, line.rule_words),
        observed.model_copy(update={"note": noted}),
        cell_of(line.limit),
        headroom_cell(finding.headroom_ratio),
        _growth(line, forecast),
        text_cell(*line.when),
        *map(day_cell, crossing.dates if crossing else (None, None, None)),
        probability_cell(stated_probability(crossing, 90) if crossing else None),
        _due(line, plan),
        text_cell(change_words(plan), plan.about.label) if plan else text_cell(line.advice),
        text_cell(line.ticket.external_ref or "open" if line.ticket else None),
    )


def _growth(line: FleetLine, forecast: Forecast | None) -> Cell:
    fitted = growth_of([point.expected for point in forecast.points] if forecast else ())
    if fitted is None:
        return text_cell(None, "no forecast" if forecast is None or forecast.refusal else "")
    unit = line.crossing.unit if line.crossing else line.finding.unit
    note = "" if fitted.share is None else percent(fitted.share, signed=True)
    return cell_of(growth(fitted.a_month, unit), note=note, signed=True)


def _due(line: FleetLine, plan: AnyPlan | None) -> Cell:
    """Return the day of the plan; without one the last day for a change, at once when past."""
    if plan is not None:
        return day_cell(plan.due_date)
    is_past = line.due_date is not None and line.due_date <= line.finding.site_date
    if is_past or (line.is_over and line.finding.severity is not Severity.ok):
        return text_cell("at once")
    return day_cell(line.due_date)


FINDINGS: Final = SectionEntry(10, frozenset(ReportKind), findings)


BACK: Final = {ReportKind.weekly: timedelta(days=7), ReportKind.monthly: timedelta(days=28)}
"""How far back a report compares."""
PRINTED_ROWS: Final = 8
"""Changes on paper; the workbook has all (ours)."""
IN_ORDER: Final = {Severity.ok, Severity.suggestion}
"""Severities between which a change is neither worse nor better."""


class DayChange(NamedTuple):
    """A finding that is worse or better than on the day compared with."""

    is_worse: bool
    line: FleetLine
    words: str
    is_dated: bool = False
    """True when the severity is the same and only the expected date moved."""


def changed(basis: ReportBasis) -> Section:
    """Return what is worse or better than on the day compared with."""
    before = compared_date(basis)
    if before is None:
        text = "No earlier day was evaluated, so there is nothing to compare with."
        return Section(heading="What changed", sentences=(text,))
    summaries = read_finding_summaries(basis.engine, before)
    differences = changes(basis.lines, summaries, basis.settings.alerts.worse_by_days)
    moved = (change.line for change in differences if change.is_dated)
    reasons = why_moved(basis.engine, before, moved)
    table = Table(
        name="Changed",
        columns=columns("Turn 0.6, Subject 1.2, Rule 2, What changed 2"),
        rows=tuple(
            (
                text_cell("▲ worse" if change.is_worse else "▽ better"),
                text_cell(change.line.finding.subject),
                text_cell(change.line.finding.title, change.line.finding.rule_id),
                text_cell(f"{change.words}: {next(reasons)}" if change.is_dated else change.words),
            )
            for change in differences
        ),
        blank="Nothing changed: every finding has the severity it had, and no date moved much.",
        printed_rows=PRINTED_ROWS,
    )
    return Section(heading=f"What changed since {dates.day_words(before)}", tables=(table,))


def compared_date(basis: ReportBasis) -> date | None:
    """Return the evaluated day that a report compares with; ``None`` without an earlier one.

    That is the day before for the daily report. For the others it is the last day a week, or four
    weeks, ago or earlier, else the first one within them.
    """
    if basis.kind is ReportKind.daily:
        return previous_findings_date(basis.engine, basis.day)
    then = basis.day - BACK[basis.kind]
    earlier = previous_findings_date(basis.engine, then + timedelta(days=1))
    if earlier is not None:
        return earlier
    first = next_findings_date(basis.engine, then)
    return first if first is not None and first < basis.day else None


def changes(
    lines: Iterable[FleetLine], before: Mapping[tuple[str, str], FindingSummary], nearer_days: int
) -> list[DayChange]:
    """Return the changes in the order of the lines, the worse ones first.

    A severity that changed counts, so does an expected date that came nearer, or moved away, by
    ``nearer_days`` or more. A finding that the earlier day lacks counts when it is graded watch
    or act. What lost an input counts as a change to ``unknown``; that missing data arrived, and all
    is in order, is no news of capacity. Between ok and suggestion nothing counts, nor between two
    days whose figures have different units: the earlier one was evaluated by another release,
    which measured something else.
    """
    differences = (_change(line, before.get(line.key), nearer_days) for line in lines)
    counted = [change for change in differences if change is not None]
    return sorted(counted, key=lambda change: not change.is_worse)


def _change(line: FleetLine, before: FindingSummary | None, nearer_days: int) -> DayChange | None:
    now = line.finding.severity
    if before is None:
        words = f"new: {labels.SEVERITY_LABELS[now]}"
        counts = now.rank >= Severity.watch.rank
        return DayChange(True, line, words) if counts else None
    units = {line.finding.unit, before.unit} - {""}  # a finding without figures has none
    has_arrived = before.severity is Severity.unknown and now.rank < Severity.watch.rank
    if len(units) > 1 or {now, before.severity} == IN_ORDER or has_arrived:
        return None
    if now is not before.severity:
        words = f"{labels.SEVERITY_LABELS[before.severity]} → {labels.SEVERITY_LABELS[now]}"
        return DayChange(now.rank > before.severity.rank, line, words)
    return _moved(line, before.expected_date, nearer_days)


def _moved(line: FleetLine, before: date | None, nearer_days: int) -> DayChange | None:
    crossing = line.crossing
    now = crossing.expected_date if crossing else None
    if crossing is None or crossing.state is not CrossingState.will_cross:
        return None
    if now is None or before is None or abs((now - before).days) < nearer_days:
        return None
    days = (now - before).days
    moved = f"{abs(days)} days {'nearer' if days < 0 else 'later'}"
    return DayChange(days < 0, line, f"expected {dates.short_day(now)}, {moved}", is_dated=True)


CHANGED: Final = SectionEntry(20, frozenset(ReportKind), changed)


def losses(basis: ReportBasis) -> Section:
    """Return what each survivor of each loss carries, and what is to be changed before it."""
    found = sorted(read_losses(basis.engine, basis.day), key=lambda loss: (loss.kind, loss.lost))
    assumptions = dict.fromkeys(line for loss in found for line in loss.assumptions)
    heading = "Loss of a coupling facility or member"
    if not found:
        blank = "No coupling facility or member of a queue sharing group can be lost."
        return Section(is_detail=True, heading=heading, sentences=(blank,))
    return Section(
        is_detail=True,
        heading=heading,
        sentences=(NOTE, *assumptions),
        tables=(_carried(found), _details(found)),
    )


def _carried(found: Sequence[Loss]) -> Table:
    return Table(
        name="Losses",
        columns=columns("Lost 0.9, Severity 0.7, Survivor 0.7, What it carries 4"),
        rows=tuple(
            (
                text_cell(loss.lost),
                severity_cell(loss.severity),
                text_cell(survivor.name),
                text_cell(worst_text(loss, survivor)),
            )
            for loss in found
            for survivor in loss.survivors
        ),
    )


def _details(found: Sequence[Loss]) -> Table:
    return Table(
        name="Losses: what to change",
        columns=columns("Lost 0.9, What fails 2.4, Work stops 0.8, Change 3"),
        rows=tuple(
            (
                text_cell(loss.lost),
                text_cell(consequence(loss)),
                text_cell("" if stops is None else minutes_text(stops)),
                text_cell(" ".join(brief_lines(loss))),
            )
            for loss in found
            if loss.severity is not Severity.ok
            for stops in [loss.minutes_to_first_failure]
        ),
        blank="The survivors carry every loss.",
    )


LOSSES: Final = SectionEntry(45, frozenset({ReportKind.monthly}), losses, of_sysplexes=True)
