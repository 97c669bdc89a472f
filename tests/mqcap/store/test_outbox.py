from __future__ import annotations

from datetime import date, timedelta

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import StatementError

from mqcap.domain.delivery import Channel, Stage
from mqcap.store.outbox import (
    find_delivery,
    last_notified_date,
    last_tracker_date,
    read_deliveries,
    replace_replayed,
    save_delivery,
    ticket_deliveries,
    tracker_deliveries,
    undelivered_dates,
    waiting_deliveries,
)
from tests.factories import DAY, NOON, delivery

ONE_DAY = timedelta(days=1)
NEXT_DAY = DAY + ONE_DAY
TO = delivery().recipient


def on(ahead: int) -> date:
    return DAY + ahead * ONE_DAY


def save(engine: Engine, ahead: int, stage: Stage, **changed: object) -> None:
    name = f"{ahead} {stage} {sorted(changed.items())}"
    save_delivery(
        engine, delivery(delivery_id=name[:64], site_date=on(ahead), stage=stage, **changed)
    )


def test_a_delivery_is_written_over_the_earlier_row_of_its_id(engine: Engine) -> None:
    assert find_delivery(engine, delivery().delivery_id) is None
    save_delivery(engine, delivery(attempts=1, error="refused", payload={"close": False}))
    sent = delivery(attempts=2).handed_over(NOON)
    save_delivery(engine, sent)
    assert find_delivery(engine, sent.delivery_id) == sent
    assert read_deliveries(engine) == [sent]


def test_deliveries_are_read_by_day_channel_and_recipient(engine: Engine) -> None:
    later = delivery(delivery_id="l", site_date=NEXT_DAY)
    ticket = delivery(delivery_id="t", channel=Channel.ticket)
    first = delivery(delivery_id="a", recipient="a@example.com")
    for row in (later, ticket, delivery(), first):
        save_delivery(engine, row)
    assert read_deliveries(engine) == [first, delivery(), ticket, later]
    assert read_deliveries(engine, NEXT_DAY) == [later]


def test_an_instant_without_a_zone_is_refused(engine: Engine) -> None:
    naive = delivery().model_copy(update={"sent_at_utc": NOON.replace(tzinfo=None)})
    with pytest.raises(StatementError, match="no time zone"):
        save_delivery(engine, naive)


def test_waiting_deliveries_come_in_the_order_in_which_they_go_out(engine: Engine) -> None:
    rows = [
        delivery(delivery_id="2", order_number=2, payload={"close": True}),
        delivery(delivery_id="1", order_number=1, stage=Stage.posting, attempts=3),
        delivery(delivery_id="s", stage=Stage.sent),
        delivery(delivery_id="u", stage=Stage.unconfirmed),
        delivery(delivery_id="r", stage=Stage.replayed, replay=True),
        delivery(delivery_id="0", site_date=DAY - ONE_DAY),
    ]
    for row in rows:
        save_delivery(engine, row)
    assert waiting_deliveries(engine) == [rows[5], rows[1], rows[0]]


def test_a_replay_with_fewer_deliveries_leaves_none_of_the_one_before(engine: Engine) -> None:
    real = delivery(sent_at_utc=NOON)
    save_delivery(engine, real)
    first, second = (delivery(delivery_id=name, replay=True) for name in ("one", "two"))
    assert replace_replayed(engine, DAY, Channel.mail, [first, second, real]) == 2
    assert replace_replayed(engine, DAY, Channel.ticket, []) == 0
    assert len(read_deliveries(engine, DAY)) == 3
    assert replace_replayed(engine, DAY, Channel.mail, [second]) == 1
    assert {row.delivery_id for row in read_deliveries(engine, DAY)} == {"two", real.delivery_id}
    assert find_delivery(engine, real.delivery_id) == real


def test_the_last_notified_day_has_a_delivery_that_arrived_or_waits(engine: Engine) -> None:
    assert last_notified_date(engine, Channel.mail, on(9)) is None
    save(engine, 0, Stage.sent)
    save(engine, 1, Stage.pending)
    save(engine, 2, Stage.unconfirmed)
    save(engine, 3, Stage.replayed, replay=True)
    save(engine, 4, Stage.sent, channel=Channel.ticket)
    assert last_notified_date(engine, Channel.mail, on(9)) == on(1)
    assert last_notified_date(engine, Channel.mail, on(0)) == on(0)
    assert last_notified_date(engine, Channel.ticket, on(9)) == on(4)


def test_undelivered_days_are_those_since_the_last_delivery_that_arrived(engine: Engine) -> None:
    save(engine, 0, Stage.merged)
    assert undelivered_dates(engine, Channel.mail, TO, on(9)) == (on(0),)
    save(engine, 1, Stage.sent)
    save(engine, 2, Stage.merged)
    save(engine, 3, Stage.unconfirmed)
    save(engine, 4, Stage.pending)
    save(engine, 4, Stage.pending, order_number=1)
    save(engine, 5, Stage.replayed, replay=True)
    assert undelivered_dates(engine, Channel.mail, TO, on(9)) == (on(2), on(3), on(4))
    assert undelivered_dates(engine, Channel.mail, TO, on(4)) == (on(2), on(3))
    assert undelivered_dates(engine, Channel.mail, "others@example.com", on(9)) == ()
    assert undelivered_dates(engine, Channel.data, TO, on(9)) == ()


def test_deliveries_to_the_tracker_exclude_mail_later_days_and_replays(engine: Engine) -> None:
    key = "LOG-FILL-30MIN/PLEX1/CSQ1"
    second, first, other, later, replayed = (
        delivery(
            delivery_id=name,
            channel=Channel.ticket,
            recipient=recipient,
            site_date=day,
            order_number=number,
            replay=name == "replayed",
        )
        for name, recipient, day, number in (
            ("second", key, DAY, 2),
            ("first", key, DAY, 1),
            ("other", "CF-BUSY-1/PLEX1/CF01", DAY, 3),
            ("later", key, NEXT_DAY, 1),
            ("replayed", key, DAY, 4),
        )
    )
    for row in (second, first, other, later, replayed, delivery()):
        save_delivery(engine, row)
    assert tracker_deliveries(engine, DAY) == [first, second, other]
    assert ticket_deliveries(engine, key, DAY) == [first, second, replayed]
    assert ticket_deliveries(engine, key, NEXT_DAY) == [first, second, replayed, later]
    assert last_tracker_date(engine) == NEXT_DAY


def test_without_a_delivery_to_the_tracker_there_is_no_last_day(engine: Engine) -> None:
    save(engine, 0, Stage.sent)
    save(engine, 1, Stage.replayed, channel=Channel.ticket, replay=True)
    assert last_tracker_date(engine) is None
