"""Digest of rows as they are stored, without making objects of them."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import Engine

from mqcap.store.database import reading
from mqcap.store.fetch import AnySelect

_ROWS_AT_ONCE: Final = 20_000
"""Bounds the memory for large stores."""
_WITHOUT_REFERENCES: Final = 2
"""Format of ``marshal`` in which bytes depend on values alone."""


def digest_of_rows(engine: Engine, statements: Iterable[AnySelect]) -> str:
    """Return the SHA-256 of all selected values: equal only where all rows are equal.

    The statements are read in one transaction and have to state an order. Digests of SQLite and
    PostgreSQL differ, since values are taken as the database hands them over.
    """
    digest = hashlib.sha256()
    with reading(engine) as connection:
        for statement in statements:
            cursor = connection.execute(statement).cursor
            digest.update(b"\x00select\x00")
            while rows := cursor.fetchmany(_ROWS_AT_ONCE):
                digest.update(_bytes_of(rows))
    return digest.hexdigest()


def _bytes_of(rows: Any) -> bytes:
    """Return bytes that only equal rows have."""
    try:
        return marshal.dumps(rows, _WITHOUT_REFERENCES)
    except ValueError:  # dates of PostgreSQL
        return "\n".join(map(repr, rows)).encode()
