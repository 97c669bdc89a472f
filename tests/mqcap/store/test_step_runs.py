from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.store.step_runs import (
    first_runs,
    last_step_ended_at,
    read_step_runs,
    run_dates,
    save_step_run,
)
from tests.factories import DAY, NOON, step_run

LATER = NOON + timedelta(hours=1)


def test_runs_of_a_day_are_read_in_the_order_in_which_they_ended(engine: Engine) -> None:
    later = step_run(ended_at_utc=LATER)
    same_time = step_run(ended_at_utc=LATER, step="size")
    for run in (same_time, later, step_run(), later):
        save_step_run(engine, run)
    assert read_step_runs(engine, DAY) == [step_run(), later, same_time]
    assert read_step_runs(engine, DAY + timedelta(days=1)) == []


def test_the_days_with_runs_are_in_order(engine: Engine) -> None:
    assert run_dates(engine) == []
    for number, day in enumerate((DAY, DAY - timedelta(days=9), DAY)):
        save_step_run(engine, step_run(site_date=day, ended_at_utc=LATER + timedelta(hours=number)))
    assert run_dates(engine) == [DAY - timedelta(days=9), DAY]


def test_the_last_end_of_a_step_is_that_of_any_day(engine: Engine) -> None:
    assert last_step_ended_at(engine) is None
    save_step_run(engine, step_run(ended_at_utc=LATER, site_date=DAY - timedelta(days=9)))
    save_step_run(engine, step_run())
    assert last_step_ended_at(engine) == LATER


def test_the_first_run_of_each_day_is_found(engine: Engine) -> None:
    next_day = DAY + timedelta(days=1)
    for run in (
        step_run(step="size", ended_at_utc=LATER),
        step_run(step="size"),
        step_run(),
        step_run(step="size", site_date=next_day, ended_at_utc=LATER + timedelta(hours=1)),
    ):
        save_step_run(engine, run)
    assert first_runs(engine, "size", DAY, DAY) == {DAY: NOON}
    assert set(first_runs(engine, "size", DAY, next_day)) == {DAY, next_day}
