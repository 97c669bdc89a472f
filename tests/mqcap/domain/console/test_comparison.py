"""What happened and what was forecast: the planted ledger comes out exactly."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.console.ledger import (
    APART_DAYS,
    LEAD_DAYS,
    TOLERANCE_DAYS,
    Evaluated,
    Foreseen,
    LedgerEvent,
    LedgerForecast,
    Stated,
    events_of,
    ledger_of,
)
from mqcap.domain.console.states import ConsoleState, MessageKind
from mqcap.domain.forecast import ForecastBasis
from tests.factories import DAY, console_state

LOG = "PLEX1/CSQ1/active_log"
FIRST = date(2025, 1, 1)
LAST = FIRST + timedelta(days=399)


def on(day: date, subject: str = "PLEX1/CSQ1", message_id: str = "CSQJ111A") -> ConsoleState:
    kind = MessageKind.exhausted if message_id == "CSQJ111A" else MessageKind.near_exhaustion
    instant = console_state().first_utc + (day - DAY)
    return console_state(
        message_id, subject=subject, site_date=day, last_date=day, first_utc=instant, kind=kind
    )


def days(count: int) -> timedelta:
    return timedelta(days=count)


def forecast_of(lead: int, expected: int) -> bool:
    """Whether an event counts as forecast by a day before that expected it so many days off."""
    stated = Stated(LOG, DAY - days(lead), DAY + days(expected))
    [event] = ledger_of(
        events_of([on(DAY)]), {DAY: Evaluated(stated.cutoff_date, [stated])}, (), DAY
    ).events
    return event.stated_on is not None


@pytest.mark.parametrize(("lead", "counts"), [(13, False), (14, True), (15, True)])
def test_a_forecast_counts_from_fourteen_days_before_the_event(lead: int, counts: bool) -> None:
    assert forecast_of(lead, 0) is counts
    assert LEAD_DAYS == 14


@pytest.mark.parametrize(("expected", "counts"), [(-30, True), (14, True), (15, False)])
def test_a_forecast_of_a_much_later_day_was_none_of_it(expected: int, counts: bool) -> None:
    assert forecast_of(14, expected) is counts
    assert TOLERANCE_DAYS == 14


def foreseen_by(*stated: Stated) -> LedgerEvent:
    """Return the event of the day, compared with what a day twenty days before stated."""
    before = {DAY: Evaluated(DAY - days(20), stated)}
    [event] = ledger_of(events_of([on(DAY)]), before, (), DAY).events
    return event


def stated_before(expected: int | None, rule_id: str = "A", **changed: Any) -> Stated:
    """Return what a day twenty days before stated; ``None``: the limit was passed."""
    date_of = None if expected is None else DAY + days(expected)
    return Stated(LOG, DAY - days(20), date_of, rule_id=rule_id)._replace(**changed)


def test_a_limit_that_was_passed_already_is_no_forecast_and_another_resource_says_nothing() -> None:
    event = foreseen_by(stated_before(None))
    assert (event.foreseen, event.rule_id) == (Foreseen.over_already, "A")
    assert (event.stated_on, event.expected_date) == (DAY - days(20), None)
    other = stated_before(None, resource="PLEX1/CSQ2/active_log")
    assert foreseen_by(other).foreseen is Foreseen.missed


def test_a_limit_that_was_passed_as_forecast_is_a_forecast_of_the_day_that_made_it() -> None:
    first = stated_before(-25, cutoff_date=DAY - days(60))
    event = foreseen_by(stated_before(None, first=first))
    assert event.foreseen is Foreseen.forecast
    assert (event.stated_on, event.expected_date) == (DAY - days(60), DAY - days(25))


@pytest.mark.parametrize(
    ("rules", "foreseen", "rule_id"),
    [
        ([stated_before(0), stated_before(None, "B")], Foreseen.over_already, "B"),
        ([stated_before(0), stated_before(None, "B", is_mandatory=False)], Foreseen.forecast, "A"),
        (
            [stated_before(0, is_mandatory=False), stated_before(None, "B")],
            Foreseen.over_already,
            "B",
        ),
        ([stated_before(5), stated_before(-5, "B")], Foreseen.forecast, "B"),
        ([stated_before(None, is_mandatory=False)], Foreseen.over_already, "A"),
    ],
)
def test_mandatory_rules_decide_and_of_equals_the_limit_that_was_passed_already(
    rules: list[Stated], foreseen: Foreseen, rule_id: str
) -> None:
    event = foreseen_by(*rules)
    assert (event.foreseen, event.rule_id) == (foreseen, rule_id)


def test_an_event_without_an_evaluated_day_before_is_neither_forecast_nor_missed() -> None:
    ledger = ledger_of(events_of([on(DAY)]), {}, (), DAY)
    assert (
        ledger.where(Foreseen.forecast),
        ledger.where(Foreseen.over_already),
        ledger.where(Foreseen.missed),
    ) == ((), (), ())
    assert ledger.events[0].foreseen is Foreseen.not_compared
    assert len(ledger.of(ForecastBasis.none).events) == 1


def test_forecasts_that_were_made_later_are_hold_out() -> None:
    early, late = (Stated(LOG, DAY - days(lead), DAY) for lead in (60, 20))
    events = events_of([on(DAY)])
    before = {DAY: Evaluated(late.cutoff_date, [late])}
    ledger = ledger_of(events, before, [early, late], DAY + days(30), {late.cutoff_date})
    assert [event.basis for event in ledger.events] == [ForecastBasis.hold_out]
    assert [one.basis for one in ledger.forecasts] == [ForecastBasis.live, ForecastBasis.hold_out]
    assert len(ledger.of(ForecastBasis.hold_out).forecasts) == 1


@pytest.mark.parametrize(("apart", "count"), [(APART_DAYS, 1), (APART_DAYS + 1, 2)])
def test_states_of_a_resource_near_each_other_are_one_event(apart: int, count: int) -> None:
    events = events_of([on(DAY, message_id="CSQJ110E"), on(DAY + days(apart))])
    assert len(events) == count
    assert events[0].site_date == DAY
    assert events[0].message_id == ("CSQJ111A" if count == 1 else "CSQJ110E")


def test_degradation_is_no_event() -> None:
    assert events_of([console_state("CSQJ004I", kind=MessageKind.degraded)]) == []


@pytest.mark.parametrize(
    ("offset", "came", "due"), [(14, True, True), (15, False, True), (None, False, True)]
)
def test_a_forecast_comes_up_to_fourteen_days_late(
    offset: int | None, came: bool, due: bool
) -> None:
    states = [] if offset is None else [on(DAY + days(offset))]
    stated = Stated(LOG, DAY - days(40), DAY)
    ledger = ledger_of(events_of(states), {}, [stated], DAY + days(15))
    assert bool(ledger.forecasts) is due
    assert (ledger.forecasts[0].came_on is not None) is came


@pytest.mark.parametrize(("later", "count"), [(14, 0), (15, 1)])
def test_a_forecast_is_due_when_its_tolerance_is_over(later: int, count: int) -> None:
    stated = Stated(LOG, DAY - days(40), DAY)
    assert len(ledger_of((), {}, [stated], DAY + days(later)).forecasts) == count


def test_a_forecast_of_many_days_is_one_and_its_first_day_counts() -> None:
    run = [Stated(LOG, DAY - days(40 - place), DAY + days(place)) for place in range(5)]
    again = Stated(LOG, DAY - days(36) + days(APART_DAYS + 1), DAY)
    found = ledger_of((), {}, [*run, again], DAY + days(100)).unfulfilled
    assert [(one.stated_on, one.expected_date) for one in found] == [
        (DAY - days(40), DAY),
        (again.cutoff_date, DAY),
    ]


def test_two_rules_of_a_resource_are_two_forecasts_that_one_event_fulfils() -> None:
    both = [Stated(LOG, DAY - days(40), DAY, rule_id=rule) for rule in ("A", "B")]
    ledger = ledger_of(events_of([on(DAY)]), {}, both, DAY + days(15))
    assert [(one.rule_id, one.message_id) for one in ledger.forecasts] == [
        ("A", "CSQJ111A"),
        ("B", "CSQJ111A"),
    ]


def test_a_forecast_comes_by_the_measured_figure_of_its_own_rule() -> None:
    both = [Stated(LOG, DAY - days(40), DAY, rule_id=rule) for rule in ("A", "B")]
    passed = {"A": DAY + days(3)}
    ledger = ledger_of(
        (), {}, both, DAY + days(15), measured=lambda stated: passed.get(stated.rule_id)
    )
    assert [(one.rule_id, one.came_on) for one in ledger.forecasts] == [
        ("A", DAY + days(3)),
        ("B", None),
    ]
    assert [one.rule_id for one in ledger.unfulfilled] == ["B"]


def test_twelve_planted_events_of_400_days_give_the_planted_ledger() -> None:
    """Five in time, two over a limit already, three too late, two without; four of nothing.

    Of those of nothing on the console the measured figure of one passed its limit.
    """
    in_time = [(f"PLEX1/A{place}", 40 + 50 * place) for place in range(5)]
    standing = [("PLEX1/A5", 290), ("PLEX1/A6", 340)]
    too_late = [(f"PLEX1/B{place}", 60 + 90 * place) for place in range(3)]
    unseen = [("PLEX1/C0", 33), ("PLEX1/C1", 399)]
    nothing = [(f"PLEX1/D{place}", 30 + 80 * place) for place in range(4)]
    pending = [("PLEX1/E0", 395)]
    every = (*in_time, *standing, *too_late, *unseen)
    planted = {subject: FIRST + days(day) for subject, day in every}
    warned_from = {subject: day - 30 for subject, day in (*in_time, *nothing, *pending)}
    warned_from |= {subject: day - 9 for subject, day in too_late}
    expected = {subject: FIRST + days(day) for subject, day in (*nothing, *pending)} | planted
    states, stated = [on(day, subject) for subject, day in planted.items()], []
    for count in range(400):
        cutoff = FIRST + days(count)
        stated += [
            Stated(f"{subject}/active_log", cutoff, expected[subject])
            for subject, begins in warned_from.items()
            if begins <= count and cutoff < expected[subject]
        ]
        stated += [Stated(f"{subject}/active_log", cutoff, None) for subject, _ in standing]
    before = {
        day: Evaluated(cutoff, [one for one in stated if one.cutoff_date == cutoff])
        for day in planted.values()
        for cutoff in [day - days(14)]
    }
    passed = {"PLEX1/D3/active_log": FIRST + days(272)}
    ledger = ledger_of(
        events_of(states), before, stated, LAST, (), lambda one: passed.get(one.resource)
    )
    assert len(ledger.events) == 12
    assert resources(ledger.where(Foreseen.forecast)) == logs(in_time)
    assert resources(ledger.where(Foreseen.over_already)) == logs(standing)
    assert set(resources(ledger.where(Foreseen.missed))) == set(logs([*too_late, *unseen]))
    assert resources(ledger.unfulfilled) == logs(nothing[:3])
    assert len(ledger.forecasts) == len(in_time) + len(too_late) + len(nothing)
    assert [one.resource for one in ledger.forecasts if one.measured_on] == list(passed)


def logs(planted: Sequence[tuple[str, int]]) -> list[str]:
    return [f"{subject}/active_log" for subject, _ in planted]


def resources(entries: Sequence[LedgerEvent | LedgerForecast]) -> list[str]:
    return [entry.resource for entry in entries]


@pytest.mark.parametrize(
    ("rule_id", "foreseen"),
    [("LOG-RUNWAY-12H", Foreseen.over_already), ("LOG-FILL-30MIN", Foreseen.missed)],
)
def test_full_logs_are_credited_to_the_rule_whose_arithmetic_gives_them(
    rule_id: str, foreseen: Foreseen
) -> None:
    assert foreseen_by(stated_before(None, rule_id)).foreseen is foreseen
