"""Tickets as they stood on a past day: from what had been written into them by then."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import Engine, func, select

from mqcap.domain.delivery import Stage
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.store import tables
from mqcap.store.database import reading
from mqcap.store.outbox import TICKETS, ticket_words
from mqcap.store.reads import tickets


def tickets_on(engine: Engine, day: date) -> list[Ticket]:
    """The tickets that there were when ``day`` ended, by key, with what was known of them.

    Of a problem that came back in a new ticket, a day before it shows the one before. A ticket of
    which the outbox is pruned is shown as it is now.
    """
    found = tickets(engine)
    if _is_newest(engine, found, day):
        return found
    said = _said(engine, day)
    then = (_then(one, said.get(one.dedupe_key), day) for one in found)
    return [one for one in then if one is not None]


def _is_newest(engine: Engine, found: list[Ticket], day: date) -> bool:
    """Whether nothing was said or seen later."""
    table = tables.Delivery
    question = select(func.max(table.site_date)).where(table.channel == TICKETS, ~table.replay)
    with reading(engine) as connection:
        last: date | None = connection.scalar(question)
    return all(one <= day for one in [*(ticket.last_seen_date for ticket in found), last or day])


def _said(engine: Engine, day: date) -> dict[str, dict[str, Any]]:
    """By key: the last thing that was handed to the tracker up to the day."""
    return {
        one.recipient: one.payload
        for one in ticket_words(engine, day)
        if one.payload and one.stage in {Stage.sent, Stage.posting}
    }


def _then(now: Ticket, said: dict[str, Any] | None, day: date) -> Ticket | None:
    if said is None:
        if now.first_seen_date > day:
            return None
        return now.model_copy(update={"last_seen_date": min(now.last_seen_date, day)})
    told = Ticket.model_validate(said["ticket"])
    change: dict[str, Any] = {"state": TicketState.closed if said["close"] else TicketState.open}
    if now.first_seen_date > day:
        return told.model_copy(update=change | {"external_ref": now.previous_ref})
    kept = {name: getattr(now, name) for name in ("first_seen_date", "external_ref")}
    if not said["close"]:
        kept["last_seen_date"] = min(now.last_seen_date, day)
    return told.model_copy(update=change | kept | {"previous_ref": now.previous_ref})
