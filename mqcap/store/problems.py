"""Problems over the days: what was followed up to when, and what people have said.

The rows of a day follow from those of the judged day before it. When findings of a day change,
its problems and those of all later days have to be followed again; until then they stay to be
looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection, Engine, delete, func, select, update

from mqcap.domain.problem import Acknowledgement, ProblemDay
from mqcap.store import tables
from mqcap.store.database import reading, writing
from mqcap.store.upsert import insert_rows, upsert


class Followed(NamedTuple):
    """How far problems have been followed before or on a day."""

    last_date: date | None
    """The last day that need not be followed again."""
    missing_dates: tuple[date, ...]
    """Judged days after it, up to and with the day, oldest first."""


def followed(engine: Engine, day: date) -> Followed:
    """Up to when problems are followed, and which days are left up to ``day``."""
    done, judged = tables.ProblemDate, tables.FindingRow
    with reading(engine) as connection:
        last: date | None = connection.scalar(
            select(func.max(done.site_date)).where(done.valid, done.site_date <= day)
        )
        question = select(judged.site_date).where(judged.site_date <= day).distinct()
        if last is not None:
            question = question.where(judged.site_date > last)
        missing = connection.scalars(question.order_by(judged.site_date)).all()
    return Followed(last, tuple(missing))


def judged_dates(engine: Engine, first: date, last: date) -> list[date]:
    """Days with findings between the two days, both included, in order."""
    column = tables.FindingRow.site_date
    question = select(column).where(column.between(first, last)).distinct().order_by(column)
    with reading(engine) as connection:
        return list(connection.scalars(question))


def problems(engine: Engine, day: date | None) -> list[ProblemDay]:
    """All problems of a day by key, pending and settled ones too; none for ``None``."""
    table = tables.ProblemRow
    question = select(table.document).where(table.site_date == day).order_by(table.key)
    with reading(engine) as connection:
        return [ProblemDay.model_validate(row) for row in connection.scalars(question)]


def history(engine: Engine, key: str, last: date | None = None) -> list[ProblemDay]:
    """One problem day by day up to a day, oldest first."""
    table = tables.ProblemRow
    question = select(table.document).where(table.key == key).order_by(table.site_date)
    if last is not None:
        question = question.where(table.site_date <= last)
    with reading(engine) as connection:
        return [ProblemDay.model_validate(row) for row in connection.scalars(question)]


def save_problems(engine: Engine, day: date, rows: Iterable[ProblemDay]) -> int:
    """Make these the only problems of a day, and the day followed. Returns how many."""
    table = tables.ProblemRow
    with writing(engine) as connection:
        connection.execute(delete(table).where(table.site_date == day))
        upsert(connection, tables.ProblemDate, [{"site_date": day, "valid": True}])
        return insert_rows(
            connection,
            table,
            (
                {
                    "key": one.key,
                    "site_date": day,
                    "state": one.state,
                    "severity": one.severity,
                    "cause": one.cause,
                    "document": json.loads(one.model_dump_json()),
                }
                for one in rows
            ),
        )


def forget_problems(connection: Connection, first: date) -> None:
    """From ``first`` on, problems have to be followed again. Part of another transaction."""
    table = tables.ProblemDate
    connection.execute(update(table).where(table.site_date >= first).values(valid=False))


def marks(engine: Engine, day: date) -> dict[str, Acknowledgement]:
    """By key: what people have said last, as known on the day."""
    table = tables.ProblemMark
    question = (
        select(*table.__table__.columns)
        .where(table.noted_date <= day)
        .order_by(table.key, table.noted_date)
    )
    with reading(engine) as connection:
        rows = [dict(row) for row in connection.execute(question).mappings()]
    return {row["key"]: Acknowledgement.model_validate(row) for row in rows}


def save_marks(engine: Engine, rows: Iterable[Acknowledgement]) -> int:
    """Remember what people have said; from that day on problems are followed again."""
    documents = [row.model_dump() for row in rows]
    if not documents:
        return 0
    with writing(engine) as connection:
        forget_problems(connection, min(row["noted_date"] for row in documents))
        return upsert(connection, tables.ProblemMark, documents)
