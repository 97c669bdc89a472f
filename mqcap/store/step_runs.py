"""Runs of steps: one row per step that has ended."""

from datetime import date, datetime

from sqlalchemy import Engine, func, select

from mqcap.store.database import writing
from mqcap.store.fetch import fetch_all, fetch_value, fetch_values, read_models
from mqcap.store.models import StepRun
from mqcap.store.tables import StepRunRow
from mqcap.store.upsert import upsert


def save_step_run(engine: Engine, run: StepRun) -> None:
    """Store a step that has ended."""
    with writing(engine, StepRunRow) as connection:
        upsert(connection, StepRunRow, [run.model_dump()])


def read_step_runs(engine: Engine, site_date: date) -> list[StepRun]:
    """Return the steps of a day in the order in which they ended."""
    table = StepRunRow
    order = (table.ended_at_utc, table.step)
    return read_models(engine, StepRun, table, table.site_date == site_date, order=order)


def run_dates(engine: Engine) -> list[date]:
    """Return the days that a step has run for, oldest first."""
    column = StepRunRow.site_date
    return fetch_values(engine, select(column).distinct().order_by(column))


def last_step_ended_at(engine: Engine) -> datetime | None:
    """Return when a step last ended, if one did; until the next, what is computed stays."""
    return fetch_value(engine, select(func.max(StepRunRow.ended_at_utc)))


def first_runs(engine: Engine, step: str, first: date, last: date) -> dict[date, datetime]:
    """Return when a step first ended for each day from ``first`` to ``last`` that it ran for."""
    table = StepRunRow
    statement = (
        select(table.site_date, func.min(table.ended_at_utc))
        .where(table.step == step, table.site_date.between(first, last))
        .group_by(table.site_date)
    )
    return dict(fetch_all(engine, statement))
