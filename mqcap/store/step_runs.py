"""What ran: one row per step that has ended."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import Engine, func, select

from mqcap.store import tables
from mqcap.store.database import reading, writing
from mqcap.store.models import StoredModel
from mqcap.store.upsert import upsert


class StepRun(StoredModel):
    """One step that has ended well: for which day, with which versions, what it counted."""

    step: str
    ended_at_utc: AwareDatetime
    site_date: date
    """The day of the run; steps that work on whatever has arrived name the run's day too."""
    versions: dict[str, Any]
    counts: dict[str, Any]


def save_run(engine: Engine, run: StepRun) -> None:
    """Remember a step that has ended."""
    with writing(engine) as connection:
        upsert(connection, tables.StepRun, [run.model_dump()])


def last_change(engine: Engine) -> datetime | None:
    """When a step has last ended: until the next one, answers from the store stay the same.

    ``None`` before the first.
    """
    with reading(engine) as connection:
        found: datetime | None = connection.scalar(select(func.max(tables.StepRun.ended_at_utc)))
    return found


def runs(engine: Engine, site_date: date) -> list[StepRun]:
    """The steps of a day in the order in which they ended."""
    table = tables.StepRun
    question = (
        select(*table.__table__.columns)
        .where(table.site_date == site_date)
        .order_by(table.ended_at_utc, table.step)
    )
    with reading(engine) as connection:
        return [
            StepRun.model_validate(dict(row)) for row in connection.execute(question).mappings()
        ]
