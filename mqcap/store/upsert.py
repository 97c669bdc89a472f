"""Insert statements that work on SQLite and PostgreSQL."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, insert, inspect
from sqlalchemy.dialects import postgresql, sqlite

from mqcap.store.tables import Base

Row = Mapping[str, Any]
_Item = TypeVar("_Item")
_Key = TypeVar("_Key", str, date)

BATCH_ROWS: Final = 5_000
"""Rows per round trip; bounds memory for large estates."""
KEYS_PER_STATEMENT: Final = 500
"""Values in one IN list; SQLite allows 999 in its oldest versions."""


def upsert(
    connection: Connection,
    table: type[Base],
    rows: Iterable[Row],
    *,
    keep: frozenset[str] = frozenset(),
    newest_by: str | None = None,
) -> int:
    """Insert rows, or overwrite those with the same key except the columns in ``keep``.

    With ``newest_by`` a stored row stays when its value in this column is greater than that of
    the new row. All rows must have the same columns. Returns the number of ``rows``.
    """
    key = [column.name for column in inspect(table).primary_key]
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    count = 0
    for batch in batches(rows, BATCH_ROWS):
        statement = dialect.insert(table)
        changed = {
            name: statement.excluded[name]
            for name in batch[0]
            if name not in key and name not in keep
        }
        condition = None
        if newest_by is not None:
            condition = statement.excluded[newest_by] >= getattr(table, newest_by)
        connection.execute(
            statement.on_conflict_do_update(index_elements=key, set_=changed, where=condition),
            list(batch),
        )
        count += len(batch)
    return count


def insert_rows(connection: Connection, table: type[Base], rows: Iterable[Row]) -> int:
    """Insert rows whose keys are not in the table yet. Returns how many."""
    count = 0
    for batch in batches(rows, BATCH_ROWS):
        connection.execute(insert(table), list(batch))
        count += len(batch)
    return count


def batches(items: Iterable[_Item], size: int) -> Iterator[Sequence[_Item]]:
    """Yield consecutive lists of at most ``size`` items; none when there are no items."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def key_batches(keys: Iterable[_Key]) -> Iterator[Sequence[_Key]]:
    """Yield the keys in order, each once, as many at a time as one IN list may have."""
    return batches(sorted(set(keys)), KEYS_PER_STATEMENT)
