"""Resources: a table of owners, or what is known of one of them."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.pages.resources.owners import OwnerTable, owner_tables
from mq_capacity_page.queries import fleet_lines_on, search_series
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.finding import Severity
from mqcap.domain.subject import Subject
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.transport_text import candidate_rows, missing_lines, move_row
from mqcap.presentation.unit_cost_text import notes, unit_cost_row
from mqcap.queries.resources import resource_label, resource_path
from mqcap.queries.summaries import kept_summaries_on
from mqcap.store.models import SeriesFacts
from mqcap.transports.moves import channel_moves
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.learnt import UnitCosts

NAVIGATION: Final = NavigationEntry("resources", "Resources", "resources", order=20)

FIRST_OWNERS: Final = 20
"""Owners until all are asked for (ours)."""
MOST_SERIES: Final = 60
"""Series that are listed of a search (ours)."""


class ResourceLine(ViewModel):
    """A resource with its worst finding."""

    path: str
    name: str
    severity: Severity
    """That of its worst finding."""
    row: PlanSummary | None
    """Its row of the board; ``None`` where nothing is to be decided."""
    happened: str
    """What the console reported of it, where the board has no row of it; else empty."""
    figure: FleetLine
    """The worst finding with a figure, which what the console reported has not; else the worst."""


class TransportSection(ViewModel):
    """Channels within a sysplex, ranked, with the transports that they could move to."""

    moves: list[dict[str, str]]
    candidates: list[dict[str, str]]
    notes: list[str]


class ResourcesView(ViewModel):
    """Owners, or the resources and series of one subject."""

    name: str
    find: str
    owners: Sequence[OwnerTable]
    """By kind of owner; empty with a subject or a search."""
    owner_count: int
    resources: Sequence[ResourceLine]
    series: Sequence[SeriesFacts]
    series_count: int
    unit_costs: Sequence[tuple[dict[str, str], tuple[str, ...]]]
    """Each learnt cost by heading, with its notes."""
    transports: TransportSection | None


def resources_view(
    context: PageContext, day: date, name: str, find: str, rows: int
) -> ResourcesView:
    """Return all owners; with a ``name`` or a search the resources and series that it finds."""
    lines = fleet_lines_on(context, day, name)
    matches, _ = search_series(context, find or name, day) if find or name else ([], 0)
    if name:
        matches = [each for each in matches if Subject(each.subject).is_within(name)]
    owners, owner_count = owner_tables(lines, rows)
    is_list = bool(name or find)
    return ResourcesView(
        name=name,
        find=find,
        owners=[] if is_list else owners,
        owner_count=owner_count,
        resources=_resources(context, day, lines, find) if is_list else [],
        series=matches[:MOST_SERIES],
        series_count=len(matches),
        unit_costs=_unit_costs(context, name, day),
        transports=_transports(context, name, day),
    )


def _resources(
    context: PageContext, day: date, lines: Sequence[FleetLine], find: str
) -> list[ResourceLine]:
    """Return a line for each resource, most urgent first."""
    by_path: dict[str, list[FleetLine]] = {}
    for line in lines:
        by_path.setdefault(resource_path(line.finding.key), []).append(line)
    wanted = find.strip().casefold()
    every = kept_summaries_on(context.engine, day, context.settings)
    rows = {row.resource: row for row in every}
    return [
        ResourceLine(
            path=path,
            name=rows[path].title if path in rows else resource_label(of_path[0].finding.key),
            severity=of_path[0].finding.severity,
            row=rows.get(path),
            happened=next((each.finding.title for each in of_path if each.finding.is_event), ""),
            figure=next((line for line in of_path if not line.finding.is_event), of_path[0]),
        )
        for path, of_path in by_path.items()
        if wanted in f"{path} {resource_label(of_path[0].finding.key)}".casefold()
    ]


def _unit_costs(
    context: PageContext, name: str, day: date
) -> list[tuple[dict[str, str], tuple[str, ...]]]:
    if not Subject(name).in_sysplex:
        return []
    costs = UnitCosts(context.settings, context.engine, day, name).below(name)
    return [(unit_cost_row(cost), notes(cost)) for cost in costs]


def _transports(context: PageContext, name: str, day: date) -> TransportSection | None:
    sysplex, *rest = Subject(name).names
    estate = context.estate
    is_facility = len(rest) == 1 and estate.coupling_facility(sysplex, rest[0]) is not None
    is_site = sysplex in {place.site for place in estate.places}
    if not name or len(rest) > 1 or is_facility or is_site:
        return None
    moves = channel_moves(LearningData(context.settings, context.engine, day), name)
    if not moves:
        return None
    return TransportSection(
        moves=[move_row(move) for move in moves],
        candidates=candidate_rows(moves),
        notes=missing_lines(moves),
    )
