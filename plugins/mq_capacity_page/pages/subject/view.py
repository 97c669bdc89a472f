"""Subject and everything below it: a summary, then its findings by part and its series."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.plan.cards import PlansByKey, plans_by_key
from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.presentation import fleet
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.transport_text import (
    BASIS,
    CANDIDATE_HEADINGS,
    MOVE_HEADINGS,
    candidate_rows,
    missing_lines,
    move_rows,
)
from mqcap.presentation.unit_cost_text import UnitCostRow, unit_cost_rows
from mqcap.store.models import SeriesFacts
from mqcap.store.plans import read_plans
from mqcap.store.series import series_as_of, series_below
from mqcap.transports.moves import channel_moves
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.learnt import UnitCosts

FIRST_URGENT: Final = 12
"""Findings to act on and to watch in the summary; all are in the sections (ours)."""


class SubjectSection(ViewModel):
    """Findings on one part of a subject, most urgent first."""

    name: str
    """A resource; of a sysplex, a queue manager or coupling facility."""
    lines: list[FleetLine]
    counts: dict[Severity, int]


class TransportSection(ViewModel):
    """Channels within a sysplex, ranked, with the transports that they could move to."""

    headings: tuple[str, ...] = MOVE_HEADINGS
    moves: list[tuple[str, ...]]
    candidate_headings: tuple[str, ...] = CANDIDATE_HEADINGS
    candidates: list[tuple[str, ...]]
    notes: list[str]
    """Keys of the settings that are missing, and what the figures rest on."""


class SubjectView(ViewModel):
    """Subject on a day."""

    subject: str
    lines: list[FleetLine]
    counts: dict[Severity, int]
    plans: PlansByKey
    """The plan of the resource of each finding, by its rule and subject."""
    urgent: list[FleetLine]
    """Findings to act on and to watch."""
    first_urgent: int = FIRST_URGENT
    sections: list[SubjectSection]
    series: list[SeriesFacts]
    unit_costs: list[UnitCostRow]
    """What is learnt of a subject below a sysplex; empty of a sysplex, which has many."""
    transports: TransportSection | None
    """Of a sysplex or queue manager; ``None`` without channels between its queue managers."""


def subject_view(context: PageContext, name: str, day: date | None) -> SubjectView | None:
    """Return findings and series of a subject and of what is below it; ``None`` if it has none."""
    below = series_below(context.engine, name)
    lines = fleet_lines_on(context, day, name) if day else []
    view = SubjectView(
        subject=name,
        lines=lines,
        counts=fleet.counts(lines),
        plans=plans_by_key(read_plans(context.engine, day), lines) if day else {},
        urgent=[line for line in lines if line.finding.severity in {Severity.act, Severity.watch}],
        sections=sections_of(name, lines),
        series=series_as_of(context.engine, below, day) if day else below,
        unit_costs=_unit_costs(context, name, day) if day else [],
        transports=_transports(context, name, day) if day else None,
    )
    return view if view.lines or view.series else None


def _unit_costs(context: PageContext, name: str, day: date) -> list[UnitCostRow]:
    if SERIES_SEPARATOR not in name:
        return []
    costs = UnitCosts(context.settings, context.engine, day, name)
    return unit_cost_rows(costs.below(name))


def _transports(context: PageContext, name: str, day: date) -> TransportSection | None:
    sysplex, *rest = name.split(SERIES_SEPARATOR)
    estate = context.estate
    is_facility = len(rest) == 1 and estate.coupling_facility(sysplex, rest[0]) is not None
    if len(rest) > 1 or is_facility or sysplex in {place.site for place in estate.places}:
        return None
    moves = channel_moves(LearningData(context.settings, context.engine, day), name)
    if not moves:
        return None
    return TransportSection(
        moves=[tuple(row) for row in move_rows(moves)],
        candidates=[tuple(row) for row in candidate_rows(moves)],
        notes=[*missing_lines(moves), *BASIS],
    )


def sections_of(subject: str, lines: Sequence[FleetLine]) -> list[SubjectSection]:
    """Return the lines by part, in the order of the most urgent line of each part."""
    is_sysplex = SERIES_SEPARATOR not in subject
    parts: dict[str, list[FleetLine]] = {}
    for line in lines:
        owner = line.names[0] if line.names else line.sysplex
        parts.setdefault(owner if is_sysplex else line.resource, []).append(line)
    return [
        SubjectSection(name=name, lines=part, counts=fleet.counts(part))
        for name, part in parts.items()
    ]
