"""Resources: a table of owners, what is known of one of them, and one resource."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from mq_capacity_page.pages.board.view import board_rows
from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.pages.series.panel import PanelQuery
from mq_capacity_page.pages.series.view import series_block
from mq_capacity_page.pages.whatif.form import LOSE, parameters_of
from mq_capacity_page.web.context import PageContext, View, fleet_lines_on, search_series
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.resource import HeatColumn
from mqcap.domain.subject import Subject
from mqcap.losses.cell import LossCell
from mqcap.losses.model import Loss, with_plans
from mqcap.losses.text.sentences import amount_text, consequence, state_text, stops_text
from mqcap.presentation.cost_text import (
    candidate_rows,
    missing_lines,
    move_row,
    notes,
    unit_cost_row,
)
from mqcap.presentation.dates import short_day
from mqcap.presentation.fleet import FleetLine, now_and_limit
from mqcap.presentation.labels import SEVERITY_LABELS
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.queries.resources import resource_label, resource_name, resource_path
from mqcap.queries.summaries import kept_summaries_on
from mqcap.store.plans import find_plan, read_losses, read_plans
from mqcap.store.series import find_series
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
    SubjectKind.coupling_facility,
    SubjectKind.structure,
    SubjectKind.group_structure,
}
_KINDS: Final = ("Queue manager on z/OS", "Coupling facility", "Other platforms")
_ON_ZOS: Final = {
    SubjectKind.queue_manager,
    SubjectKind.channel_initiator,
    SubjectKind.buffer_pool,
    SubjectKind.page_set,
}


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


LOSS: Final = "/loss"
MOST_FIGURES: Final = 5
"""Figures of survivors that are shown, those that decide first (ours)."""


def shown_loss(context: PageContext, path: str, day: date) -> View | None:
    """Return the loss that a path is about; ``None`` for other resources.

    ``question`` has the parameters of the what-if form that loses it, ``answer`` those that lose it
    with its changes and the plans of the day; empty without changes.
    """
    if not path.endswith(LOSS):
        return None
    lost = path.removesuffix(LOSS)
    losses = read_losses(context.engine, day)
    loss = next((loss for loss in losses if loss.lost == lost), None)
    if loss is None:
        return None
    changes = {}
    if loss.changes is not None:
        changes = parameters_of(with_plans(loss, read_plans(context.engine, day)))
    deciding = loss.decisive_cells
    cells = sorted(loss.cells, key=lambda cell: (cell in deciding, cell.shown_rank), reverse=True)
    return View(
        lost=lost,
        consequence=consequence(loss),
        figures=[_figure(loss, cell) for cell in cells[:MOST_FIGURES]],
        further=max(0, len(cells) - MOST_FIGURES),
        assumptions=loss.assumptions,
        question={"subject": lost, LOSE: lost},
        answer={**changes, LOSE: lost} if changes else {},
    )


def _figure(loss: Loss, cell: LossCell) -> View:
    planned = [same for same in loss.planned_cells if same.key == cell.key] if cell.fails else []
    return View(
        survivor=f"{cell.survivor.name} {cell.quantity.label}",
        of_limit=amount_text(cell),
        fails=cell.fails,
        fails_from=short_day(cell.fails_from) if cell.fails_from else "",
        with_plans=state_text(planned[0]) if planned else "",
        work_stops=stops_text(cell),
    )


MOST_CHARTED: Final = 4
"""Rules whose figures are offered for the chart (ours)."""


def resource_view(
    context: PageContext,
    path: str,
    day: date,
    query: PanelQuery,
    statistic: Statistic | None = None,
) -> View | None:
    """Return one resource; ``None`` where no rule and no plan is about it.

    Its ``row`` is that of the board, ``None`` where nothing is to be decided; ``block`` is ``None``
    where no series is compared with a limit of it; ``charted`` are rules that a chart can show.
    """
    owner = Subject(path).owner
    every = fleet_lines_on(context, day, owner)
    lines = [line for line in every if resource_path(line.finding.key) == path]
    summaries = kept_summaries_on(context.engine, day, context.settings)
    row = next((summary for summary in summaries if summary.resource == path), None)
    if not lines and row is None:
        return None
    chosen = charted(row, lines, query)
    facts = find_series(context.engine, chosen[0]) if chosen else None
    block = None
    if chosen and facts:
        shown = query._replace(statistic=statistic or chosen[1], rule=chosen[2])
        block = series_block(context, facts, day, shown)
    tickets = [line.ticket for line in lines if line.ticket]
    return View(
        path=path,
        name=row.title if row else resource_name(lines[0].finding.key),
        owner_subject=owner,
        row=board_rows(context, day, [row])[0] if row else None,
        plan=find_plan(context.engine, path, day),
        lines=lines,
        block=block,
        rule=chosen[2] if chosen else "",
        charted=[
            (line.finding.rule_id, line.finding.title) for line in lines if line.finding.series_id
        ][:MOST_CHARTED],
        tickets=list({ticket.dedupe_key: ticket for ticket in tickets}.values()),
        loss=shown_loss(context, path, day),
    )


def charted(
    row: PlanSummary | None, lines: Sequence[FleetLine], query: PanelQuery
) -> tuple[str, Statistic, str] | None:
    """Return series, statistic and rule of the chart: asked for, else of the row or worst."""
    with_series = [line.finding for line in lines if line.finding.series_id]
    named = [line for line in with_series if line.rule_id == query.rule]
    if not named and row is not None and row.series is not None:
        return row.series.series_id, row.series.statistic, row.rule_id
    for each in named or with_series:
        if each.series_id is not None:
            return each.series_id, each.statistic or Statistic.peak, each.rule_id
    return None
