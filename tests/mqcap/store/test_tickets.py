from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine, text

from mqcap.domain.delivery import Channel, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.store.outbox import save_delivery
from mqcap.store.tickets import (
    find_ticket,
    read_tickets,
    require_tickets,
    save_ticket,
    tickets_named,
)
from tests.factories import DAY, delivery, ticket

ONE_DAY = timedelta(days=1)
NEXT_DAY = DAY + ONE_DAY
KEY = ticket().dedupe_key


def delivered(
    engine: Engine, ahead: int, sent: Ticket, *, close: bool = False, stage: Stage = Stage.sent
) -> None:
    """Store what was handed to the tracker for a day."""
    save_delivery(
        engine,
        delivery(
            delivery_id=f"{sent.dedupe_key} {ahead}"[:64],
            channel=Channel.ticket,
            recipient=sent.dedupe_key,
            site_date=DAY + ahead * ONE_DAY,
            payload={"ticket": sent.model_dump(mode="json"), "close": close},
            stage=stage,
        ),
    )


def test_a_ticket_is_stored_per_problem_and_backend(engine: Engine) -> None:
    jira = ticket(external_ref="CAP-7", members=("a/b", "c/d"), previous_ref="CAP-3")
    save_ticket(engine, ticket(), "embedded")
    save_ticket(engine, jira, "jira")
    assert read_tickets(engine) == [ticket(), jira]
    assert read_tickets(engine, "jira") == [jira]
    assert find_ticket(engine, KEY, "embedded") == ticket()
    assert find_ticket(engine, KEY, "webhook") is None


def test_saving_a_ticket_twice_leaves_its_last_state(engine: Engine) -> None:
    save_ticket(engine, ticket(), "embedded")
    save_ticket(engine, ticket(title="worse"), "embedded")
    assert read_tickets(engine) == [ticket(title="worse")]


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
    titles = {
        ahead: read_tickets(engine, as_of=DAY + ahead * ONE_DAY)[0].title for ahead in range(4)
    }
    assert titles == {0: "first", 1: "second", 2: "second", 3: "third"}
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


def test_a_ticket_opened_later_is_not_there_on_a_day_before(engine: Engine) -> None:
    save_ticket(engine, ticket(first_seen_date=NEXT_DAY, last_seen_date=NEXT_DAY), "embedded")
    assert read_tickets(engine, as_of=DAY) == []


@pytest.mark.parametrize(("oldest_ahead", "shown"), [(-1, []), (0, []), (1, [KEY])])
def test_a_problem_that_was_no_act_yet_has_no_ticket_unless_the_outbox_begins_later(
    engine: Engine, oldest_ahead: int, shown: list[str]
) -> None:
    delivered(engine, oldest_ahead, ticket(dedupe_key="y"))
    delivered(engine, 1, ticket(last_seen_date=NEXT_DAY))
    save_ticket(engine, ticket(last_seen_date=NEXT_DAY), "embedded")
    assert [each.dedupe_key for each in read_tickets(engine, as_of=DAY)] == shown


def test_a_day_before_a_new_ticket_of_the_problem_has_the_previous_one(engine: Engine) -> None:
    delivered(engine, 0, ticket(title="first episode"))
    later = DAY + 60 * ONE_DAY
    again = ticket(
        first_seen_date=later, last_seen_date=later, external_ref="CAP-9", previous_ref="CAP-1"
    )
    save_ticket(engine, again, "jira")
    [past] = read_tickets(engine, as_of=NEXT_DAY)
    assert (past.title, past.external_ref) == ("first episode", "CAP-1")
    assert past.first_seen_date == DAY


def test_a_ticket_whose_deliveries_are_pruned_is_shown_as_it_is_now(engine: Engine) -> None:
    save_ticket(engine, ticket(last_seen_date=DAY + 9 * ONE_DAY), "embedded")
    assert read_tickets(engine, as_of=NEXT_DAY) == [ticket(last_seen_date=NEXT_DAY)]


def test_tickets_are_named_by_reference_or_key_and_one_that_is_not_there_is_an_error(
    engine: Engine,
) -> None:
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
