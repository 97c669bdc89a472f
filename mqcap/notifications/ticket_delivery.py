"""Tickets of a digest: one open ticket per cause, whatever the tracker.

A ticket with news goes into the outbox (``plan_tickets``) and from there to the tracker
(``TicketHandler``), which is anything that implements ``TicketBackend``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Protocol

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.finding import Severity
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.acknowledgements import TicketResponse
from mqcap.notifications.digest import Digest
from mqcap.notifications.outbox import delivery_id, replayed
from mqcap.notifications.ticket_text import ticket_of
from mqcap.settings import AlertSettings

CLOSE_AFTER_DAYS: Final = 7
"""Days a problem must have been away, and be judged in order, before we close it (ours)."""
MATERIAL_DAYS: Final = 14
"""Days by which a due date must move to be worth a comment (ours)."""


SETTLED: Final = "In order on enough complete days; closed."


class TicketBackend(Protocol):
    """A tracker. Its methods may be repeated without doing anything twice."""

    name: str

    def open_or_update(self, ticket: Ticket) -> str:
        """Make sure that one ticket with this key exists and says this; returns its reference.

        Raises ServiceUnavailable when the tracker does not answer and ConfigurationError when
        it refuses.
        """

    def close(self, ticket: Ticket) -> None:
        """Make sure that the ticket with this key is not open any more. Raises as above."""

    def answer(self, ticket: Ticket) -> TicketResponse | None:
        """What people have said about it in the tracker, the last word. Raises as above."""


@dataclass(frozen=True)
class TicketRepository:
    """Where tickets are remembered between runs: two functions of the store."""

    load: Callable[[str], Ticket | None]
    """The ticket of a key, open or closed."""
    save: Callable[[Ticket], None]


class TicketHandler:
    """Brings tickets of the outbox to the tracker; the tracker is asked before one is made."""

    may_repeat = True

    def __init__(self, backend: TicketBackend, memory: TicketRepository) -> None:
        self._backend = backend
        self._memory = memory

    def hand_over(self, delivery: Delivery, posting: Callable[[], None]) -> None:
        """Open, update, reopen or close the ticket, and remember its reference."""
        payload = delivery.payload or {}
        ticket = Ticket.model_validate(payload["ticket"])
        tried = delivery.attempts > 0 or delivery.stage is Stage.posting
        posting()
        if payload["close"]:
            self._backend.close(ticket)
            self._memory.save(ticket.model_copy(update={"state": TicketState.closed}))
            return
        today = continued(ticket, self._memory.load(ticket.dedupe_key))
        reference = self._backend.open_or_update(today.model_copy(update={"tried": tried}))
        told = {"external_ref": reference, "reopen": False}
        self._memory.save(today.model_copy(update=told))


def continued(today: Ticket, known: Ticket | None) -> Ticket:
    """The ticket of today as the next word of the one that is known.

    The same episode keeps its ticket, and opens it again when we have closed it; a later one
    gets a new ticket with the reference of the old.
    """
    if known is None:
        return today
    if known.first_seen_date != today.first_seen_date and known.state is TicketState.closed:
        return today.model_copy(update={"previous_ref": known.external_ref})
    return today.model_copy(
        update={
            "first_seen_date": known.first_seen_date,
            "external_ref": known.external_ref,
            "previous_ref": known.previous_ref,
            "reopen": known.state is TicketState.closed,
        }
    )


def new_acknowledgements(
    backend: TicketBackend,
    open_tickets: Iterable[Ticket],
    known: Mapping[str, Acknowledgement],
    day: date,
) -> list[Acknowledgement]:
    """New words of people about open tickets, one mark for each of a ticket's problems.

    Raises what the tracker raises; ``known`` are the marks of earlier runs.
    """
    marks = []
    for ticket in open_tickets:
        answer = backend.answer(ticket)
        if answer is None:
            continue
        for key in ticket.members or (ticket.dedupe_key,):
            mark = Acknowledgement(key=key, noted_date=day, **answer.model_dump())
            before = known.get(key)
            # the same words in a new ticket are said anew
            if before is not None and before.noted_date < ticket.first_seen_date:
                before = None
            if before is None or before.model_copy(update={"noted_date": day}) != mark:
                marks.append(mark)
    return marks


def plan_tickets(
    digest: Digest, alerts: AlertSettings, memory: TicketRepository, open_tickets: Iterable[Ticket]
) -> list[Delivery]:
    """What there is to say to the tracker: tickets with news, and those to close.

    A ticket without news is not touched; that it was seen is remembered here. A rerun of an
    older day has no news for a ticket that a later day has spoken of.
    """
    planned = []
    for problems in digest.tickets:
        ticket = ticket_of(problems, alerts.page_url, alerts)
        known = memory.load(ticket.dedupe_key)
        if known is not None and known.last_seen_date > ticket.last_seen_date:
            continue
        is_new_or_changed = known is None or any(one.status.is_new_or_changed for one in problems)
        is_nearer = known is not None and _is_nearer(known, ticket)
        if known is None or is_new_or_changed or is_nearer or known.state is TicketState.closed:
            planned.append(_delivery(digest, ticket, close=False))
        else:
            seen = {"last_seen_date": ticket.last_seen_date, "members": ticket.members}
            memory.save(known.model_copy(update=seen))
    closed = tickets_to_close(digest, open_tickets)
    return planned + [_delivery(digest, ticket, close=True) for ticket in closed]


def replayed_tickets(digest: Digest, alerts: AlertSettings) -> list[Delivery]:
    """What a run of that day would have said to the tracker, from that day's problems alone."""
    opened = [
        _delivery(digest, ticket_of(problems, alerts.page_url, alerts), close=False)
        for problems in digest.tickets
        if any(one.status.is_new_or_changed for one in problems)
    ]
    ended = [
        Ticket(
            dedupe_key=key,
            severity=Severity.ok,
            title=f"{key}: settled",
            body="",
            first_seen_date=digest.site_date,
            last_seen_date=digest.site_date,
        )
        for key in digest.closing
    ]
    return replayed([*opened, *(_delivery(digest, ticket, close=True) for ticket in ended)])


