"""Tickets as a list shows them: figure, change, owner, due day, state and age."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from pydantic import BaseModel, ConfigDict

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.numbers import ABSENT, counted
from mqcap.domain.plan import Plan
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.losses.text.as_plan import plans_of_losses
from mqcap.notifications.acknowledged_resources import acknowledged_resources
from mqcap.notifications.earlier_tickets import own_problems
from mqcap.notifications.resources import resource_name, resource_path
from mqcap.presentation.finding_figures import observed_with_level, whose_text
from mqcap.presentation.plans.text import typed_text, without_change_in_brief
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.findings import findings_about, latest_site_date
from mqcap.store.losses import read_losses
from mqcap.store.plans import read_plans


class ListedTicket(BaseModel):
    """A ticket with what is known of its resource on the newest day with findings."""

    model_config = ConfigDict(frozen=True)

    ticket: Ticket
    severity: Severity
    """That of the plan of its resource, as every channel shows it; without one its own."""
    resource: str
    """The resource as people say it: ``PLEX1 CSQ1 active logs``."""
    figure: str = ""
    """Observed of limit of its worst problem, ``1.9 h of 12 h``; empty without a finding."""
    change: str = ""
    """The operands of its plan as they are typed; empty without a plan or without an operand."""
    to_do: str = ""
    """What its plan without changes asks for, such as to find the cause; empty for others."""
    owner: str = ""
    due_date: date | None
    """The due day of the plan, else that of the ticket; ``None`` where nothing is to be done."""
    age_days: int
    """Days from the first to the last one it was seen on."""

    acknowledgement: Acknowledgement | None = None
    """That of an open ticket whose problems are all acknowledged."""

    @property
    def is_open(self) -> bool:
        """Return whether its problems are open."""
        return self.ticket.state is TicketState.open

    @property
    def age(self) -> str:
        """The age in words: ``new``, ``1 day``, ``12 days``."""
        return counted(self.age_days, "day") if self.age_days else "new"


def listed_tickets(
    engine: Store, settings: Settings, tickets: Iterable[Ticket]
) -> list[ListedTicket]:
    """Return tickets for a list: open ones first, then by severity, due day and resource.

    A closed ticket has neither figure nor change: those of today are not its own.
    """
    day = latest_site_date(engine)
    planned = [] if day is None else read_plans(engine, day)
    lost = [] if day is None else plans_of_losses(read_losses(engine, day))
    plans = {plan.resource: plan for plan in (*planned, *lost)}
    tickets = list(tickets)
    own = {resource_path(ticket.dedupe_key): own_problems(ticket) for ticket in tickets}
    acknowledged = {} if day is None else acknowledged_resources(engine, day, own)
    findings = {} if day is None else _findings(engine, day, own, plans)
    listed = (_listed(ticket, settings, findings, plans, acknowledged) for ticket in tickets)
    return sorted(listed, key=_order)


class TicketObject(BaseModel):
    """A ticket as programs read it."""

    reference: str | None
    key: str
    state: TicketState
    acknowledged: bool
    severity: Severity
    resource: str
    title: str
    figure: str
    change: str
    to_do: str
    owner: str
    due_date: date | None
    first_seen_date: date
    last_seen_date: date
    age_days: int


def ticket_object(listed: ListedTicket) -> TicketObject:
    """Return a ticket of the list as programs read it."""
    ticket = listed.ticket
    return TicketObject(
        reference=ticket.external_ref,
        key=ticket.dedupe_key,
        state=ticket.state,
        acknowledged=listed.acknowledgement is not None,
        severity=listed.severity,
        resource=listed.resource,
        title=ticket.title,
        figure=listed.figure,
        change=listed.change,
        to_do=listed.to_do,
        owner=listed.owner,
        due_date=listed.due_date,
        first_seen_date=ticket.first_seen_date,
        last_seen_date=ticket.last_seen_date,
        age_days=listed.age_days,
    )


def list_line(listed: ListedTicket) -> str:
    """Return one line for the command line, without what is not known."""
    ticket = listed.ticket
    parts = [
        ticket.external_ref or ABSENT,
        f"{ticket.state.value}{', acknowledged' if listed.acknowledgement else ''}",
        listed.severity.value.upper(),
        f"{listed.resource}: {listed.figure}" if listed.figure else listed.resource,
        f"change {listed.change}" if listed.change else listed.to_do,
        f"owner {listed.owner}" if listed.owner else "",
        f"due {listed.due_date}" if listed.due_date and listed.is_open else "",
        f"age {listed.age}",
        f"key {ticket.dedupe_key}",
    ]
    return "  ".join(part for part in parts if part)


def _findings(
    engine: Store, day: date, own: Mapping[str, Iterable[str]], plans: Mapping[str, Plan]
) -> dict[str, Finding]:
    """Return the findings of problems, and those that plans name as the worst, by their keys.

    ``own`` are the problems by resource.
    """
    subjects = {key.partition(SERIES_SEPARATOR)[2] for keys in own.values() for key in keys}
    subjects |= {plans[resource].worst_subject for resource in own.keys() & plans.keys()}
    found = findings_about(engine, day, subjects)
    return {f"{finding.rule_id}{SERIES_SEPARATOR}{finding.subject}": finding for finding in found}


def _listed(
    ticket: Ticket,
    settings: Settings,
    findings: Mapping[str, Finding],
    plans: Mapping[str, Plan],
    acknowledged: Mapping[str, Acknowledgement],
) -> ListedTicket:
    is_open = ticket.state is TicketState.open
    path = resource_path(ticket.dedupe_key)
    plan = plans.get(path) if is_open else None
    worst = _worst(ticket, findings, plan) if is_open else None
    return ListedTicket(
        ticket=ticket,
        severity=ticket.severity if plan is None else plan.severity,
        resource=resource_name(ticket.problem_keys[0]),
        figure="" if worst is None else _figure(worst),
        change="" if plan is None else _typed(plan),
        to_do="" if plan is None or plan.changes else without_change_in_brief(plan),
        owner=settings.alerts.owner_of(path) if plan is None else plan.owner,
        due_date=ticket.due_date if plan is None else _due_date(plan),
        age_days=(ticket.last_seen_date - ticket.first_seen_date).days,
        acknowledgement=acknowledged.get(path) if is_open else None,
    )


def _worst(ticket: Ticket, findings: Mapping[str, Finding], plan: Plan | None) -> Finding | None:
    """Return the finding that the plan names as the worst, else the worst of the problems."""
    if plan is not None and (named := findings.get(f"{plan.worst_rule}/{plan.worst_subject}")):
        return named
    own = [findings[key] for key in own_problems(ticket) if key in findings]
    return max(own, key=lambda finding: finding.severity.rank, default=None)


def _figure(finding: Finding) -> str:
    """Return figure and limit; what happened, which has neither, in words."""
    if finding.is_event:
        return finding.title
    if finding.observed is None:
        return ""
    whose = whose_text(finding)
    return f"{f'{whose}: ' if whose else ''}{observed_with_level(finding)}"


def _due_date(plan: Plan) -> date | None:
    return None if plan.needs_nothing else plan.due_date


def _typed(plan: Plan) -> str:
    is_typed = any(change.typed for change in plan.changes)
    return typed_text(plan) if is_typed else ""


def _order(listed: ListedTicket) -> tuple[bool, int, date, str]:
    ticket = listed.ticket
    due = listed.due_date or date.max
    return not listed.is_open, -listed.severity.rank, due, ticket.dedupe_key
