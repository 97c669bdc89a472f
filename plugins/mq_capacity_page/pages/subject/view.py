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
"""Findings to act on and to watch in the summary (ours)."""
FULL_FINDINGS: Final = 200
"""Most urgent findings of a sysplex that its page shows; owners' pages have all (ours)."""
FIRST_SERIES: Final = 500
"""Series that the page lists; the list of series has all (ours)."""


class SubjectSection(ViewModel):
    """Findings on one part of a subject, most urgent first."""

    name: str
    """A resource; of a sysplex, a queue manager or coupling facility."""
    lines: list[FleetLine]
    """The findings shown."""
    counts: dict[Severity, int]
    """Of all findings, shown or not."""
    subject: str
    """The subject whose page has all of them."""

    @property
    def further(self) -> int:
        """Number of findings that are not shown."""
        return sum(self.counts.values()) - len(self.lines)


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
    first_series: int = FIRST_SERIES
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


def sections_of(
    subject: str, lines: Sequence[FleetLine], full: int = FULL_FINDINGS
) -> list[SubjectSection]:
    """Return the lines by part, in the order of the most urgent line of each part.

    Of a sysplex, the first ``full`` lines and those on the sysplex itself are shown.
    """
    is_sysplex = SERIES_SEPARATOR not in subject
    parts: dict[str, list[FleetLine]] = {}
    shown: dict[str, list[FleetLine]] = {}
    for place, line in enumerate(lines):
        owner = line.names[0] if line.names else line.sysplex
        name = owner if is_sysplex else line.resource
        parts.setdefault(name, []).append(line)
        if place < full or not is_sysplex or not line.names:
            shown.setdefault(name, []).append(line)
    return [
        SubjectSection(
            name=name,
            lines=shown.get(name, []),
            counts=fleet.counts(part),
            subject=f"{subject}{SERIES_SEPARATOR}{name}" if is_sysplex else subject,
        )
        for name, part in parts.items()
    ]
