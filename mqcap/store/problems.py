"""Problem states by day, up to which day they are computed, and acknowledgements of people.

The rows of a day follow from those of the evaluated day before it. When findings of a day change,
its problems and those of all later days are invalid and have to be computed again; until then
they can still be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, delete, func, select, update

from mqcap.domain.problem import Acknowledgement, ProblemDay, ProblemState
from mqcap.store.database import reading, writing
from mqcap.store.documents import as_document, parse_problem
from mqcap.store.fetch import (
    distinct_dates,
    fetch_documents,
    fetch_models,
    fetch_values,
    select_columns,
    select_document,
)
from mqcap.store.tables import AcknowledgementRow, FindingRow, ProblemDateRow, ProblemRow
from mqcap.store.upsert import insert_rows, upsert


class ProblemProgress(NamedTuple):
    """Extent to which problem states have been computed before or on a day."""

    last_date: date | None
    """The last day whose problems are valid; ``None`` before the first."""
    missing_dates: tuple[date, ...]
    """Days with findings after it, up to and including the day, oldest first."""


def problem_progress(engine: Engine, day: date) -> ProblemProgress:
    """Return up to when problem states are valid, and which days are missing up to ``day``."""
    done = ProblemDateRow
    with reading(engine) as connection:
        last: date | None = connection.scalar(
            select(func.max(done.site_date)).where(done.valid, done.site_date <= day)
        )
        after = None if last is None else last + timedelta(days=1)
        missing = connection.scalars(distinct_dates(FindingRow.site_date, after, day)).all()
    return ProblemProgress(last, tuple(missing))


def replace_problems(
    engine: Engine,
    day: date,
    problems: Iterable[ProblemDay],
    acknowledged: Mapping[str, Acknowledgement] | None = None,
) -> bool:
    """Make these the only problems of a day, and the day valid. Returns whether that was done.

    With ``acknowledged``, the ``latest_acknowledgements`` that they were computed with, nothing
    is written when others have been saved since: the problems have to be computed again.
    """
    table = ProblemRow
    with writing(engine, ProblemRow, ProblemDateRow) as connection:
        if acknowledged is not None and acknowledged != _acknowledged(connection, day):
            return False
        connection.execute(delete(table).where(table.site_date == day))
        upsert(connection, ProblemDateRow, [{"site_date": day, "valid": True}])
        insert_rows(connection, table, (_row(problem, day) for problem in problems))
    return True


def invalidate_problems(connection: Connection, first: date) -> None:
    """Make problems of ``first`` and later days invalid, in the caller's transaction."""
    table = ProblemDateRow
    connection.execute(update(table).where(table.site_date >= first).values(valid=False))


def read_problems(engine: Engine, day: date | None) -> list[ProblemDay]:
    """Return all problems of a day by key, pending and resolved ones too; none for ``None``."""
    table = ProblemRow
    statement = select_document(table.document).where(table.site_date == day).order_by(table.key)
    return fetch_documents(engine, statement, parse_problem)


def open_problem_keys(engine: Engine, day: date | None) -> list[str]:
    """Return the keys of the problems of a day that are open, sorted; none for ``None``."""
    table = ProblemRow
    states = [state for state in ProblemState if state.is_open]
    statement = select(table.key).where(table.site_date == day, table.state.in_(states))
    return fetch_values(engine, statement.order_by(table.key))


def read_problem_history(engine: Engine, key: str, last: date | None = None) -> list[ProblemDay]:
    """Return one problem day by day up to a day, oldest first."""
    table = ProblemRow
    statement = select_document(table.document).where(table.key == key)
    if last is not None:
        statement = statement.where(table.site_date <= last)
    return fetch_documents(engine, statement.order_by(table.site_date), parse_problem)


def save_acknowledgements(engine: Engine, acknowledgements: Iterable[Acknowledgement]) -> int:
    """Store acknowledgements after those of the same problem and day. Returns how many.

    One that repeats the last of its problem and day is not stored again. Problems of the earliest
    of these days and of later ones become invalid.
    """
    table, count = AcknowledgementRow, 0
    with writing(engine, AcknowledgementRow, ProblemDateRow) as connection:
        for new in acknowledgements:
            statement = select_columns(table).where(
                table.key == new.key, table.noted_date == new.noted_date
            )
            last = connection.execute(statement.order_by(table.number.desc())).mappings().first()
            if last is not None and Acknowledgement.model_validate(dict(last)) == new:
                continue
            number = 1 if last is None else last["number"] + 1
            count += insert_rows(connection, table, [{**new.model_dump(), "number": number}])
            invalidate_problems(connection, new.noted_date)
    return count


def latest_acknowledgements(engine: Engine, day: date) -> dict[str, Acknowledgement]:
    """Return by problem key the last acknowledgement noted up to a day."""
    with reading(engine) as connection:
        return _acknowledged(connection, day)


def acknowledgements_of(engine: Engine, keys: Iterable[str], last: date) -> list[Acknowledgement]:
    """Return every acknowledgement of some problems up to a day, oldest first."""
    table = AcknowledgementRow
    statement = (
        select_columns(table)
        .where(table.key.in_(sorted(set(keys))), table.noted_date <= last)
        .order_by(table.noted_date, table.key, table.number)
    )
    return fetch_models(engine, Acknowledgement, statement)


def _acknowledged(connection: Connection, day: date) -> dict[str, Acknowledgement]:
    table = AcknowledgementRow
    statement = (
        select_columns(table)
        .where(table.noted_date <= day)
        .order_by(table.key, table.noted_date, table.number)
    )
    rows = connection.execute(statement).mappings()
    return {row["key"]: Acknowledgement.model_validate(dict(row)) for row in rows}


def _row(problem: ProblemDay, day: date) -> dict[str, Any]:
    return {
        "key": problem.key,
        "site_date": day,
        "state": problem.state,
        "severity": problem.severity,
        "cause": problem.resource,
        "document": as_document(problem),
    }
