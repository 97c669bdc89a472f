"""Execute a statement that reads, in a transaction of its own, and return what it selects."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Engine, Row, RowMapping, Select, case, func, select
from sqlalchemy.orm import InstrumentedAttribute

from mqcap.domain.metric import Statistic
from mqcap.domain.subject import SERIES_SEPARATOR
from mqcap.store.database import reading
from mqcap.store.tables import Base, ForecastPointRow, ObservationRow
from mqcap.store.upsert import key_batches

_Model = TypeVar("_Model", bound=BaseModel)
_Item = TypeVar("_Item")
AnySelect: TypeAlias = Select[*tuple[Any, ...]]


def select_columns(
    table: type[Base], *conditions: ColumnElement[bool], order: Sequence[Any] = ()
) -> AnySelect:
    """Return a statement that selects every column of the rows that fulfil all conditions."""
    return select(*table.__table__.columns).where(*conditions).order_by(*order)


def distinct_dates(
    column: InstrumentedAttribute[date], first: date | None = None, last: date | None = None
) -> Select[date]:
    """Return what selects the days of an indexed column from ``first`` to ``last``, in order."""
    until = [] if last is None else [column <= last]
    since = [] if first is None else [column >= first]
    days = select(func.min(column).label("day")).where(*since, *until).cte("days", recursive=True)
    following = select(func.min(column)).where(column > days.c.day, *until).correlate(days)
    found = days.union_all(select(following.scalar_subquery()).where(days.c.day.is_not(None)))
    return select(found.c.day).where(found.c.day.is_not(None)).order_by(found.c.day)


def fetch_rows(engine: Engine, statement: AnySelect) -> list[RowMapping]:
    """Return the selected rows as mappings from column name to value."""
    with reading(engine) as connection:
        return list(connection.execute(statement).mappings())


def fetch_all(engine: Engine, statement: AnySelect) -> Sequence[Row[*tuple[Any, ...]]]:
    """Return the selected rows as tuples, which are cheaper than mappings where they are many."""
    with reading(engine) as connection:
        return connection.execute(statement).all()


def fetch_models(engine: Engine, model: type[_Model], statement: AnySelect) -> list[_Model]:
    """Return the selected rows as models with a field for each column."""
    names = statement.selected_columns.keys()
    rows = fetch_all(engine, statement)
    return [model.model_validate(dict(zip(names, row, strict=True))) for row in rows]


def read_models(
    engine: Engine,
    model: type[_Model],
    table: type[Base],
    *conditions: ColumnElement[bool],
    order: Sequence[Any] = (),
) -> list[_Model]:
    """Return the rows of a table that fulfil all conditions, as models."""
    return fetch_models(engine, model, select_columns(table, *conditions, order=order))


def find_model(
    engine: Engine, model: type[_Model], table: type[Base], *conditions: ColumnElement[bool]
) -> _Model | None:
    """Return the one row that fulfils all conditions as a model; ``None`` without it."""
    return next(iter(read_models(engine, model, table, *conditions)), None)


def is_within(column: InstrumentedAttribute[str], subject: str) -> ColumnElement[bool]:
    """Return the condition that a column has the subject or a part of it."""
    parts = column.startswith(f"{subject}{SERIES_SEPARATOR}", autoescape=True)
    return (column == subject) | parts


def fetch_values(engine: Engine, statement: Select[_Item]) -> list[_Item]:
    """Return the first column of each selected row."""
    with reading(engine) as connection:
        return list(connection.scalars(statement))


def days_of_series(
    engine: Engine,
    table: type[ForecastPointRow | ObservationRow],
    keys: Iterable[tuple[str, Statistic]],
    select_of: Callable[[Statistic], AnySelect],
) -> dict[tuple[str, Statistic], list[tuple[date, float]]]:
    """Return day and figure of series and statistics by day; ``select_of`` selects a statistic."""
    wanted = set(keys)
    found: dict[tuple[str, Statistic], list[tuple[date, float]]] = {}
    for statistic in sorted({statistic for _, statistic in wanted}):
        for batch in key_batches(name for name, own in wanted if own is statistic):
            statement = select_of(statistic).where(table.series_id.in_(batch))
            for name, day, value in fetch_all(engine, statement.order_by(table.site_date)):
                found.setdefault((name, statistic), []).append((day, value))
    return found


def observed_figure(statistic: Any) -> Any:
    """Return the measured column that a forecast of that statistic predicts."""
    seen = ObservationRow
    is_peak, is_p95 = statistic == Statistic.peak, statistic == Statistic.p95
    return case((is_peak, seen.peak), (is_p95, seen.p95), else_=seen.mean)


def fetch_value(engine: Engine, statement: Select[_Item]) -> _Item | None:
    """Return the first column of the first row; ``None`` without a row or for ``NULL``."""
    with reading(engine) as connection:
        return connection.scalar(statement)
