"""The days that a table has rows of, one look-up in its index per day and not one per row."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Select, func, select
from sqlalchemy.orm import InstrumentedAttribute


def distinct_dates(
    column: InstrumentedAttribute[date], first: date | None = None, last: date | None = None
) -> Select[date]:
    """Return a statement that selects the days of a column, in order; the column needs an index.

    From ``first`` to ``last``, both included, where they are given.
    """
    until = [] if last is None else [column <= last]
    since = [] if first is None else [column >= first]
    days = select(func.min(column).label("day")).where(*since, *until).cte("days", recursive=True)
    following = select(func.min(column)).where(column > days.c.day, *until).correlate(days)
    found = days.union_all(select(following.scalar_subquery()).where(days.c.day.is_not(None)))
    return select(found.c.day).where(found.c.day.is_not(None)).order_by(found.c.day)
