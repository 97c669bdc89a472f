"""The heat table: one row per queue manager or coupling facility, one column per resource.

Rows of different kinds have hardly a column in common, so a page shows a table for each kind.

A cell has all findings of its row and resource and shows one of them, with its rule and figure:
the most urgent one. Where nothing is to act on or to watch, it shows how full the resource is:
settings and limits that are a series' own past say nothing of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from pydantic import BaseModel

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
_URGENT: Final = frozenset({Severity.act, Severity.watch})


class HeatCell(BaseModel, frozen=True):
    """Findings of a row about one resource."""

    resource: HeatColumn
    worst: FleetLine
    """The one whose rule and figure are shown."""
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
        finding = self.worst.finding
        is_urgent = finding.severity in _URGENT and finding.headroom_ratio is not None
        if self.worst.shows_fullness or is_urgent:
            return self.worst.of_limit
        return SEVERITY_LABELS[self.severity]

    @property
    def label(self) -> str:
        """The rule that the figure is of, with the part of the row: ``BP-FREE-15, BP01``."""
        kind = _subject_kind(self.worst)
        part = [] if kind is SubjectKind.channel_initiator else self.worst.names[1:]
        return ", ".join((self.worst.finding.rule_id, *part))


class HeatRow(BaseModel, frozen=True):
    """A queue manager, coupling facility or sysplex with all that is below it."""

    subject: str
    name: str
    sysplex: str
    qsg: str
    system_class: SystemClass | None
    kind: RowKind
    cells: dict[HeatColumn, HeatCell]
    """By resource; a resource without findings is absent."""

    def cell(self, resource: HeatColumn) -> HeatCell | None:
        """Return the cell of a resource, ``None`` when no rule was evaluated for it."""
        return self.cells.get(resource)


class HeatTable(BaseModel, frozen=True):
    """Rows by the urgency of their most urgent finding; columns in a fixed order."""

    resources: tuple[HeatColumn, ...]
    rows: tuple[HeatRow, ...]

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
    return HeatTable(resources=resources, rows=tuple(rows))


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
        cells={resource: _cell(resource, items) for resource, items in by_resource.items()},
    )


def _kind(lines: Iterable[FleetLine]) -> RowKind:
    """Return what the subjects are; a rule that this release does not have says nothing of it."""
    kinds = set(filter(None, map(_subject_kind, lines)))
    if kinds - _ON_ZOS - _FACILITY:
        return RowKind.other
    return RowKind.coupling_facility if kinds & _FACILITY else RowKind.queue_manager


def _cell(resource: HeatColumn, lines: Sequence[FleetLine]) -> HeatCell:
    return HeatCell(resource=resource, worst=_worst(lines), counts=counts(lines))


def _worst(lines: Sequence[FleetLine]) -> FleetLine:
    """Return the most urgent line; below ``watch`` the first that says how full something is.

    What the console reported has no figure: one of the same severity that has stands for it.
    """
    first = lines[0]
    if first.finding.severity in _URGENT:
        alike = (line for line in lines if line.finding.severity is first.finding.severity)
        return next((line for line in alike if not line.finding.is_event), first)
    return next((line for line in lines if line.shows_fullness), first)


def _subject_kind(line: FleetLine) -> SubjectKind | None:
    """Return what a rule is about; ``None`` for one that this release does not have."""
    rule = all_rules().get(line.finding.rule_id)
    return None if rule is None else rule.traits.subject_kind
