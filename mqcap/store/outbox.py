"""The outbox: deliveries of email and tickets, with how far each has come."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from sqlalchemy import Engine, delete, func, select

from mqcap.domain.delivery import WAITING, Channel, Delivery, Stage
from mqcap.store.database import reading, writing
from mqcap.store.fetch import fetch_first, fetch_models, fetch_value, fetch_values, select_columns
from mqcap.store.tables import DeliveryRow
from mqcap.store.upsert import insert_rows, upsert

_UNDELIVERED: Final = (Stage.pending, Stage.merged, Stage.unconfirmed)


def save_delivery(engine: Engine, delivery: Delivery) -> None:
    """Write a delivery over the earlier row of its id."""
    with writing(engine, DeliveryRow) as connection:
        upsert(connection, DeliveryRow, [delivery.model_dump()])


def replace_replayed(
    engine: Engine, site_date: date, channel: Channel, deliveries: Iterable[Delivery]
) -> int:
    """Make these the only replayed deliveries of a day and channel.

    A delivery whose id was really sent keeps its row. Returns how many rows were written.
    """
    table = DeliveryRow
    with writing(engine, DeliveryRow) as connection:
        connection.execute(
            delete(table).where(
                table.site_date == site_date, table.channel == channel, table.replay
            )
        )
        of_day = select(table.delivery_id).where(table.site_date == site_date)
        sent_ids = set(connection.scalars(of_day))
        rows = [
            delivery.model_dump() for delivery in deliveries if delivery.delivery_id not in sent_ids
        ]
        return insert_rows(connection, table, rows)


def find_delivery(engine: Engine, delivery_id: str) -> Delivery | None:
    """Return one delivery, or ``None`` when there is none of that id."""
    statement = select_columns(DeliveryRow).where(DeliveryRow.delivery_id == delivery_id)
    return fetch_first(engine, Delivery, statement)


def read_deliveries(engine: Engine, site_date: date | None = None) -> list[Delivery]:
    """Return deliveries of a day (or all) by day, channel and recipient."""
    table = DeliveryRow
    statement = select_columns(table)
    if site_date is not None:
        statement = statement.where(table.site_date == site_date)
    order = (table.site_date, table.channel, table.recipient)
    return fetch_models(engine, Delivery, statement.order_by(*order))


def waiting_deliveries(engine: Engine) -> list[Delivery]:
    """Return deliveries not handed over yet, in the order in which they are to go out."""
    table = DeliveryRow
    statement = (
        select_columns(table)
        .where(table.stage.in_(WAITING), ~table.replay)
        .order_by(table.site_date, table.order_number, table.delivery_id)
    )
    return fetch_models(engine, Delivery, statement)


def last_notified_date(engine: Engine, channel: Channel, last: date) -> date | None:
    """Return the last day up to ``last`` with a delivery of a channel, handed over or waiting.

    Replays and deliveries whose arrival is unconfirmed do not count.
    """
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
    """Return the days whose delivery to a recipient did not arrive, since the last that did.

    Only days before ``before``; replays do not count.
    """
    table = DeliveryRow
    to_recipient = (
        table.channel == channel,
        table.recipient == recipient,
        ~table.replay,
        table.site_date < before,
    )
    with reading(engine) as connection:
        last_sent: date | None = connection.scalar(
            select(func.max(table.site_date)).where(
                *to_recipient, table.stage.in_((Stage.sent, Stage.partly_sent))
            )
        )
        statement = (
            select(table.site_date)
            .where(
                *to_recipient,
                table.stage.in_(_UNDELIVERED),
                table.site_date > (last_sent or date.min),
            )
            .distinct()
            .order_by(table.site_date)
        )
        return tuple(connection.scalars(statement))


def tracker_deliveries(engine: Engine, last: date) -> list[Delivery]:
    """Return all deliveries to the issue tracker up to a day, oldest first; no replays."""
    table = DeliveryRow
    statement = (
        select_columns(table)
        .where(table.channel == Channel.ticket, ~table.replay, table.site_date <= last)
        .order_by(table.site_date, table.order_number, table.delivery_id)
    )
    return fetch_models(engine, Delivery, statement)


def opened_after(engine: Engine, day: date) -> set[str]:
    """Return the keys of tickets whose first delivery to the tracker is after a day; no replays.

    Empty where the outbox does not reach back to that day: what is gone from it may be of then.
    """
    table = DeliveryRow
    tracked = (table.channel == Channel.ticket, ~table.replay)
    oldest = fetch_value(engine, select(func.min(table.site_date)))
    if oldest is None or oldest > day:
        return set()
    later = select(table.recipient).where(*tracked, table.site_date > day)
    before = select(table.recipient).where(*tracked, table.site_date <= day)
    return set(fetch_values(engine, later)) - set(fetch_values(engine, before))


def ticket_deliveries(engine: Engine, dedupe_key: str, last: date) -> list[Delivery]:
    """Return the deliveries to the ticket of a problem up to a day, oldest first, with replays."""
    table = DeliveryRow
    statement = (
        select_columns(table)
        .where(
            table.channel == Channel.ticket,
            table.recipient == dedupe_key,
            table.site_date <= last,
        )
        .order_by(table.site_date, table.order_number)
    )
    return fetch_models(engine, Delivery, statement)


def last_tracker_date(engine: Engine) -> date | None:
    """Return the last day with a delivery to the issue tracker; replays do not count."""
    table = DeliveryRow
    statement = select(func.max(table.site_date)).where(
        table.channel == Channel.ticket, ~table.replay
    )
    return fetch_value(engine, statement)
