"""Resources: a table of owners, or what is known of one of them."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.queries import fleet_lines_on, search_series
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import HeatColumn
from mqcap.domain.subject import Subject
from mqcap.presentation.fleet import FleetLine, now_and_limit
from mqcap.presentation.labels import SEVERITY_LABELS
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.transport_text import candidate_rows, missing_lines, move_row
from mqcap.presentation.unit_cost_text import notes, unit_cost_row
from mqcap.queries.resources import resource_label, resource_path
from mqcap.queries.summaries import kept_summaries_on
from mqcap.transports.moves import channel_moves
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.learnt import UnitCosts
from sizing.rulebook.registry import all_rules

NAVIGATION: Final = NavigationEntry("resources", "Resources", "resources", order=20)

FIRST_OWNERS: Final = 20
"""Owners until all are asked for (ours)."""
MOST_SERIES: Final = 60
"""Series that are listed of a search (ours)."""
_FACILITY: Final = {
    SubjectKind.coupling_facility, SubjectKind.structure, SubjectKind.group_structure,
}  # fmt: skip
_KINDS: Final = ("Queue manager on z/OS", "Coupling facility", "Other platforms")
_ON_ZOS: Final = {
    SubjectKind.queue_manager, SubjectKind.channel_initiator, SubjectKind.buffer_pool,
    SubjectKind.page_set,
}  # fmt: skip


class OwnerCell(NamedTuple):
    """Findings of an owner about one resource."""

    severity: Severity
    """The highest; a suggestion only where there is nothing else."""
    worst: FleetLine
    """The one that is shown."""

    @property
    def figure(self) -> str:
        """Observed and limit of the finding that is shown, else the severity.

        Of a percentage the figure alone: there is no room for its limit.
        """
        finding = self.worst.finding
        is_urgent = finding.severity.is_urgent and finding.headroom_ratio is not None
        if not self.worst.shows_fullness and not is_urgent:
            return SEVERITY_LABELS[self.severity]
        now, _ = now_and_limit(finding)
        return now if finding.unit == "%" else self.worst.of_limit

    @property
    def tells(self) -> bool:
        """Return whether it says more than that all is in order."""
        return self.figure != SEVERITY_LABELS[Severity.ok]


class OwnerRow(NamedTuple):
    """A queue manager, coupling facility or sysplex with all that is below it."""

    subject: str
    first: FleetLine
    """The most urgent one."""
    cells: dict[HeatColumn, OwnerCell]


class OwnerTable(NamedTuple):
    """Owners of one kind, most urgent first, with the columns that those have."""

    kind: str
    resources: list[HeatColumn]
    rows: list[OwnerRow]


def owner_tables(lines: Sequence[FleetLine], most: int) -> tuple[list[OwnerTable], int]:
    """Return a table by kind of at most so many owners, and how many owners there are.

    Lines are sorted by urgency.
    """
    owned: dict[str, list[FleetLine]] = {}
    for line in lines:
        owned.setdefault(Subject.of(line.sysplex, *line.names[:1]), []).append(line)
    tables = {kind: OwnerTable(kind, [], []) for kind in _KINDS}
    for subject, of_owner in list(owned.items())[:most]:
        by_resource: dict[HeatColumn, list[FleetLine]] = {}
        for line in of_owner:
            by_resource.setdefault(line.resource, []).append(line)
        cells = {resource: _cell(found) for resource, found in by_resource.items()}
        tables[_kind(of_owner)].rows.append(OwnerRow(subject, of_owner[0], cells))
    for table in tables.values():
        cells_of = [item for row in table.rows for item in row.cells.items()]
        seen = {resource for resource, cell in cells_of if cell.tells}
        table.resources.extend(column for column in HeatColumn if column in seen)
    return [table for table in tables.values() if table.rows], len(owned)


def _kind(lines: Sequence[FleetLine]) -> str:
    """Return what the subjects are; a rule that this release does not have says nothing of it."""
    known = (all_rules().get(line.finding.rule_id) for line in lines)
    kinds = {rule.traits.subject_kind for rule in known if rule}
    if kinds - _ON_ZOS - _FACILITY:
        return _KINDS[2]
    return _KINDS[1] if kinds & _FACILITY else _KINDS[0]


def _cell(lines: Sequence[FleetLine]) -> OwnerCell:
    """Return the most urgent line; below ``watch`` the first that says how full something is.

    What the console reported has no figure: one of the same severity that has stands for it.
    """
    severities = {line.finding.severity for line in lines}
    others = severities - {Severity.suggestion} or severities
    severity = max(others, key=lambda other: other.rank)
    first = lines[0]
    shown = (line for line in lines if line.shows_fullness)
    if first.finding.severity.is_urgent:
        alike = (line for line in lines if line.finding.severity is first.finding.severity)
        shown = (line for line in alike if not line.finding.is_event)
    return OwnerCell(severity, next(shown, first))


def resources_view(context: PageContext, day: date, name: str, find: str, rows: int) -> View:
    """Return all owners; with a ``name`` or a search the resources and series that it finds."""
    lines = fleet_lines_on(context, day, name)
    matches = search_series(context, find or name, day) if find or name else []
    if name:
        matches = [match for match in matches if match.subject.is_within(name)]
    owners, owner_count = owner_tables(lines, rows)
    is_list = bool(name or find)
    costs = []
    if Subject(name).in_sysplex:
        costs = UnitCosts(context.settings, context.engine, day, name).below(name)
    return View(
        name=name,
        find=find,
        owners=[] if is_list else owners,
        owner_count=owner_count,
        resources=_resources(context, day, lines, find) if is_list else [],
        series=matches[:MOST_SERIES],
        series_count=len(matches),
        unit_costs=[(unit_cost_row(cost), notes(cost)) for cost in costs],
        transports=_transports(context, name, day),
    )


def _resources(
    context: PageContext, day: date, lines: Sequence[FleetLine], find: str
) -> list[View]:
    """Return a line for each resource, most urgent first, with its row of the board if it has one.

    Its ``figure`` is the worst finding with one, which what the console reported has not.
    """
    by_path: dict[str, list[FleetLine]] = {}
    for line in lines:
        by_path.setdefault(resource_path(line.finding.key), []).append(line)
    wanted = find.strip().casefold()
    summaries = kept_summaries_on(context.engine, day, context.settings)
    rows: dict[str, PlanSummary] = {row.resource: row for row in summaries}
    return [
        View(
            path=path,
            name=rows[path].title if path in rows else resource_label(of_path[0].finding.key),
            severity=of_path[0].finding.severity,
            row=rows.get(path),
            happened=next((line.finding.title for line in of_path if line.finding.is_event), ""),
            figure=next((line for line in of_path if not line.finding.is_event), of_path[0]),
        )
        for path, of_path in by_path.items()
        if wanted in f"{path} {resource_label(of_path[0].finding.key)}".casefold()
    ]


def _transports(context: PageContext, name: str, day: date) -> View | None:
    sysplex, *rest = Subject(name).names
    estate = context.estate
    is_facility = len(rest) == 1 and estate.coupling_facility(sysplex, rest[0]) is not None
    is_site = sysplex in {place.site for place in estate.places}
    if not name or len(rest) > 1 or is_facility or is_site:
        return None
    moves = channel_moves(LearningData(context.settings, context.engine, day), name)
    if not moves:
        return None
    return View(
        moves=[move_row(move) for move in moves],
        candidates=candidate_rows(moves),
        notes=missing_lines(moves),
    )
