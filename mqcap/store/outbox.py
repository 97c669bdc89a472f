"""The outbox: deliveries of email and tickets, with how far each has come."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from sqlalchemy import ColumnElement, Engine, delete, func, select

from mqcap.domain.delivery import WAITING, Channel, Delivery, Stage
from mqcap.store.database import writing
from mqcap.store.fetch import fetch_value, fetch_values, find_model, read_models
from mqcap.store.tables import DeliveryRow
from mqcap.store.upsert import insert_rows, upsert

_UNDELIVERED: Final = (Stage.pending, Stage.merged, Stage.unconfirmed)
_TRACKED: Final = (DeliveryRow.channel == Channel.ticket, ~DeliveryRow.replay)
"""Conditions of what the issue tracker gets."""


def save_delivery(engine: Engine, delivery: Delivery) -> None:
    """Write a delivery over the earlier row of its id."""
    with writing(engine, DeliveryRow) as connection:
        upsert(connection, DeliveryRow, [delivery.model_dump()])


def replace_replayed(
    engine: Engine, site_date: date, channel: Channel, deliveries: Iterable[Delivery]
) -> int:
    """Make these the only replayed deliveries of a day and channel, but for sent ones; how many."""
    table = DeliveryRow
    with writing(engine, DeliveryRow) as connection:
        on_day = table.site_date == site_date
        connection.execute(delete(table).where(on_day, table.channel == channel, table.replay))
        sent_ids = set(connection.scalars(select(table.delivery_id).where(on_day)))
        new = (
            delivery.model_dump() for delivery in deliveries if delivery.delivery_id not in sent_ids
        )
        return insert_rows(connection, table, new)


def find_delivery(engine: Engine, delivery_id: str) -> Delivery | None:
    """Return one delivery, or ``None`` when there is none of that id."""
    return find_model(engine, Delivery, DeliveryRow, DeliveryRow.delivery_id == delivery_id)


def read_deliveries(engine: Engine, site_date: date | None = None) -> list[Delivery]:
    """Return deliveries of a day (or all) by day, channel and recipient."""
    table = DeliveryRow
    on_day = [] if site_date is None else [table.site_date == site_date]
    order = (table.site_date, table.channel, table.recipient)
    return read_models(engine, Delivery, table, *on_day, order=order)


def waiting_deliveries(engine: Engine) -> list[Delivery]:
    """Return deliveries not handed over yet, in the order in which they are to go out."""
    return _in_order(engine, DeliveryRow.stage.in_(WAITING), ~DeliveryRow.replay)


def last_notified_date(engine: Engine, channel: Channel, last: date) -> date | None:
    """Return the last day up to ``last`` with a delivery of a channel, handed over or waiting."""
    table = DeliveryRow
    statement = select(func.max(table.site_date)).where(
        table.channel == channel,
        ~table.replay,
        table.site_date <= last,
        table.stage != Stage.unconfirmed,
    )
    return fetch_value(engine, statement)


def undelivered_dates(
    engine: Engine, channel: Channel, recipient: str, before: date
) -> tuple[date, ...]:
    """Return days before ``before`` whose delivery to a recipient did not arrive, since one did."""
    table = DeliveryRow
    to_recipient = (
        table.channel == channel,
        table.recipient == recipient,
        ~table.replay,
        table.site_date < before,
    )
    arrived = table.stage.in_((Stage.sent, Stage.partly_sent))
    last_sent = select(func.max(table.site_date)).where(*to_recipient, arrived)
    since = table.site_date > (fetch_value(engine, last_sent) or date.min)
    days = select(table.site_date).where(*to_recipient, table.stage.in_(_UNDELIVERED), since)
    return tuple(fetch_values(engine, days.distinct().order_by(table.site_date)))


def tracker_deliveries(engine: Engine, last: date) -> list[Delivery]:
    """Return all deliveries to the issue tracker up to a day, oldest first; no replays."""
    return _in_order(engine, *_TRACKED, DeliveryRow.site_date <= last)


def opened_after(engine: Engine, day: date) -> set[str]:
    """Return keys of tickets first delivered after a day; none where the outbox begins later."""
    table = DeliveryRow
    oldest = fetch_value(engine, select(func.min(table.site_date)))
    if oldest is None or oldest > day:
        return set()
    later = select(table.recipient).where(*_TRACKED, table.site_date > day)
    before = select(table.recipient).where(*_TRACKED, table.site_date <= day)
    return set(fetch_values(engine, later)) - set(fetch_values(engine, before))


def ticket_deliveries(engine: Engine, dedupe_key: str, last: date) -> list[Delivery]:
    """Return the deliveries to the ticket of a problem up to a day, oldest first, with replays."""
    table = DeliveryRow
    to_ticket = (table.channel == Channel.ticket, table.recipient == dedupe_key)
    return _in_order(engine, *to_ticket, table.site_date <= last)


def last_tracker_date(engine: Engine) -> date | None:
    """Return the last day with a delivery to the issue tracker; replays do not count."""
    return fetch_value(engine, select(func.max(DeliveryRow.site_date)).where(*_TRACKED))


def _in_order(engine: Engine, *conditions: ColumnElement[bool]) -> list[Delivery]:
    table = DeliveryRow
    order = (table.site_date, table.order_number, table.delivery_id)
    return read_models(engine, Delivery, table, *conditions, order=order)