def _delivery(digest: Digest, ticket: Ticket, *, close: bool) -> Delivery:
    due = ticket.due_date.isoformat() if ticket.due_date else ""
    said = [str(ticket.severity), due, str(ticket.first_seen_date), *ticket.members, str(close)]
    return Delivery(
        delivery_id=delivery_id(digest, Channel.ticket, ticket.dedupe_key),
        site_date=digest.site_date,
        channel=Channel.ticket,
        recipient=ticket.dedupe_key,
        subject_line=f"Close {ticket.title}" if close else ticket.title,
        digest_sha256=hashlib.sha256("\n".join(said).encode()).hexdigest(),
        content=SETTLED if close else ticket.body,
        payload={"ticket": ticket.model_dump(mode="json"), "close": close},
    )


def tickets_to_close(digest: Digest, open_tickets: Iterable[Ticket]) -> list[Ticket]:
    """Open tickets all of whose problems are settled.

    A problem that could not be judged today keeps its ticket: data that stopped closes none.
    Tickets of an older version, which followed no problems, close by their last day.
    """
    still = {problem.key for problem in digest.problems} | set(digest.unseen)
    return sorted(
        (
            ticket
            for ticket in open_tickets
            if not still & {ticket.dedupe_key, *ticket.members} and _is_settled(ticket, digest)
        ),
        key=lambda ticket: ticket.dedupe_key,
    )


def _is_settled(ticket: Ticket, digest: Digest) -> bool:
    if set(ticket.members or (ticket.dedupe_key,)) & set(digest.settled):
        return True
    days = (digest.site_date - ticket.last_seen_date).days
    return ticket.dedupe_key in digest.in_order and days >= CLOSE_AFTER_DAYS


def is_material(before: Ticket, now: Ticket) -> bool:
    """Whether a change is worth a comment: news, severity, or a due date moved by two weeks.

    News is what people get a mail for: clearly worse than anything told, one more resource hit
    by the same cause, or back.
    """
    told = before.notified_date or before.first_seen_date
    if now.notified_date is not None and now.notified_date > told:
        return True
    if before.severity is not now.severity:
        return True
    if (before.due_date is None) != (now.due_date is None):
        return True
    if before.due_date is None or now.due_date is None:
        return False
    return abs((before.due_date - now.due_date).days) >= MATERIAL_DAYS


def _is_nearer(known: Ticket, now: Ticket) -> bool:
    """Whether the change must be made earlier, by two weeks or more, than the ticket says."""
    if now.due_date is None or known.state is TicketState.closed:
        return False
    return known.due_date is None or (known.due_date - now.due_date).days >= MATERIAL_DAYS
