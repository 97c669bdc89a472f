from datetime import date, timedelta

import pytest
from sqlalchemy import Engine, text

from mqcap.domain.delivery import Channel, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.ticket import Ticket, TicketState
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
from mqcap.store.tickets import (
    find_ticket,
    read_tickets,
    require_tickets,
    save_ticket,
    tickets_named,
)
from tests.factories import DAY, NOON, delivery, ticket

ONE_DAY = timedelta(days=1)
NEXT_DAY = DAY + ONE_DAY
KEY = ticket().dedupe_key
TO = delivery().recipient


def on(ahead: int) -> date:
    return DAY + ahead * ONE_DAY


def delivered(
    engine: Engine, ahead: int, sent: Ticket, *, close: bool = False, stage: Stage = Stage.sent
) -> None:
    row = delivery(
        delivery_id=f"{sent.dedupe_key} {ahead}"[:64], channel=Channel.ticket, stage=stage,
        recipient=sent.dedupe_key, site_date=on(ahead),
        payload={"ticket": sent.model_dump(mode="json"), "close": close},
    )  # fmt: skip
    save_delivery(engine, row)


def test_a_ticket_is_stored_per_problem_and_backend(engine: Engine) -> None:
    jira = ticket(external_ref="CAP-7", members=("a/b", "c/d"), previous_ref="CAP-3")
    save_ticket(engine, ticket(), "embedded")
    save_ticket(engine, jira, "jira")
    assert read_tickets(engine) == [ticket(), jira]
    assert read_tickets(engine, "jira") == [jira]
    assert find_ticket(engine, KEY, "embedded") == ticket()
    assert find_ticket(engine, KEY, "webhook") is None


def test_what_only_the_tracker_needs_is_not_stored(engine: Engine) -> None:
    save_ticket(engine, ticket(update_text="worse", reopen=True, tried=True), "embedded")
    assert read_tickets(engine) == [ticket()]


def test_a_closed_ticket_has_its_last_day_as_closing_date(engine: Engine) -> None:
    save_ticket(engine, ticket(), "embedded")
    closed = ticket(state=TicketState.closed, last_seen_date=NEXT_DAY)
    save_ticket(engine, closed, "embedded")
    assert read_tickets(engine, state=TicketState.open) == []
    assert read_tickets(engine, state=TicketState.closed) == [closed]
    assert find_ticket(engine, KEY, "embedded") == closed
    with engine.connect() as connection:
        assert str(connection.scalar(text("SELECT closed_date FROM ticket"))) == str(NEXT_DAY)


def test_as_of_the_newest_day_tickets_are_those_of_now(engine: Engine) -> None:
    save_ticket(engine, ticket(), "embedded")
    delivered(engine, 0, ticket(title="as sent"))
    assert read_tickets(engine, as_of=DAY) == [ticket()]


def test_as_of_a_past_day_a_ticket_has_what_was_delivered_by_then(engine: Engine) -> None:
    delivered(engine, 0, ticket(title="first"))
    delivered(engine, 1, ticket(title="second"))
    delivered(engine, 2, ticket(title="never arrived"), stage=Stage.unconfirmed)
    now = ticket(title="third", external_ref="MQCAP-1", last_seen_date=DAY + 3 * ONE_DAY)
    save_ticket(engine, now, "embedded")
    titles = [read_tickets(engine, as_of=on(ahead))[0].title for ahead in range(4)]
    assert titles == ["first", "second", "second", "third"]
    [past] = read_tickets(engine, as_of=NEXT_DAY)
    assert (past.external_ref, past.last_seen_date) == ("MQCAP-1", NEXT_DAY)


def test_as_of_a_day_before_its_closing_a_ticket_is_open(engine: Engine) -> None:
    delivered(engine, 0, ticket())
    delivered(engine, 2, ticket(last_seen_date=NEXT_DAY), close=True)
    closed = ticket(state=TicketState.closed, last_seen_date=DAY + 2 * ONE_DAY)
    save_ticket(engine, closed, "embedded")
    save_ticket(engine, ticket(dedupe_key="z", last_seen_date=DAY + 3 * ONE_DAY), "embedded")
    opened = read_tickets(engine, state=TicketState.open, as_of=NEXT_DAY)
    assert [item.dedupe_key for item in opened] == [KEY, "z"]
    later = read_tickets(engine, state=TicketState.closed, as_of=DAY + 2 * ONE_DAY)
    assert [item.dedupe_key for item in later] == [KEY]
    assert later[0].last_seen_date == NEXT_DAY


