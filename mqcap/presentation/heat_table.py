"""The heat table: one row per queue manager or coupling facility, one column per resource.

Rows of different kinds have hardly a column in common, so a page shows a table for each kind.

A cell has all findings of its row and resource, so that the counts of all cells add up to the
findings. It shows the most urgent one; where nothing is to act on or to watch, it shows how full
the resource is: settings and limits that are a series' own past say nothing of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import HeatColumn
from mqcap.presentation.fleet import FleetLine, counts
from mqcap.presentation.labels import SEVERITY_LABELS
from sizing.rulebook.registry import all_rules


class RowKind(StrEnum):
    """What a row is; the values are the headings of their tables, in this order."""

    queue_manager = "Queue manager on z/OS"
    coupling_facility = "Coupling facility"
    other = "Other platforms"


_FACILITY: Final = frozenset(
    {SubjectKind.coupling_facility, SubjectKind.structure, SubjectKind.group_structure}
)
_ON_ZOS: Final = frozenset(
    {
        SubjectKind.queue_manager,
        SubjectKind.channel_initiator,
        SubjectKind.buffer_pool,
        SubjectKind.page_set,
    }
)


class HeatCell(BaseModel):
    """Findings of a row about one resource."""

    model_config = ConfigDict(frozen=True)

    resource: HeatColumn
    worst: FleetLine
    """The one whose figure and date are shown."""
    counts: dict[Severity, int]

    @property
    def severity(self) -> Severity:
        """The most severe of its findings, which is not always the most urgent.

        A suggestion is the severity of a cell only where there is nothing else.
        """
        present = [severity for severity, count in self.counts.items() if count]
        others = [severity for severity in present if severity is not Severity.suggestion]
        return max(others or present, key=lambda severity: severity.rank)

    @property
    def figure(self) -> str:
        """Observed and limit of the finding that is shown, else the severity."""
        if self.worst.shows_fullness:
            return self.worst.of_limit
        return SEVERITY_LABELS[self.severity]

    @property
    def total(self) -> int:
        """Number of findings in the cell."""
        return sum(self.counts.values())


class HeatRow(BaseModel):
    """A queue manager, coupling facility or sysplex with all that is below it."""

    model_config = ConfigDict(frozen=True)

    subject: str
    name: str
    sysplex: str
    qsg: str
    system_class: SystemClass | None
    kind: RowKind
    cells: dict[HeatColumn, HeatCell]
    """By resource; a resource without findings is absent."""
    total: int

    def cell(self, resource: HeatColumn) -> HeatCell | None:
        """Return the cell of a resource, ``None`` when no rule was evaluated for it."""
        return self.cells.get(resource)


class HeatTable(BaseModel):
    """Rows by the urgency of their most urgent finding; columns in a fixed order."""

    model_config = ConfigDict(frozen=True)

    resources: tuple[HeatColumn, ...]
    rows: tuple[HeatRow, ...]
    totals: dict[HeatColumn, int]
    """By resource: number of findings."""

    def by_kind(self) -> tuple[tuple[RowKind, HeatTable], ...]:
        """Return a table of the rows of each kind that occurs, with the columns that those have."""
        rows = {kind: [row for row in self.rows if row.kind is kind] for kind in RowKind}
        return tuple((kind, _table(found)) for kind, found in rows.items() if found)


def heat_table(lines: Sequence[FleetLine]) -> HeatTable:
    """Return the table of lines that are sorted by urgency."""
    owned: dict[tuple[str, str], list[FleetLine]] = {}
    for line in lines:
        owned.setdefault(_owner(line), []).append(line)
    return _table([_row(*owner, findings) for owner, findings in owned.items()])


def _table(rows: Sequence[HeatRow]) -> HeatTable:
    seen = {resource for row in rows for resource in row.cells}
    resources = tuple(column for column in HeatColumn if column in seen)
    totals = {
        resource: sum(row.cells[resource].total for row in rows if resource in row.cells)
        for resource in resources
    }
    return HeatTable(resources=resources, rows=tuple(rows), totals=totals)


def _owner(line: FleetLine) -> tuple[str, str]:
    return line.sysplex, line.names[0] if line.names else ""


def _row(sysplex: str, name: str, lines: Sequence[FleetLine]) -> HeatRow:
    by_resource: dict[HeatColumn, list[FleetLine]] = {}
    for line in lines:
        by_resource.setdefault(line.resource, []).append(line)
    first = lines[0]
    return HeatRow(
        subject=f"{sysplex}/{name}" if name else sysplex,
        name=name or sysplex,
        sysplex=sysplex,
        qsg=first.qsg,
        system_class=first.system_class,
        kind=_kind(lines),
        cells={
            resource: HeatCell(resource=resource, worst=_worst(items), counts=counts(items))
            for resource, items in by_resource.items()
        },
        total=len(lines),
    )


def _kind(lines: Iterable[FleetLine]) -> RowKind:
    """Return what the subjects are; a rule that this release does not have says nothing of it."""
    known = all_rules()
    rules = (known.get(line.finding.rule_id) for line in lines)
    kinds = {rule.traits.subject_kind for rule in rules if rule is not None}
    if kinds - _ON_ZOS - _FACILITY:
        return RowKind.other
    return RowKind.coupling_facility if kinds & _FACILITY else RowKind.queue_manager


def _worst(lines: Sequence[FleetLine]) -> FleetLine:
    """Return the most urgent line; below ``watch`` the first that says how full something is."""
    if lines[0].finding.severity in {Severity.act, Severity.watch}:
        return lines[0]
    return next((line for line in lines if line.shows_fullness), lines[0])
