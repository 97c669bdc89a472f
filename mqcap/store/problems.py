"""Problem states by day, up to which day they are computed, and acknowledgements of people.

When findings of a day change, problems of it and of later days are invalid until computed again.
"""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, Engine, func, select, update

from mqcap.domain.problem import Acknowledgement, ProblemDay, ProblemState
from mqcap.store.database import reading, writing
from mqcap.store.day_documents import PROBLEMS
from mqcap.store.fetch import distinct_dates, fetch_values, read_models, select_columns
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

    It is not where acknowledgements were saved since the ``acknowledged`` they were computed with.
    """
    with writing(engine, ProblemRow, ProblemDateRow) as connection:
        if acknowledged is not None and acknowledged != _acknowledged(connection, day):
            return False
        upsert(connection, ProblemDateRow, [{"site_date": day, "valid": True}])
        PROBLEMS.put(connection, day, day, PROBLEMS.rows(problems, site_date=day))
    return True


def invalidate_problems(connection: Connection, first: date) -> None:
    """Make problems of ``first`` and later days invalid, in the caller's transaction."""
    table = ProblemDateRow
    connection.execute(update(table).where(table.site_date >= first).values(valid=False))


def read_problems(engine: Engine, day: date | None) -> list[ProblemDay]:
    """Return all problems of a day by key, pending and resolved ones too; none for ``None``."""
    if day is None:
        return []
    return PROBLEMS.read(engine, ProblemRow.site_date == day, order=(ProblemRow.key,))


def open_problem_keys(engine: Engine, day: date | None) -> list[str]:
    """Return the keys of the problems of a day that are open, sorted; none for ``None``."""
    table = ProblemRow
    states = [state for state in ProblemState if state.is_open]
    statement = select(table.key).where(table.site_date == day, table.state.in_(states))
    return fetch_values(engine, statement.order_by(table.key))


def read_problem_history(engine: Engine, key: str, last: date | None = None) -> list[ProblemDay]:
    """Return one problem day by day up to a day, oldest first."""
    until = [] if last is None else [ProblemRow.site_date <= last]
    order = (ProblemRow.site_date,)
    return PROBLEMS.read(engine, ProblemRow.key == key, *until, order=order)


def save_acknowledgements(engine: Engine, acknowledgements: Iterable[Acknowledgement]) -> int:
    """Store acknowledgements, but none that repeats the last of its problem. Returns how many.

    Problems of the earliest of these days and of later ones become invalid.
    """
    table, count = AcknowledgementRow, 0
    with writing(engine, AcknowledgementRow, ProblemDateRow) as connection:
        for new in acknowledgements:
            same = (table.key == new.key, table.noted_date == new.noted_date)
            statement = select_columns(table, *same, order=(table.number.desc(),))
            last = connection.execute(statement).mappings().first()
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
    wanted = (table.key.in_(sorted(set(keys))), table.noted_date <= last)
    order = (table.noted_date, table.key, table.number)
    return read_models(engine, Acknowledgement, table, *wanted, order=order)


def _acknowledged(connection: Connection, day: date) -> dict[str, Acknowledgement]:
    table = AcknowledgementRow
    order = (table.key, table.noted_date, table.number)
    statement = select_columns(table, table.noted_date <= day, order=order)
    rows = connection.execute(statement).mappings()
    return {row["key"]: Acknowledgement.model_validate(dict(row)) for row in rows}
