"""Execute a statement that reads, in a transaction of its own, and return what it selects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel
from sqlalchemy import Engine, RowMapping, Select, Text, cast, select
from sqlalchemy.orm import InstrumentedAttribute

from mqcap.store.database import reading
from mqcap.store.tables import Base

_Model = TypeVar("_Model", bound=BaseModel)
_Item = TypeVar("_Item")
AnySelect: TypeAlias = Select[*tuple[Any, ...]]


def select_columns(table: type[Base]) -> AnySelect:
    """Return a statement that selects every column of a table."""
    return select(*table.__table__.columns)


def select_document(column: InstrumentedAttribute[dict[str, Any]]) -> Select[str]:
    """Return a statement that selects the text of a JSON document, for ``fetch_documents``."""
    return select(cast(column, Text))


def fetch_rows(engine: Engine, statement: AnySelect) -> list[RowMapping]:
    """Return the selected rows as mappings from column name to value."""
    with reading(engine) as connection:
        return list(connection.execute(statement).mappings())


def fetch_models(engine: Engine, model: type[_Model], statement: AnySelect) -> list[_Model]:
    """Return the selected rows as models with a field for each column."""
    return [model.model_validate(dict(row)) for row in fetch_rows(engine, statement)]


def fetch_first(engine: Engine, model: type[_Model], statement: AnySelect) -> _Model | None:
    """Return the first selected row as a model, or ``None`` when there is no row."""
    return next(iter(fetch_models(engine, model, statement.limit(1))), None)


def fetch_documents(
    engine: Engine, statement: Select[str], parse: Callable[[str], _Item]
) -> list[_Item]:
    """Return the selected JSON documents, each read by ``parse``."""
    return [parse(text) for text in fetch_values(engine, statement)]


def fetch_values(engine: Engine, statement: Select[_Item]) -> list[_Item]:
    """Return the first column of each selected row."""
    with reading(engine) as connection:
        return list(connection.scalars(statement))


def fetch_value(engine: Engine, statement: Select[_Item]) -> _Item | None:
    """Return the first column of the first row; ``None`` without a row or for ``NULL``."""
    with reading(engine) as connection:
        return connection.scalar(statement)
