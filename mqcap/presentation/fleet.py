"""The fleet table: findings of one site day with their dates and tickets, most urgent first.

Pure: what the store holds goes in, lines ready to print come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate import Estate, SystemClass
from mqcap.domain.finding import Change, Finding, Severity
from mqcap.domain.metric import SERIES_SEPARATOR, split_series_id, sysplex_of
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.domain.urgency import urgency
from mqcap.presentation import wording
from mqcap.presentation.due_dates import last_responsible_date
from mqcap.presentation.wording import Quantity
from mqcap.settings import AlertSettings

ALL: Final = "all"


class Filters(BaseModel):
    """What the reader chose; an empty string chooses everything."""

    model_config = ConfigDict(frozen=True)

    sysplex: str = ""
    severity: str = ""
    resource: str = ""
    system_class: str = SystemClass.production.value
    """Production unless the reader asks otherwise; ``all`` shows every class."""


class FleetLine(BaseModel):
    """One finding as one row of the table."""

    model_config = ConfigDict(frozen=True)

    finding: Finding
    crossing: Crossing | None
    ticket: Ticket | None
    sysplex: str
    names: tuple[str, ...]
    """The subject's path below the sysplex."""
    resource: str
    system_class: SystemClass | None
    """``None`` for what is shared between queue managers, such as a coupling facility."""
    qsg: str = ""
    """Queue sharing group of the queue manager; empty for all else."""
    due_date: date | None = None
    """The last day on which the change can be made in time: the earliest crossing less lead time
    and freezes. ``None``: over already, or no date can be said."""

    @property
    def key(self) -> tuple[str, str]:
        """Rule and subject."""
        return self.finding.rule_id, self.finding.subject

    @property
    def observed(self) -> Quantity:
        """What was measured, in the units of the reader."""
        return wording.quantity(self.finding.observed, self.finding.unit)

    @property
    def limit(self) -> Quantity:
        """The limit, in the units of the reader."""
        return wording.quantity(self.finding.limit_value, self.finding.unit)

    @property
    def headroom(self) -> str:
        """Share of the limit that is left, in words."""
        return wording.headroom(self.finding.headroom_ratio)

    @property
    def observed_when(self) -> str:
        """Which statistic of which day the observed value is, such as ``peak of 2026-01-05``."""
        return self.finding.observed_when

    @property
    def observed_when_short(self) -> str:
        """The same for narrow columns, such as ``p95 of 2026-01-05``."""
        source = self.finding.observed_source
        return source.short_when if source is not None else ""

    @property
    def is_over(self) -> bool:
        """Whether measured values have passed the limit."""
        breached = self.crossing is not None and self.crossing.state is CrossingState.breached
        return breached or bool(self.finding.breach)

    @property
    def is_production(self) -> bool:
        """Whether production depends on it; what several classes share counts as production."""
        return self.system_class in {None, SystemClass.production}

    @property
    def change(self) -> Change | None:
        """The first recommended change."""
        return self.finding.changes[0] if self.finding.changes else None

    @property
    def used_ratio(self) -> float | None:
        """Share of the limit that is used, 0 to 1, for the bar; ``None`` when unknown."""
        ratio = self.finding.headroom_ratio
        return None if ratio is None else min(1.0, max(0.0, 1.0 - ratio))

    def sort_key(self) -> tuple[object, ...]:
        """Production first; then what is over, then by the last responsible date, then by name."""
        finding = self.finding
        rank, when, left = urgency(
            finding.severity, finding.headroom_ratio, self.crossing, finding.breach
        )
        due = self.due_date.toordinal() if self.due_date else when
        return (not self.is_production, rank, due, left, finding.subject, finding.rule_id)


class Facts(NamedTuple):
    """What the store knows about one site day."""

    findings: Sequence[Finding]
    crossings: Iterable[Crossing]
    tickets: Iterable[Ticket]


class Choices(NamedTuple):
    """What each filter offers on this day."""

    sysplexes: list[str]
    resources: list[str]


def fleet_lines(facts: Facts, estate: Estate, alerts: AlertSettings) -> list[FleetLine]:
    """All findings of the day, most urgent first; lead times and freezes are those of alerts."""
    crossings = {(item.rule_id, item.subject): item for item in facts.crossings}
    tickets = {
        key: item
        for item in facts.tickets
        if item.state is TicketState.open
        for key in (item.members or (item.dedupe_key,))
    }
    lines = [
        _line(
            finding,
            crossings.get((finding.rule_id, finding.subject)),
            tickets.get(f"{finding.rule_id}{SERIES_SEPARATOR}{finding.subject}"),
            (estate, alerts),
        )
        for finding in facts.findings
    ]
    return sorted(lines, key=FleetLine.sort_key)


def chosen(lines: Sequence[FleetLine], filters: Filters) -> list[FleetLine]:
    """The lines that pass every filter, in the same order."""
    return [line for line in lines if _passes(line, filters)]


def hidden_by_class(lines: Sequence[FleetLine], filters: Filters) -> int:
    """How many lines only the class filter keeps away."""
    others = [line for line in lines if not _of_class(line, filters.system_class)]
    return len(chosen(others, filters.model_copy(update={"system_class": ALL})))


def counts(lines: Iterable[FleetLine]) -> dict[Severity, int]:
    """Number of lines of each severity, most severe first, zeros included."""
    totals = dict.fromkeys(sorted(Severity, key=lambda item: -item.rank), 0)
    for line in lines:
        totals[line.finding.severity] += 1
    return totals


def choices(lines: Iterable[FleetLine]) -> Choices:
    """The sysplexes and resources that occur."""
    found = list(lines)
    return Choices(
        sorted({line.sysplex for line in found}), sorted({line.resource for line in found})
    )


def _line(
    finding: Finding,
    crossing: Crossing | None,
    ticket: Ticket | None,
    site: tuple[Estate, AlertSettings],
) -> FleetLine:
    estate, alerts = site
    metric = split_series_id(finding.series_id)[0] if finding.series_id else None
    sysplex = sysplex_of(finding.subject)
    names = tuple(finding.subject.split(SERIES_SEPARATOR)[1:])
    manager = estate.queue_manager(sysplex, names[0]) if names else None
    return FleetLine(
        finding=finding,
        crossing=crossing,
        ticket=ticket,
        sysplex=sysplex,
        names=names,
        resource=wording.resource_of(metric, finding.rule_id),
        system_class=manager.system_class if manager else None,
        qsg=(manager.qsg or "") if manager else "",
        due_date=_due_date(finding, crossing, alerts),
    )


def _due_date(finding: Finding, crossing: Crossing | None, alerts: AlertSettings) -> date | None:
    """As tickets have it, but not moved to the day on which people were told."""
    if crossing is None or crossing.state is not CrossingState.will_cross or finding.breach:
        return None
    passed = crossing.earliest_date or crossing.expected_date
    if passed is None:
        return None
    lead = alerts.lead_time(finding.rule_id)
    return last_responsible_date(passed, lead, alerts.change_freezes)[0]


def _passes(line: FleetLine, filters: Filters) -> bool:
    return (
        (not filters.severity or filters.severity == line.finding.severity.value)
        and (not filters.resource or filters.resource == line.resource)
        and (not filters.sysplex or filters.sysplex == line.sysplex)
        and _of_class(line, filters.system_class)
    )


def _of_class(line: FleetLine, wanted: str) -> bool:
    return line.system_class is None or wanted in {"", ALL, line.system_class.value}