@pytest.mark.parametrize(("oldest_ahead", "shown"), [(-1, []), (0, []), (1, [KEY])])
def test_a_problem_that_was_no_act_yet_has_no_ticket_unless_the_outbox_begins_later(
    engine: Engine, oldest_ahead: int, shown: list[str]
) -> None:
    delivered(engine, oldest_ahead, ticket(dedupe_key="y"))
    delivered(engine, 1, ticket(last_seen_date=NEXT_DAY))
    save_ticket(engine, ticket(last_seen_date=NEXT_DAY), "embedded")
    assert [ticket.dedupe_key for ticket in read_tickets(engine, as_of=DAY)] == shown


def test_a_day_before_a_new_ticket_of_the_problem_has_the_previous_one(engine: Engine) -> None:
    delivered(engine, 0, ticket(title="first episode"))
    later = DAY + 60 * ONE_DAY
    days = {"first_seen_date": later, "last_seen_date": later}
    save_ticket(engine, ticket(external_ref="CAP-9", previous_ref="CAP-1", **days), "jira")
    [past] = read_tickets(engine, as_of=NEXT_DAY)
    assert (past.title, past.external_ref) == ("first episode", "CAP-1")
    assert past.first_seen_date == DAY


def test_a_ticket_without_deliveries_is_shown_as_it_is_now_once_opened(engine: Engine) -> None:
    now = ticket(first_seen_date=NEXT_DAY, last_seen_date=DAY + 9 * ONE_DAY)
    save_ticket(engine, now, "embedded")
    assert read_tickets(engine, as_of=DAY) == []
    [shown] = read_tickets(engine, as_of=NEXT_DAY)
    assert shown == now.model_copy(update={"last_seen_date": NEXT_DAY})


def test_tickets_are_named_by_reference_or_key_and_others_are_errors(engine: Engine) -> None:
    save_ticket(engine, ticket(external_ref="MQCAP-7"), "embedded")
    [named] = require_tickets(engine, "MQCAP-7")
    assert tickets_named(engine, named.dedupe_key) == [named]
    assert tickets_named(engine, "MQCAP-8") == []
    with pytest.raises(ConfigurationError, match="no such ticket; found MQCAP-8; expected MQCAP-7"):
        require_tickets(engine, "MQCAP-8")
    with pytest.raises(ConfigurationError, match="expected the reference or the key of a ticket"):
        require_tickets(engine, "?")


def test_a_ticket_is_named_in_any_case_unless_two_differ_in_case_only(engine: Engine) -> None:
    save_ticket(engine, ticket(dedupe_key="a/b", external_ref="CAP-7"), "embedded")
    assert len(tickets_named(engine, "cap-7")) == 1
    save_ticket(engine, ticket(dedupe_key="c/d", external_ref="Cap-7"), "embedded")
    assert tickets_named(engine, "cap-7") == []
    assert len(tickets_named(engine, "Cap-7")) == 1


def save(engine: Engine, ahead: int, stage: Stage, **changed: object) -> None:
    name = f"{ahead} {stage} {sorted(changed.items())}"[:64]
    save_delivery(engine, delivery(delivery_id=name, site_date=on(ahead), stage=stage, **changed))


def test_deliveries_are_read_by_day_channel_and_recipient(engine: Engine) -> None:
    later = delivery(delivery_id="l", site_date=NEXT_DAY)
    ticket = delivery(delivery_id="t", channel=Channel.ticket)
    first = delivery(delivery_id="a", recipient="a@example.com")
    for row in (later, ticket, delivery(), first):
        save_delivery(engine, row)
    assert read_deliveries(engine) == [first, delivery(), ticket, later]
    assert read_deliveries(engine, NEXT_DAY) == [later]


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
            delivery_id=name, channel=Channel.ticket, recipient=recipient, site_date=day,
            order_number=number, replay=name == "replayed",
        )
        for name, recipient, day, number in (
            ("second", key, DAY, 2), ("first", key, DAY, 1), ("other", "CF-BUSY-1/P/CF01", DAY, 3),
            ("later", key, NEXT_DAY, 1), ("replayed", key, DAY, 4),
        )
    )  # fmt: skip
    save_delivery(engine, delivery())
    save_delivery(engine, replayed)
    assert last_tracker_date(engine) is None
    for row in (second, first, other, later):
        save_delivery(engine, row)
    assert tracker_deliveries(engine, DAY) == [first, second, other]
    assert ticket_deliveries(engine, key, DAY) == [first, second, replayed]
    assert ticket_deliveries(engine, key, NEXT_DAY) == [first, second, replayed, later]
    assert last_tracker_date(engine) == NEXT_DAY
