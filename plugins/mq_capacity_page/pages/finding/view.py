"""Finding: its arithmetic, its history, its ticket, acknowledgements and notes."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby
from typing import Final

from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.delivery import Delivery
from mqcap.domain.plan import Plan
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, ProblemDay, ProblemState
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.resource_problems import open_problems_of_resource
from mqcap.presentation.fleet import FleetLine
from mqcap.queries.date_changes_since_alert import MovedSinceAlert
from mqcap.queries.resources import resource_name, resource_path
from mqcap.rulebook.explain import explanation
from mqcap.store.annotations import annotations_of
from mqcap.store.findings import latest_site_date
from mqcap.store.models import Annotation
from mqcap.store.outbox import ticket_deliveries
from mqcap.store.plans import find_plan
from mqcap.store.problems import acknowledgements_of, read_problem_history
from mqcap.store.tickets import read_tickets

STATE_WORDS: Final = {
    ProblemState.pending: "detected, not notified yet",
    ProblemState.new: "notified for the first time",
    ProblemState.worsening: "materially worse, notified again",
    ProblemState.lasting: "unchanged",
    ProblemState.acknowledged: "acknowledged",
    ProblemState.improving: "improving",
    ProblemState.resolved: "resolved",
    ProblemState.reopened: "reopened",
}
ACKNOWLEDGEMENT_LABELS: Final = {
    AcknowledgementKind.acknowledged: "Acknowledged",
    AcknowledgementKind.accepted_until: "Risk accepted",
    AcknowledgementKind.known_project: "Known project",
    AcknowledgementKind.false_alarm: "False alarm",
}
MAX_STATE_SPANS: Final = 12


class StateSpan(ViewModel):
    """Consecutive evaluated days on which a problem had the same state."""

    first: date
    last: date
    words: str


class TicketUpdate(ViewModel):
    """Update of a ticket that was delivered, is pending, or would have been delivered."""

    site_date: date
    words: str
    title: str


class FindingView(ViewModel):
    """Finding on a day."""

    line: FleetLine
    key: str
    moved: str
    """Date at the last notification, and the reason of its move; empty when it hardly moved."""
    plan: Plan | None
    """The plan of its resource; ``None`` where nothing of the resource has to be changed."""
    of_resource: bool = False
    """Whether the form offers first to acknowledge all problems of the resource."""
    resource: str
    """Name of the resource that it is about."""
    path: str
    """Its path."""
    explanation: Sequence[tuple[str, str]]
    """Heading and text of each section: every figure with its inputs and their files."""
    resource_problems: Sequence[str]
    """Keys of all open problems of the resource on the newest day, and of this finding."""
    ticket: Ticket | None
    superseding_ticket: Ticket | None = None
    """That of the finding that reports the same cause, where this one is superseded by it."""
    updates: Sequence[TicketUpdate]
    """Updates of the ticket, the newest first."""
    spans: Sequence[StateSpan]
    """The newest first."""
    acknowledgement: Acknowledgement | None
    """The one that is in force on the day shown."""
    acknowledgements: Sequence[Acknowledgement]
    """The newest first."""
    labels: dict[AcknowledgementKind, str] = ACKNOWLEDGEMENT_LABELS
    notes: Sequence[Annotation]
    can_edit: bool
    newest_day: date | None
    """The newest evaluated day, from which on an acknowledgement holds."""


def finding_view(
    context: PageContext, key: tuple[str, str], day: date, *, can_edit: bool
) -> FindingView | None:
    """Return one finding on one day; ``None`` when the rule has no finding for the subject."""
    rule, subject = key
    below = fleet_lines_on(context, day, subject)
    lines = [line for line in below if line.key == key]
    if not lines:
        return None
    name = f"{rule}/{subject}"
    tickets = read_tickets(context.engine, as_of=day)
    ticket = ticket_of(tickets, name)
    superseding = lines[0].finding.superseded_by
    acknowledgements = acknowledgements_of(context.engine, [name], day)
    written = annotations_of(context.engine, subject, day)
    sections = explanation(context.engine, context.settings, rule, subject, day)
    crossing, moves = lines[0].crossing, MovedSinceAlert(context.settings, context.engine, day)
    return FindingView(
        line=lines[0],
        key=name,
        moved=moves.words(crossing) if crossing else "",
        plan=find_plan(context.engine, resource_path(name), day),
        resource=resource_name(name),
        path=resource_path(name),
        explanation=[(each.heading, "\n".join(each.lines)) for each in sections],
        resource_problems=sorted(
            {name, *open_problems_of_resource(context.engine, resource_path(name))}
        ),
        ticket=ticket,
        superseding_ticket=ticket_of(tickets, f"{superseding}/{subject}") if superseding else None,
        updates=_updates(context, ticket, day),
        spans=state_spans(read_problem_history(context.engine, name, day)),
        acknowledgement=_in_force(acknowledgements, day),
        acknowledgements=list(reversed(acknowledgements)),
        notes=[note for note in reversed(written) if note.rule_id in {"", rule}],
        can_edit=can_edit,
        newest_day=latest_site_date(context.engine),
    )


def ticket_of(tickets: Iterable[Ticket], key: str) -> Ticket | None:
    """Return the ticket that is about a problem, alone or with others; an open one first."""
    of_problem = [ticket for ticket in tickets if key == ticket.dedupe_key or key in ticket.members]
    return min(of_problem, key=lambda item: item.state is not TicketState.open, default=None)


def state_spans(days: Iterable[ProblemDay]) -> list[StateSpan]:
    """Return consecutive days of the same state as spans, the newest ``MAX_STATE_SPANS`` first."""
    spans = []
    for state, group in groupby(days, key=lambda day: day.state):
        members = list(group)
        first, last = members[0].site_date, members[-1].site_date
        spans.append(StateSpan(first=first, last=last, words=STATE_WORDS[state]))
    return list(reversed(spans[-MAX_STATE_SPANS:]))


def ticket_update(delivery: Delivery, *, is_first: bool) -> TicketUpdate:
    """Return one delivery to a ticket tracker in words."""
    closes = bool((delivery.payload or {}).get("close"))
    verb = "closed" if closes else "opened" if is_first else "updated"
    words = verb
    if delivery.replay:
        words = f"would have been {verb} (replay)"
    elif delivery.sent_at_utc is None:
        words = f"to be {verb}: {delivery.error or 'not sent yet'}"
    return TicketUpdate(site_date=delivery.site_date, words=words, title=delivery.subject_line)


def _in_force(acknowledgements: Sequence[Acknowledgement], day: date) -> Acknowledgement | None:
    latest = acknowledgements[-1] if acknowledgements else None
    return latest if latest and latest.holds_on(day) else None


def _updates(context: PageContext, ticket: Ticket | None, day: date) -> list[TicketUpdate]:
    if ticket is None:
        return []
    deliveries = ticket_deliveries(context.engine, ticket.dedupe_key, day)
    updates = [
        ticket_update(delivery, is_first=number == 0) for number, delivery in enumerate(deliveries)
    ]
    return updates[::-1]
