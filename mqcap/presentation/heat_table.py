"""The heat table: one row per queue manager or coupling facility, one column per resource.

A cell has all findings of its row and resource, so that the counts of all cells add up to the
findings. It shows the most urgent one; where nothing is to act on or to watch, it shows how full
the resource is: settings and limits that are a series' own past say nothing of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.presentation.fleet import FleetLine, counts
from mqcap.presentation.labels import OTHER_RESOURCE, SEVERITY_LABELS

RESOURCE_ORDER: Final = (
    "Active log",
    "Chinit storage",
    "Channels",
    "Buffer pool",
    "Page set",
    "CF processor",
    "CF storage",
    "CF structure",
    OTHER_RESOURCE,
)


class HeatCell(BaseModel):
    """Findings of a row about one resource."""

    model_config = ConfigDict(frozen=True)

    resource: str
    worst: FleetLine
    """The one whose figure and date are shown."""
    counts: dict[Severity, int]

    @property
    def severity(self) -> Severity:
        """The most severe of its findings, which is not always the most urgent.

        A suggestion is the severity of a cell only where there is nothing else.
        """
        found = [severity for severity, count in self.counts.items() if count]
        others = [severity for severity in found if severity is not Severity.suggestion]
        return max(others or found, key=lambda severity: severity.rank)

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
    cells: dict[str, HeatCell]
    """By resource; a resource without findings is absent."""
    total: int

    def cell(self, resource: str) -> HeatCell | None:
        """Return the cell of a resource, ``None`` when no rule was evaluated for it."""
        return self.cells.get(resource)


class HeatTable(BaseModel):
    """Rows by the urgency of their most urgent finding; columns in a fixed order."""

    model_config = ConfigDict(frozen=True)

    resources: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    totals: dict[str, int]
    """By resource: number of findings."""


def heat_table(lines: Sequence[FleetLine]) -> HeatTable:
    """Return the table of lines that are sorted by urgency."""
    owned: dict[tuple[str, str], list[FleetLine]] = {}
    for line in lines:
        owned.setdefault(_owner(line), []).append(line)
    rows = tuple(_row(*owner, findings) for owner, findings in owned.items())
    seen = {line.resource for line in lines}
    resources = tuple(sorted(seen, key=_order))
    totals = {
        resource: sum(row.cells[resource].total for row in rows if resource in row.cells)
        for resource in resources
    }
    return HeatTable(resources=resources, rows=rows, totals=totals)


def _owner(line: FleetLine) -> tuple[str, str]:
    return line.sysplex, line.names[0] if line.names else ""


def _row(sysplex: str, name: str, lines: Sequence[FleetLine]) -> HeatRow:
    by_resource: dict[str, list[FleetLine]] = {}
    for line in lines:
        by_resource.setdefault(line.resource, []).append(line)
    first = lines[0]
    return HeatRow(
        subject=f"{sysplex}/{name}" if name else sysplex,
        name=name or sysplex,
        sysplex=sysplex,
        qsg=first.qsg,
        system_class=first.system_class,
        cells={
            resource: HeatCell(resource=resource, worst=_worst(items), counts=counts(items))
            for resource, items in by_resource.items()
        },
        total=len(lines),
    )


def _worst(lines: Sequence[FleetLine]) -> FleetLine:
    """Return the most urgent line; below ``watch`` the first that says how full something is."""
    if lines[0].finding.severity in {Severity.act, Severity.watch}:
        return lines[0]
    return next((line for line in lines if line.shows_fullness), lines[0])


def _order(resource: str) -> tuple[int, str]:
    is_listed = resource in RESOURCE_ORDER
    return RESOURCE_ORDER.index(resource) if is_listed else len(RESOURCE_ORDER), resource
