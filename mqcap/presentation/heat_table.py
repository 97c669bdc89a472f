"""The heat table: one row per queue manager or coupling facility, one column per resource.

A cell stands for every finding of its row and resource and shows the most urgent of them, so
that the counts of all cells add up to the findings. Suggestions are left out: nothing of theirs
can run out, so they have no place in a table of what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.presentation.fleet import FleetLine, counts
from mqcap.presentation.labels import OTHER_RESOURCE

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
    """All findings of one owner about one resource."""

    model_config = ConfigDict(frozen=True)

    resource: str
    worst: FleetLine
    """The most urgent one: its headroom and date are shown."""
    counts: dict[Severity, int]

    @property
    def severity(self) -> Severity:
        """The most severe of its findings, which is not always the most urgent."""
        return max((one for one, n in self.counts.items() if n), key=lambda one: one.rank)

    @property
    def total(self) -> int:
        """Number of findings in the cell."""
        return sum(self.counts.values())


class HeatRow(BaseModel):
    """One queue manager, coupling facility or sysplex with all that lies below it."""

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
        """The cell of a resource, ``None`` when nothing was judged there."""
        return self.cells.get(resource)


class HeatTable(BaseModel):
    """Rows by the urgency of their most urgent finding; columns in a fixed order."""

    model_config = ConfigDict(frozen=True)

    resources: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    totals: dict[str, int]
    """By resource: number of findings."""


def heat_table(lines: Sequence[FleetLine]) -> HeatTable:
    """The table of lines that are sorted by urgency, without suggestions."""
    owned: dict[tuple[str, str], list[FleetLine]] = {}
    heated = [one for one in lines if one.finding.severity is not Severity.suggestion]
    for line in heated:
        owned.setdefault(_owner(line), []).append(line)
    rows = tuple(_row(*owner, found) for owner, found in owned.items())
    seen = {line.resource for line in heated}
    resources = tuple(sorted(seen, key=_order))
    totals = {one: sum(row.cells[one].total for row in rows if one in row.cells)
              for one in resources}  # fmt: skip
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
            resource: HeatCell(resource=resource, worst=_worst(found), counts=counts(found))
            for resource, found in by_resource.items()
        },
        total=len(lines),
    )


def _worst(lines: Iterable[FleetLine]) -> FleetLine:
    """The first with figures, if any: what lacks an input has no headroom to show."""
    found = list(lines)
    severity = max((one.finding.severity for one in found), key=lambda one: one.rank)
    if severity is not Severity.unknown:
        return found[0]
    figured = [one for one in found if one.finding.headroom_ratio is not None]
    return figured[0] if figured else found[0]


def _order(resource: str) -> tuple[int, str]:
    known = resource in RESOURCE_ORDER
    return RESOURCE_ORDER.index(resource) if known else len(RESOURCE_ORDER), resource
