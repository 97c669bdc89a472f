"""Delivery of tickets: one open ticket per resource, whatever the tracker."""

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Protocol

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.problem import Acknowledgement, Problem
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.acknowledgements import TicketResponse, check_until
from mqcap.notifications.digest import Digest
from mqcap.notifications.outbox import delivery_id
from mqcap.notifications.ticket_text import ticket_of
from mqcap.queries.resources import hit_in_the_same_hour
from mqcap.settings import AlertSettings

_log = logging.getLogger(__name__)
MATERIAL_DAYS: Final = 14
"""Days by which a due date must move to be worth a comment (ours)."""
CLOSING_COMMENT: Final = "In order on enough complete days; closed."
LEFT_COMMENT: Final = "No longer in the estate that the settings describe; closed."


class TicketBackend(Protocol):
    """A tracker. Its methods are idempotent."""

    name: str

    def open_or_update(self, ticket: Ticket) -> str:
        """Make sure that one such ticket exists; return its reference. Raises CapacityError."""

    def close(self, ticket: Ticket) -> None:
        """Make sure that the ticket with this key is not open any more. Raises as above."""

    def response(self, ticket: Ticket) -> TicketResponse | None:
        """Return the last response to it in the tracker, ``None`` without one. Raises as above."""


@dataclass(frozen=True)
class TicketRepository:
    """The stored tickets of one tracker: two functions of the store."""

    load: Callable[[str], Ticket | None]
    """Return the ticket of a key, open or closed."""
    save: Callable[[Ticket], None]


class TicketHandler:
    """Hands tickets over to the tracker, which is searched before one is created."""

    may_repeat = True

    def __init__(self, backend: TicketBackend, repository: TicketRepository) -> None:
        self._backend = backend
        self._repository = repository

    def hand_over(self, delivery: Delivery, posting: Callable[[], None]) -> None:
        """Open, update, reopen or close the ticket, and store its reference."""
        payload = delivery.payload or {}
        ticket = Ticket.model_validate(payload["ticket"])
        tried = delivery.attempts > 0 or delivery.stage is Stage.posting
        posting()
        if payload["close"]:
            self._backend.close(ticket)
            self._repository.save(ticket.model_copy(update={"state": TicketState.closed}))
            return
        ticket = continued(ticket, self._repository.load(ticket.dedupe_key))
        reference = self._backend.open_or_update(ticket.model_copy(update={"tried": tried}))
        delivered = {"external_ref": reference, "reopen": False, "grown": False}
        self._repository.save(ticket.model_copy(update=delivered))


def continued(today: Ticket, stored: Ticket | None) -> Ticket:
    """Return the ticket of today as the continuation of the stored one.

    An episode keeps its ticket, reopened where it was closed; that of a later one names the old.
    """
    if stored is None:
        return today
    if stored.state is TicketState.closed and today.first_seen_date > stored.last_seen_date:
        return today.model_copy(update={"previous_ref": stored.external_ref})
    return today.model_copy(
        update={
            "first_seen_date": stored.first_seen_date,
            "external_ref": stored.external_ref,
            "previous_ref": stored.previous_ref,
            "reopen": stored.state is TicketState.closed,
            "grown": not set(today.members) <= set(stored.problem_keys),
        }
    )


def new_acknowledgements(
    backend: TicketBackend,
    open_tickets: Iterable[Ticket],
    stored: Mapping[str, Acknowledgement],
    day: date,
    accept_days: int,
) -> list[Acknowledgement]:
    """Return the new responses to open tickets, as one acknowledgement for each problem.

    One that accepts a risk until a day that is over or too far away is reported and not taken. A
    problem that joins the ticket later is not acknowledged by it. Raises the errors of the tracker.
    """
    acknowledgements = []
    for ticket in open_tickets:
        response = backend.response(ticket)
        if response is None:
            continue
        current = [
            Acknowledgement(key=key, noted_date=day, **response.model_dump())
            for key in ticket.problem_keys
        ]
        if any(_is_known(problem, stored.get(problem.key), ticket) for problem in current):
            continue
        try:
            check_until(response, day, accept_days)
        except ConfigurationError as error:
            _log.warning("ticket %s, by %s: %s", ticket.external_ref, response.who, error)
            continue
        acknowledgements += current
    return acknowledgements


def _is_known(now: Acknowledgement, before: Acknowledgement | None, ticket: Ticket) -> bool:
    """Return whether it was read before. The same text in a new ticket is a new one."""
    if before is None or before.noted_date < ticket.first_seen_date:
        return False
    return before.model_copy(update={"noted_date": now.noted_date}) == now


