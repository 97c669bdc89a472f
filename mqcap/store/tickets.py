"""Tickets per resource and tracker, as they are now or as they were on a past day."""

from datetime import date
from typing import Any, Final

from sqlalchemy import ColumnElement, Engine

from mqcap.domain.delivery import Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import near_names
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.store.database import writing
from mqcap.store.fetch import fetch_rows, select_columns
from mqcap.store.outbox import last_tracker_date, opened_after, tracker_deliveries
from mqcap.store.tables import TicketRow
from mqcap.store.upsert import upsert

_NOT_STORED: Final = {"first_seen_date", "grown", "reopen", "notified_date", "tried", "update_text"}
"""Fields of a ticket that only the tracker needs, and the day that has a column of its own."""


def save_ticket(engine: Engine, ticket: Ticket, backend: str) -> None:
    """Write one ticket of a backend over its earlier row; a closed one with its last day."""
    closed = ticket.last_seen_date if ticket.state is TicketState.closed else None
    row = ticket.model_dump(exclude=_NOT_STORED) | {
        "members": list(ticket.members),
        "backend": backend,
        "opened_date": ticket.first_seen_date,
        "closed_date": closed,
    }
    with writing(engine, TicketRow) as connection:
        upsert(connection, TicketRow, [row])


def find_ticket(engine: Engine, dedupe_key: str, backend: str) -> Ticket | None:
    """Return the ticket of one problem in one backend, open or closed; else ``None``."""
    matching = _read(engine, TicketRow.backend == backend, TicketRow.dedupe_key == dedupe_key)
    return matching[0] if matching else None


def tickets_named(engine: Engine, reference: str) -> list[Ticket]:
    """Return the tickets with this reference or key, in any case: none, or one per backend."""
    tickets = read_tickets(engine)
    names = {name for ticket in tickets for name in _names(ticket)}
    same = {name for name in names if name.casefold() == reference.casefold()}
    meant = same if reference not in names and len(same) == 1 else {reference}
    return [ticket for ticket in tickets if not meant.isdisjoint(_names(ticket))]


def _names(ticket: Ticket) -> set[str]:
    return {name for name in (ticket.external_ref, ticket.dedupe_key) if name}


def require_tickets(engine: Engine, reference: str) -> list[Ticket]:
    """Return the tickets with this reference or key; ConfigurationError when there is none."""
    tickets = tickets_named(engine, reference)
    if not tickets:
        names = sorted({name for ticket in read_tickets(engine) for name in _names(ticket)})
        raise ConfigurationError(
            "no such ticket",
            found=reference,
            expected=" or ".join(near_names(reference, names))
            or "the reference or the key of a ticket",
            remedy="`mqcap tickets list` prints both.",
        )
    return tickets


def read_tickets(
    engine: Engine,
    backend: str | None = None,
    state: TicketState | None = None,
    *,
    as_of: date | None = None,
) -> list[Ticket]:
    """Return tickets by key; of one backend and in one state when given.

    With ``as_of`` those at the end of that day with what was known then: of a problem that came
    back the ticket before, of one that was no Act yet none. Without deliveries in the outbox a
    ticket is as it is now.
    """
    conditions = [] if backend is None else [TicketRow.backend == backend]
    tickets = _read(engine, *conditions)
    seen = [ticket.last_seen_date for ticket in tickets]
    if as_of is not None and max(as_of, last_tracker_date(engine) or as_of, *seen) > as_of:
        later = opened_after(engine, as_of)
        payloads = {
            delivery.recipient: delivery.payload
            for delivery in tracker_deliveries(engine, as_of)
            if delivery.payload and delivery.stage in {Stage.sent, Stage.posting}
        }
        past = (
            _as_of(ticket, payloads.get(ticket.dedupe_key), as_of)
            for ticket in tickets
            if ticket.dedupe_key not in later
        )
        tickets = [ticket for ticket in past if ticket is not None]
    return [ticket for ticket in tickets if state is None or ticket.state is state]


def _read(engine: Engine, *conditions: ColumnElement[bool]) -> list[Ticket]:
    table = TicketRow
    statement = select_columns(table).where(*conditions).order_by(table.dedupe_key, table.backend)
    return [
        Ticket.model_validate(row | {"first_seen_date": row["opened_date"]})
        for row in map(dict, fetch_rows(engine, statement))
    ]


def _as_of(now: Ticket, payload: dict[str, Any] | None, day: date) -> Ticket | None:
    """Return the ticket at the end of a day; ``None`` when it was opened later."""
    if payload is None:
        if now.first_seen_date > day:
            return None
        return now.model_copy(update={"last_seen_date": min(now.last_seen_date, day)})
    delivered = Ticket.model_validate(payload["ticket"])
    state = TicketState.closed if payload["close"] else TicketState.open
    change: dict[str, Any] = {"state": state}
    if now.first_seen_date > day:
        return delivered.model_copy(update=change | {"external_ref": now.previous_ref})
    for name in ("first_seen_date", "external_ref", "previous_ref"):
        change[name] = getattr(now, name)
    if not payload["close"]:
        change["last_seen_date"] = min(now.last_seen_date, day)
    return delivered.model_copy(update=change)
