"""Section of the findings to act on and to watch, and of other limits with a forecast."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from mqcap.domain.crossing import stated_probability
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import Forecast, growth_of
from mqcap.domain.numbers import percent
from mqcap.domain.plan import AnyPlan
from mqcap.presentation import labels
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.quantities import growth
from mqcap.presentation.summary_words import change_words
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
from mqcap.reports.registry import Forecasts, ReportBasis, SectionEntry


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


SECTION: Final = SectionEntry(10, frozenset(ReportKind), findings)
