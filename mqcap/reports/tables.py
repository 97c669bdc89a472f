"""Tables of reports, made of the lines of the fleet: figures and wording of the page."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from mqcap.domain.crossing import stated_probability
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import Forecast, growth_of
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import percent
from mqcap.domain.plan import AnyPlan
from mqcap.presentation import labels
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.quantities import growth
from mqcap.presentation.summary_words import change_words
from mqcap.queries.resources import resource_path
from mqcap.reports.day_over_day import DayChange, Turn
from mqcap.reports.document import (
    Cell,
    Column,
    Table,
    cell_of,
    day_cell,
    headroom_cell,
    probability_cell,
    text_cell,
)

Forecasts: TypeAlias = Mapping[tuple[str, Statistic], Forecast]
"""By series and statistic."""

NO_FORECASTS: Final[Forecasts] = MappingProxyType({})


def findings_table(
    lines: Sequence[FleetLine],
    forecasts: Forecasts = NO_FORECASTS,
    plans: Sequence[AnyPlan] = (),
) -> Table:
    """Return the findings with growth and crossing dates, each with its plan's change and day.

    ``forecasts`` may lack the forecast of a line: its growth is then absent.
    """
    of_lines = PlansOfLines(plans)
    return Table(
        name="Findings",
        columns=(
            Column(heading="Severity", width=0.8),
            Column(heading="Subject", width=1.2),
            Column(heading="Rule", width=1.75),
            Column(heading="Observed", width=1.6, right=True),
            Column(heading="Limit", width=1.2, right=True),
            Column(heading="Headroom", width=0.8, right=True),
            Column(heading="Growth a month", width=1.1, right=True),
            Column(heading="Exceeds the limit", width=1.25),
            Column(heading="Earliest", width=0.9, right=True),
            Column(heading="Expected", width=0.9, right=True),
            Column(heading="Latest", width=0.9, right=True),
            Column(heading="Passed in 90 d", width=0.8, right=True),
            Column(heading="Begin by", width=1.0, right=True),
            Column(heading="Change of its plan", width=1.9),
            Column(heading="Ticket", width=1.15),
        ),
        rows=tuple(_row(line, _forecast(line, forecasts), of_lines.of(line)) for line in lines),
        blank="Nothing is to act on or to watch.",
    )


def differences_table(changes: Iterable[DayChange]) -> Table:
    """Return what is worse or better than on the day compared with."""
    rows = [
        (
            text_cell("▲ worse" if change.turn is Turn.worse else "▽ better"),
            text_cell(change.line.finding.subject),
            text_cell(change.line.finding.title, change.line.finding.rule_id),
            text_cell(change.words),
        )
        for change in changes
    ]
    return Table(
        name="Changed",
        columns=(
            Column(heading="Turn", width=0.6),
            Column(heading="Subject", width=1.2),
            Column(heading="Rule", width=2.0),
            Column(heading="What changed", width=2.0),
        ),
        rows=tuple(rows),
        blank="Nothing changed: every finding has the severity it had, and no date moved much.",
    )


def severity_cell(severity: Severity) -> Cell:
    """Return the label of a severity with its sign."""
    sign = labels.SEVERITY_SIGNS[severity]
    return Cell(text=f"{sign} {labels.SEVERITY_LABELS[severity]}", severity=severity)


def _row(line: FleetLine, forecast: Forecast | None, plan: AnyPlan | None) -> tuple[Cell, ...]:
    finding, crossing = line.finding, line.crossing
    return (
        severity_cell(finding.severity),
        text_cell(" / ".join(line.names) or line.sysplex, _place(line)),
        text_cell(finding.title, line.rule_words),
        _measured(line),
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


class PlansOfLines:
    """The plans of lines: the one that judges the rule of a line, else that of its resource."""

    def __init__(self, plans: Sequence[AnyPlan]) -> None:
        """Index the plans, the first one counting; some may be losses in the form of plans."""
        self._judging: Final[dict[tuple[str, str], AnyPlan]] = {}
        self._by_resource: Final[dict[str, AnyPlan]] = {}
        for plan in plans:
            self._by_resource.setdefault(plan.resource, plan)
            for key in plan.judged:
                self._judging.setdefault(key, plan)

    def of(self, line: FleetLine) -> AnyPlan | None:
        """Return the plan of a line; ``None`` without one."""
        judging = self._judging.get(line.key)
        return judging or self._by_resource.get(resource_path(line.finding.key))


def _growth(line: FleetLine, forecast: Forecast | None) -> Cell:
    fitted = growth_of([point.expected for point in forecast.points] if forecast else ())
    if fitted is None:
        return text_cell(None, "no forecast" if forecast is None or forecast.refusal else "")
    unit = line.crossing.unit if line.crossing else line.finding.unit
    note = "" if fitted.share is None else percent(fitted.share, signed=True)
    return cell_of(growth(fitted.a_month, unit), note=note, signed=True)


def _measured(line: FleetLine) -> Cell:
    cell = cell_of(line.observed)
    return cell.model_copy(
        update={"note": "; ".join(filter(None, (cell.note, line.observed_when_short)))}
    )


def _place(line: FleetLine) -> str:
    shown = line.system_class and not line.is_production
    name = labels.CLASS_LABELS[line.system_class] if line.system_class and shown else ""
    return " · ".join(filter(None, (line.sysplex, line.qsg, name)))


def _due(line: FleetLine, plan: AnyPlan | None) -> Cell:
    """Return the day of the plan; without one the last day for a change, at once when past."""
    if plan is not None:
        return day_cell(plan.due_date)
    return text_cell("at once") if _at_once(line) else day_cell(line.due_date)


def _at_once(line: FleetLine) -> bool:
    if line.due_date is not None and line.due_date <= line.finding.site_date:
        return True
    return line.is_over and line.finding.severity is not Severity.ok


def _forecast(line: FleetLine, forecasts: Forecasts) -> Forecast | None:
    """Return the forecast of the statistic that the limit is compared with."""
    crossing = line.crossing
    return forecasts.get((crossing.series_id, crossing.statistic)) if crossing else None
