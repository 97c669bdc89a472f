"""States, ledger, limit records and messages of consoles."""

from datetime import date, datetime, timedelta

import pytest

from mqcap.domain.console.ledger import (
    Ledger,
    LedgerEvent,
    LedgerForecast,
    LimitRecord,
    limit_records,
)
from mqcap.domain.console.states import (
    ConsoleMessage,
    ConsoleState,
    MessageKind,
    open_on,
    states_of,
    states_on,
    where_reported,
    where_written,
)
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.resource import ResourceKind
from mqcap.domain.score import RuleReliability
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


@pytest.mark.parametrize(
    ("other", "owner"),
    [
        ("CSQJ002I", "PLEX1/CSQ1"),
        ("CSQJ110E", "PLEX1/CSQ1"),
        ("CSQJ005I", "PLEX1/CSQ1"),
        ("CSQJ001I", "PLEX1/CSQ2"),
    ],
)
def test_other_messages_and_those_of_another_queue_manager_do_not_end_it(
    other: str, owner: str
) -> None:
    first, *_ = states(after("CSQJ111A", 0), after(other, 0.5, owner))
    assert first.ended_utc is None


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


EVENT = LedgerEvent(
    resource="PLEX1/CSQ1/active_log", label="CSQ1 active logs", site_date=DAY,
    state="out of active log space", message_id="CSQJ111A",
)  # fmt: skip
DUE = LedgerForecast(
    basis=ForecastBasis.live, resource=EVENT.resource, stated_on=DAY, expected_date=DAY
)


@pytest.mark.parametrize(
    ("reported", "measured", "came"), [(None, None, None), (1, None, 1), (None, 2, 2), (3, 2, 2)]
)
def test_a_forecast_came_on_the_first_of_both_days(
    reported: int | None, measured: int | None, came: int | None
) -> None:
    days = {"reported_on": reported, "measured_on": measured}
    made = DUE.model_copy(
        update={name: DAY + timedelta(days=day) for name, day in days.items() if day}
    )
    assert made.came_on == (DAY + timedelta(days=came) if came else None)
    assert Ledger(forecasts=(made,)).unfulfilled == (() if came else (made,))


DUE_OF_LIMIT_RECORD = LedgerForecast(
    basis=ForecastBasis.hold_out, resource="PLEX1/CSQ1/active_log", rule_id="LOG-FILL-30MIN",
    stated_on=DAY - timedelta(days=60), expected_date=DAY - timedelta(days=20),
)  # fmt: skip
STATED = RuleReliability(
    rule_id="LOG-FILL-30MIN", basis=ForecastBasis.hold_out, count=3, stated=0.4, came=0.5
)


def came(days_off: int) -> LedgerForecast:
    return DUE_OF_LIMIT_RECORD.model_copy(
        update={"measured_on": DUE_OF_LIMIT_RECORD.expected_date + timedelta(days=days_off)}
    )


def test_the_error_is_the_median_distance_of_the_dates_that_came() -> None:
    ledger = Ledger(forecasts=(DUE_OF_LIMIT_RECORD, came(-9), came(2), came(4)))
    [record] = limit_records(ledger, [STATED])
    assert (record.due_count, record.came_count, record.error_days) == (4, 3, 4)
    assert (record.probability_count, record.stated_ratio, record.came_ratio) == (3, 0.4, 0.5)


def test_dates_of_which_none_came_have_no_error() -> None:
    [record] = limit_records(Ledger(forecasts=(DUE_OF_LIMIT_RECORD,)), [])
    assert (record.came_count, record.error_days, record.stated_ratio) == (0, None, None)


def test_live_and_hold_out_stand_apart_by_rule_live_first() -> None:
    live = STATED.model_copy(update={"basis": ForecastBasis.live})
    other = STATED.model_copy(update={"rule_id": "A"})
    records = limit_records(Ledger(forecasts=(DUE_OF_LIMIT_RECORD,)), [STATED, live, other])
    assert [(one.rule_id, one.basis.value, one.due_count) for one in records] == [
        ("A", "hold_out", 0),
        ("LOG-FILL-30MIN", "live", 0),
        ("LOG-FILL-30MIN", "hold_out", 1),
    ]


@pytest.mark.parametrize(
    ("due", "stated", "share", "is_quiet"),
    [
        (0, 0.0, 0.0, True),
        (0, 0.009, 0.0, True),
        (0, 0.01, 0.0, False),
        (0, 0.0, 0.1, False),
        (1, 0.0, 0.0, False),
        (0, None, None, True),
    ],
)
def test_a_rule_is_quiet_without_dates_likely_crossings_and_outcomes(
    due: int, stated: float | None, share: float | None, is_quiet: bool
) -> None:
    record = LimitRecord(
        rule_id="A", basis=ForecastBasis.live, due_count=due, stated_ratio=stated, came_ratio=share
    )
    assert record.is_quiet == is_quiet


def test_messages_of_error_logs_and_rules_about_them_are_apart_from_those_of_consoles() -> None:
    assert (where_written("AMQ7463"), where_written("CSQJ111A"), where_written("IXC585E")) == (
        "in the error log",
        "on the console",
        "on the console",
    )
    assert where_reported("DST-ERRORLOG-LOG") == "in the error log"
    assert where_reported("CONSOLE-LOG") == "on the console"
