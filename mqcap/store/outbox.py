"""Questions to the outbox: what did not arrive, and what was said to the tracker."""

from __future__ import annotations

from datetime import date
from typing import Final

from sqlalchemy import Engine, func, select

from mqcap.domain.delivery import Delivery, Stage
from mqcap.store import tables
from mqcap.store.database import reading

TICKETS: Final = "ticket"
"""The channel to the tracker."""
_UNTOLD: Final = (Stage.pending, Stage.merged, Stage.unconfirmed)


def untold_dates(engine: Engine, channel: str, recipient: str, before: date) -> tuple[date, ...]:
    """Days with something for these people that did not arrive, since the last that did.

    Only days before ``before``; replays do not count.
    """
    table = tables.Delivery
    theirs = (
        table.channel == channel,
        table.recipient == recipient,
        ~table.replay,
        table.site_date < before,
    )
    with reading(engine) as connection:
        last: date | None = connection.scalar(
            select(func.max(table.site_date)).where(*theirs, table.stage == Stage.sent)
        )
        question = (
            select(table.site_date)
            .where(*theirs, table.stage.in_(_UNTOLD), table.site_date > (last or date.min))
            .distinct()
            .order_by(table.site_date)
        )
        return tuple(connection.scalars(question))


def ticket_words(engine: Engine, last: date) -> list[Delivery]:
    """Everything that was said to the tracker up to a day, oldest first; no replays."""
    table = tables.Delivery
    question = (
        select(*table.__table__.columns)
        .where(table.channel == TICKETS, ~table.replay, table.site_date <= last)
        .order_by(table.site_date, table.order_number, table.delivery_id)
    )
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [Delivery.model_validate(dict(row)) for row in rows]
