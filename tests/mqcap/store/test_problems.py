"""Problems over the days, marks, runs, and the lock, on both databases."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.delivery import Stage
from mqcap.domain.metric import Direction
from mqcap.domain.problem import AcknowledgementKind
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import migrate
from mqcap.store.findings import finding_dates, replace_findings
from mqcap.store.locks import exclusive
from mqcap.store.observations import peak_hours, replace_observations
from mqcap.store.outbox import read_deliveries, save_delivery, waiting_deliveries
from mqcap.store.problems import (
    latest_acknowledgements,
    problem_progress,
    read_problem_history,
    read_problems,
    replace_problems,
    save_acknowledgements,
)
from mqcap.store.step_runs import read_step_runs, save_step_run
from mqcap.store.tickets import read_tickets, save_ticket
from tests import factories
from tests.factories import DAY, NOON

ONE_DAY = timedelta(days=1)
KEY = factories.problem_day().key


def judge(engine: Engine, count: int) -> None:
    for number in range(count):
        day = DAY + number * ONE_DAY
        replace_findings(engine, day, [factories.finding(site_date=day)])


def follow(engine: Engine, day: object = DAY) -> None:
    replace_problems(engine, day, [factories.problem_day(site_date=day)])  # type: ignore[arg-type]


def test_problems_are_read_as_they_were_written_and_replaced_by_day(engine: Engine) -> None:
    follow(engine)
    replace_problems(engine, DAY, [factories.problem_day(clean_days=3)])
    assert read_problems(engine, DAY) == [factories.problem_day(clean_days=3)]
    assert read_problems(engine, None) == []
    follow(engine, DAY + ONE_DAY)
    assert [one.site_date for one in read_problem_history(engine, KEY)] == [DAY, DAY + ONE_DAY]
    assert len(read_problem_history(engine, KEY, DAY)) == 1


def test_days_are_followed_from_the_last_one_that_still_holds(engine: Engine) -> None:
    judge(engine, 4)
    last = DAY + 3 * ONE_DAY
    assert problem_progress(engine, last).missing_dates == tuple(
        DAY + number * ONE_DAY for number in range(4)
    )
    for number in range(4):
        follow(engine, DAY + number * ONE_DAY)
    assert problem_progress(engine, last) == (last, ())
    assert finding_dates(engine, DAY + ONE_DAY, last) == [
        DAY + number * ONE_DAY for number in range(1, 4)
    ]


def test_a_day_that_is_judged_again_makes_later_days_be_followed_again(engine: Engine) -> None:
    judge(engine, 3)
    for number in range(3):
        follow(engine, DAY + number * ONE_DAY)
    replace_crossings(engine, DAY + ONE_DAY, [])
    assert problem_progress(engine, DAY + 2 * ONE_DAY) == (
        DAY,
        (DAY + ONE_DAY, DAY + 2 * ONE_DAY),
    )
    assert read_problems(engine, DAY + 2 * ONE_DAY)


def test_the_last_word_of_people_counts_from_its_day_on(engine: Engine) -> None:
    judge(engine, 3)
    for number in range(3):
        follow(engine, DAY + number * ONE_DAY)
    later = factories.acknowledgement(
        kind=AcknowledgementKind.false_alarm, noted_date=DAY + ONE_DAY, until_date=None
    )
    assert save_acknowledgements(engine, [factories.acknowledgement(), later]) == 2
    assert save_acknowledgements(engine, []) == 0
    assert latest_acknowledgements(engine, DAY - ONE_DAY) == {}
    assert latest_acknowledgements(engine, DAY) == {KEY: factories.acknowledgement()}
    assert latest_acknowledgements(engine, DAY + ONE_DAY) == {KEY: later}
    assert problem_progress(engine, DAY + ONE_DAY).last_date is None


def test_runs_are_kept_in_order(engine: Engine) -> None:
    later = factories.step_run(ended_at_utc=NOON + timedelta(hours=1))
    for run in (later, factories.step_run(), later):
        save_step_run(engine, run)
    assert read_step_runs(engine, DAY) == [factories.step_run(), later]
    assert read_step_runs(engine, DAY + ONE_DAY) == []


def test_what_nobody_has_yet_is_waiting_in_order(engine: Engine) -> None:
    rows = [
        factories.delivery(delivery_id="2", order_number=2, payload={"close": True}),
        factories.delivery(delivery_id="1", order_number=1, stage=Stage.posting, attempts=3),
        factories.delivery(delivery_id="s", stage=Stage.sent),
        factories.delivery(delivery_id="u", stage=Stage.unconfirmed),
        factories.delivery(delivery_id="r", stage=Stage.replayed, replay=True),
        factories.delivery(delivery_id="0", site_date=DAY - ONE_DAY),
    ]
    for row in rows:
        save_delivery(engine, row)
    assert waiting_deliveries(engine) == [rows[5], rows[1], rows[0]]


def test_the_peak_hour_is_that_of_the_worst_day(engine: Engine) -> None:
    series = factories.observation().series_id
    days = [
        factories.observation(day=DAY + n * ONE_DAY, peak=p, busiest_hour_utc=NOON + n * ONE_DAY)
        for n, p in enumerate([1.0, 3.0, 3.0, 2.0])
    ]
    replace_observations(engine, [d.site_date for d in days], days, {})
    last = DAY + 3 * ONE_DAY
    up = peak_hours(engine, [(series, Direction.upward)], DAY, last)
    down = peak_hours(engine, [(series, Direction.downward)], DAY, last)
    assert up == {series: NOON + 2 * ONE_DAY}
    assert down == {series: NOON}
    assert peak_hours(engine, [(series, Direction.upward)], last, last) == {
        series: NOON + 3 * ONE_DAY
    }
    assert peak_hours(engine, [], DAY, last) == {}


def test_one_at_a_time_is_inside_the_lock(engine: Engine) -> None:
    order: list[str] = []
    entered = threading.Event()

    def second() -> None:
        entered.wait()
        with exclusive(engine, "test"):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with exclusive(engine, "test"):
        entered.set()
        time.sleep(0.1)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_deliveries_and_tickets_of_the_first_schema_are_kept_on_the_way_up_and_down(
    engine: Engine,
) -> None:
    save_ticket(engine, factories.ticket(members=("a", "b")), "embedded")
    sent = factories.delivery(delivery_id="s").handed_over(NOON)
    for row in (sent, factories.delivery(delivery_id="r", replay=True)):
        save_delivery(engine, row)
    migrate(engine, "0001")
    migrate(engine)
    stages = {one.delivery_id: one.stage for one in read_deliveries(engine)}
    assert stages == {"s": Stage.sent, "r": Stage.replayed}
    [kept] = read_tickets(engine)
    assert kept == factories.ticket()
