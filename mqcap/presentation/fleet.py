"""The fleet: findings of one site day with their dates and tickets, most urgent first.

Page, reports, command line and REST API list findings in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache, partial
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.estate import Estate, QueueManager, SystemClass
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.numbers import percent
from mqcap.domain.resource import HeatColumn
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.domain.urgency import Urgency, is_over, urgency
from mqcap.presentation.crossing_text import CrossingText, crossing_text
from mqcap.presentation.finding_figures import (
    limit_quantity,
    observed_of_limit,
    observed_quantity,
)
from mqcap.presentation.quantities import Quantity
from mqcap.settings import AlertSettings
from mqcap.settings.due_dates import due_date
from sizing.rulebook.registry import all_rules

_URGENT: Final = frozenset({Severity.act, Severity.watch})


class FleetLine(BaseModel, frozen=True):
    """A finding as a row of the table."""

    finding: Finding
    crossing: Crossing | None
    ticket: Ticket | None
    sysplex: str
    names: tuple[str, ...]
    """The subject's path below the sysplex."""
    resource: HeatColumn
    """*Other* for a rule that this release does not have."""
    system_class: SystemClass | None
    """``None`` for what is shared between queue managers, such as a coupling facility."""
    is_production: bool = True
    """Whether production depends on it; what several classes share has the highest of them."""
    qsg: str = ""
    """Queue sharing group of the queue manager; empty for all else."""
    due_date: date | None = None
    """The last day on which the change can be made in time: the earliest crossing less lead time
    and freezes. ``None``: over already, or without a date."""
    limits: str = ""
    """Of a line that stands for a whole loss how many limits that passes, where several."""

    @property
    def key(self) -> tuple[str, str]:
        """Rule and subject."""
        return self.finding.rule_id, self.finding.subject

    @property
    def rule_words(self) -> str:
        """The rule; of a whole loss that of its worst limit, and how many it passes."""
        return "; ".join(filter(None, (self.finding.rule_id, self.limits)))

    @property
    def observed(self) -> Quantity:
        """The observed value, in the units of the reader."""
        return observed_quantity(self.finding)

    @property
    def limit(self) -> Quantity:
        """The limit, in the units of the reader."""
        return limit_quantity(self.finding)

    @property
    def of_limit(self) -> str:
        """Observed and limit in one phrase, such as ``1.9 h of 12 h``."""
        return observed_of_limit(self.finding)

    @property
    def shows_fullness(self) -> bool:
        """Return true if its figure says how much of something that runs out is left."""
        return self.finding.headroom_counts and self.finding.headroom_ratio is not None

    @property
    def observed_when_short(self) -> str:
        """Statistic and day of the observed value, such as ``p95 of 2026-01-05``."""
        source = self.finding.observed_source
        return source.short_when if source is not None else ""

    @property
    def is_over(self) -> bool:
        """Return true if measured values have passed the limit."""
        return is_over(self.finding, self.crossing)

    @property
    def advice(self) -> str:
        """The advice of the rule, which is about the measured day alone.

        What is at Act or Watch before its limit is passed has no change yet, and the reason for
        its severity in place of "nothing to change".
        """
        finding = self.finding
        is_ahead = finding.severity in _URGENT and finding.breach is False
        if finding.changes or not is_ahead:
            return finding.advice
        if self.crossing is not None and self.crossing.state is CrossingState.will_cross:
            return f"No change yet: {self.when.headline}."
        return f"No change yet: {percent(finding.headroom_ratio)} headroom."

    @property
    def when(self) -> CrossingText:
        """The crossing in words."""
        return crossing_text(self.crossing, self.finding)

    @property
    def used_ratio(self) -> float | None:
        """Share of the limit that is used, 0 to 1, for the bar; ``None`` when unknown."""
        ratio = self.finding.headroom_ratio
        return None if ratio is None else min(1.0, max(0.0, 1.0 - ratio))

    @property
    def urgency(self) -> Urgency:
        """The sort key, most urgent first."""
        return urgency(
            self.finding,
            self.crossing,
            is_production=self.is_production,
            due_date=self.due_date,
        )


class Facts(NamedTuple):
    """Findings, crossings and tickets of a site day."""

    findings: Sequence[Finding]
    crossings: Iterable[Crossing]
    tickets: Iterable[Ticket]


def fleet_lines(facts: Facts, estate: Estate, alerts: AlertSettings) -> list[FleetLine]:
    """Return the findings of a day, most urgent first; ``alerts`` has lead times and freezes."""
    crossings = {(item.rule_id, item.subject): item for item in facts.crossings}
    tickets = {
        key: item
        for item in facts.tickets
        if item.state is TicketState.open
        for key in item.problem_keys
    }
    owner_of = cache(partial(_owner, estate, estate.queue_managers()))
    lines = [
        _line(
            finding,
            crossings.get((finding.rule_id, finding.subject)),
            tickets.get(f"{finding.rule_id}{SERIES_SEPARATOR}{finding.subject}"),
            owner_of(*finding.subject.split(SERIES_SEPARATOR)[:2]),
            alerts,
        )
        for finding in facts.findings
    ]
    return sorted(lines, key=lambda line: line.urgency)


def _owner(
    estate: Estate, managers: Mapping[tuple[str, str], QueueManager], root: str, name: str = ""
) -> dict[str, Any]:
    """Return what the estate says of the queue manager of a subject, or of what shares it."""
    manager = managers.get((root, name))
    known = manager or (estate.distributed(root, unescaped(name)) if name else None)
    own = known.system_class if known else None
    of_subject = own if known else estate.class_of(f"{root}{SERIES_SEPARATOR}{name}")
    return {
        "system_class": own,
        "is_production": of_subject is SystemClass.production,
        "qsg": (manager.qsg or "") if manager else "",
    }


def _line(
    finding: Finding,
    crossing: Crossing | None,
    ticket: Ticket | None,
    owner: dict[str, Any],
    alerts: AlertSettings,
) -> FleetLine:
    sysplex, *names = finding.subject.split(SERIES_SEPARATOR)
    rule = all_rules().get(finding.rule_id)
    return FleetLine(
        finding=finding,
        crossing=crossing,
        ticket=ticket,
        sysplex=sysplex,
        names=tuple(names),
        resource=rule.column if rule else HeatColumn.other,
        **owner,
        due_date=due_date(finding, crossing, alerts),
    )