def plan_tickets(
    digest: Digest,
    alerts: AlertSettings,
    repository: TicketRepository,
    open_tickets: Iterable[Ticket],
) -> list[Delivery]:
    """Return the deliveries to the tracker: tickets with changes, and those to close.

    Of one without changes last day and members are stored here; one of a later day stays as it is.
    """
    planned = []
    for problems in digest.tickets:
        ticket = _ticket(digest, problems, alerts)
        stored = repository.load(ticket.dedupe_key)
        if stored is not None and stored.last_seen_date > ticket.last_seen_date:
            continue
        has_plan = digest.group_of(ticket.dedupe_key).plan is not None
        if (
            stored is None
            or stored.state is TicketState.closed
            or _has_changes(digest, problems)
            or (not has_plan and _is_due_earlier(stored, ticket))
        ):
            planned.append(_delivery(digest, ticket, close=False))
        else:
            seen = {"last_seen_date": ticket.last_seen_date, "members": ticket.members}
            repository.save(stored.model_copy(update=seen))
    # one that could not be judged today keeps its ticket: missing data closes none
    still_open = {problem.key for problem in digest.problems} | set(digest.unseen)
    for ticket in sorted(open_tickets, key=lambda ticket: ticket.dedupe_key):
        keys = set(ticket.problem_keys)
        if still_open.isdisjoint(keys) and not keys.isdisjoint(digest.resolved_keys):
            reason = {} if keys.isdisjoint(digest.left_keys) else {"update_text": LEFT_COMMENT}
            planned.append(_delivery(digest, ticket.model_copy(update=reason), close=True))
    return planned


def _ticket(digest: Digest, problems: Sequence[Problem], alerts: AlertSettings) -> Ticket:
    also = hit_in_the_same_hour(problems, digest.problems, alerts.cause_hours)
    group = digest.group_of(problems[0].status.resource)
    return ticket_of(group.only(problems), alerts, also)


def _has_changes(digest: Digest, problems: Sequence[Problem]) -> bool:
    """Return whether its plan changed or a problem began; without a plan, any change counts."""
    group = digest.group_of(problems[0].status.resource)
    if group.plan is None:
        return any(problem.status.is_new_or_changed for problem in problems)
    return group.is_plan_changed or any(problem.state.has_begun for problem in problems)


def replayed_tickets(digest: Digest, alerts: AlertSettings) -> list[Delivery]:
    """Return what a run of that day would have delivered, from that day's problems alone."""
    opened = [
        _delivery(digest, _ticket(digest, problems, alerts), close=False)
        for problems in digest.tickets
        if _has_changes(digest, problems)
    ]
    of_day = {"first_seen_date": digest.site_date, "last_seen_date": digest.site_date}
    for key in digest.closing:
        ended = Ticket(
            dedupe_key=key, severity=Severity.ok, title=f"{key}: resolved", body="", **of_day
        )
        opened.append(_delivery(digest, ended, close=True))
    change = {"replay": True, "stage": Stage.replayed}
    return [delivery.model_copy(update=change) for delivery in opened]


def _delivery(digest: Digest, ticket: Ticket, *, close: bool) -> Delivery:
    due = ticket.due_date.isoformat() if ticket.due_date else ""
    parts = [str(ticket.severity), due, str(ticket.first_seen_date), *ticket.members, str(close)]
    return Delivery(
        delivery_id=delivery_id(digest, Channel.ticket, ticket.dedupe_key),
        site_date=digest.site_date,
        channel=Channel.ticket,
        recipient=ticket.dedupe_key,
        subject_line=f"Close {ticket.title}" if close else ticket.title,
        digest_sha256=hashlib.sha256("\n".join(parts).encode()).hexdigest(),
        content=closing_comment(ticket) if close else ticket.body,
        payload={"ticket": ticket.model_dump(mode="json"), "close": close},
    )


def closing_comment(ticket: Ticket) -> str:
    """Return the comment with which a ticket is closed: its own reason, else that it is over."""
    return ticket.update_text or CLOSING_COMMENT


def is_material(before: Ticket, now: Ticket) -> bool:
    """Return True for a new alert, another severity, or a due date moved by two weeks."""
    notified = before.notified_date or before.first_seen_date
    if now.notified_date is not None and now.notified_date > notified:
        return True
    if before.severity is not now.severity:
        return True
    if before.due_date is None or now.due_date is None:
        return before.due_date is not now.due_date
    return abs((before.due_date - now.due_date).days) >= MATERIAL_DAYS


def _is_due_earlier(stored: Ticket, now: Ticket) -> bool:
    """Return True when the change is due at least two weeks earlier than the ticket says."""
    if now.due_date is None:
        return False
    return stored.due_date is None or (stored.due_date - now.due_date).days >= MATERIAL_DAYS
