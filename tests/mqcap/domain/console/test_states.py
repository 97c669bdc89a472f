"""States from messages: begun, repeated, ended, over."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from mqcap.domain.console.message import ConsoleMessage, MessageKind
from mqcap.domain.console.states import ConsoleState, open_on, states_of, states_on
from mqcap.domain.resource import ResourceKind
from mqcap.ingest.console.catalogue import catalogue
from tests.factories import DAY, NOON, console_message, console_state


def day_of(moment: datetime, subject: str) -> date:
    return (moment + timedelta(hours=12 if subject.startswith("EAST") else 0)).date()


def states(*messages: ConsoleMessage) -> list[ConsoleState]:
    return states_of(messages, catalogue(), day_of)


def after(
    message_id: str, hours: float, owner: str = "PLEX1/CSQ1", name: str = ""
) -> ConsoleMessage:
    return console_message(
        message_id,
        at_utc=NOON + timedelta(hours=hours),
        owner=owner,
        subject=owner,
        object_name=name,
    )


def test_the_next_current_log_ends_that_the_log_was_full() -> None:
    [state] = states(after("CSQJ111A", 0), after("CSQJ001I", 0.5))
    assert (state.first_utc, state.ended_utc) == (NOON, NOON + timedelta(minutes=30))
    assert (state.ended_by, state.state) == ("CSQJ001I", "out of active log space")
    assert state.resource.path == "PLEX1/CSQ1/active_log"


@pytest.mark.parametrize("other", ["CSQJ002I", "CSQJ110E", "CSQJ005I"])
def test_other_messages_do_not_end_it(other: str) -> None:
    first, *_ = states(after("CSQJ111A", 0), after(other, 0.5))
    assert first.ended_utc is None


def test_a_message_of_another_queue_manager_ends_nothing() -> None:
    [state] = states(after("CSQJ111A", 0), after("CSQJ139I", 1, "PLEX1/CSQ2"))
    assert state.ended_utc is None


def test_single_logging_of_a_copy_is_ended_by_dual_logging() -> None:
    [state] = states(after("CSQJ004I", 0), after("CSQJ005I", 48))
    assert (state.ended_by, state.last_date) == ("CSQJ005I", DAY + timedelta(days=2))


@pytest.mark.parametrize(("name", "ended_by"), [("4", "CSQI031I"), ("5", ""), ("", "CSQI031I")])
def test_the_end_is_that_of_the_same_object_where_both_name_one(name: str, ended_by: str) -> None:
    [state] = states(after("CSQP014E", 0, name="4"), after("CSQI031I", 1, name=name))
    assert state.ended_by == ended_by


def test_a_message_that_comes_again_belongs_to_the_open_state() -> None:
    first = after("CSQJ110E", 0).model_copy(update={"amount": 5.0})
    last = after("CSQJ110E", 2).model_copy(update={"amount": 75.0})
    [state] = states(last, first)
    assert (state.message_count, state.amount) == (2, 75.0)
    assert (state.first_utc, state.last_utc) == (first.at_utc, last.at_utc)


def test_exhaustion_without_an_end_counts_on_its_day_and_comes_again_on_another() -> None:
    one, other = states(after("CSQJ111A", 0), after("CSQJ111A", 24))
    assert [one.last_date, other.last_date] == [DAY, DAY + timedelta(days=1)]


@pytest.mark.parametrize(("days", "last"), [(6, 5), (7, 6), (8, 6)])
def test_a_state_without_an_end_counts_for_a_week_or_until_it_begins_anew(
    days: int, last: int
) -> None:
    one, other = states(after("CSQJ004I", 0), after("CSQJ004I", 24 * days))
    assert one.last_date == DAY + timedelta(days=last)
    assert other.last_date == DAY + timedelta(days=days + 6)


def test_what_comes_on_a_later_day_changes_nothing_of_the_day_before() -> None:
    alone = states(after("CSQJ004I", 0), after("CSQJ004I", 2))
    later = states(after("CSQJ004I", 0), after("CSQJ004I", 2), after("CSQJ004I", 24))
    reported = {"message_count", "amount", "first_utc", "last_utc", "text"}
    assert alone[0].model_dump(include=reported) == later[0].model_dump(include=reported)
    assert open_on(alone, DAY) == alone
    assert open_on(later, DAY) == later[:1]


def test_a_state_that_nothing_ends_has_all_messages_of_a_day() -> None:
    found = states(*(after("CSQX513E", hours) for hours in (0, 1, 24)))
    assert [(one.message_count, one.site_date) for one in found] == [
        (2, DAY),
        (1, DAY + timedelta(days=1)),
    ]


def test_the_day_is_that_of_the_subject() -> None:
    [state] = states(after("CSQX513E", 1, "EAST/CSQ1"))
    assert state.site_date == DAY + timedelta(days=1)


def test_states_of_a_day_are_exhaustion_first_and_those_of_a_resource_are_its_own() -> None:
    near = console_state("CSQJ110E", kind=MessageKind.near_exhaustion)
    full = console_state(first_utc=NOON + timedelta(hours=1))
    other = console_state(resource_kind=ResourceKind.archive)
    own = states_on([near, full, other], ResourceKind.active_log, "PLEX1/CSQ1")
    assert open_on(own, DAY) == [full, near]
    assert open_on(own, DAY + timedelta(days=1)) == open_on(own, DAY - timedelta(days=1)) == []
