"""The table of owners: a row per queue manager or coupling facility, a column per resource.

A cell shows the most urgent finding; where nothing is to act on or to watch, how full it is.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import HeatColumn
from mqcap.domain.subject import Subject
from mqcap.presentation.finding_figures import now_and_limit
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.labels import SEVERITY_LABELS
from sizing.rulebook.registry import all_rules

_FACILITY: Final = {
    SubjectKind.coupling_facility, SubjectKind.structure, SubjectKind.group_structure,
}  # fmt: skip
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
        cells_of = [each for row in table.rows for each in row.cells.items()]
        seen = {resource for resource, cell in cells_of if cell.tells}
        table.resources.extend(column for column in HeatColumn if column in seen)
    return [table for table in tables.values() if table.rows], len(owned)


_KINDS: Final = ("Queue manager on z/OS", "Coupling facility", "Other platforms")


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
    severity = max(others, key=lambda each: each.rank)
    first = lines[0]
    if first.finding.severity.is_urgent:
        shown = (
            line
            for line in lines
            if line.finding.severity is first.finding.severity and not line.finding.is_event
        )
    else:
        shown = (line for line in lines if line.shows_fullness)
    return OwnerCell(severity, next(shown, first))
