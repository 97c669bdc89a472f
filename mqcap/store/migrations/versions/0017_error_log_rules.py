"""Ids of the rules about error logs: ``DST-ERRORLOG-…`` in place of ``DST-TOLD-…``."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_OLD = "DST-TOLD-"
_NEW = "DST-ERRORLOG-"
_TEXTS = (
    ("finding", "rule_id"),
    ("problem", "key"),
    ("problem", "cause"),
    ("problem_mark", "key"),
    ("annotation", "rule_id"),
)
_DOCUMENTS = (
    ("finding", "document"),
    ("problem", "document"),
    ("plan", "document"),
    ("ticket", "members"),
    ("delivery", "payload"),
)


def upgrade() -> None:
    """Upgrade to this revision; texts that were sent keep the old ids."""
    _rename(_OLD, _NEW)


def downgrade() -> None:
    """Downgrade to the revision before."""
    _rename(_NEW, _OLD)


def _rename(old: str, new: str) -> None:
    """Replace the beginning of the ids wherever one is stored as a value."""
    for table, column in _TEXTS:
        _update(table, sa.column(column, sa.Text()), old, new)
    for table, column in _DOCUMENTS:
        _update(table, sa.column(column, sa.JSON()), old, new)


def _update(table: str, column: sa.ColumnClause[Any], old: str, new: str) -> None:
    text = sa.cast(column, sa.Text()) if isinstance(column.type, sa.JSON) else column
    renamed: sa.ColumnElement[Any] = sa.func.replace(text, old, new)
    if isinstance(column.type, sa.JSON) and op.get_bind().dialect.name == "postgresql":
        renamed = sa.cast(renamed, sa.JSON())
    rows = sa.table(table, column)
    op.execute(sa.update(rows).where(text.contains(old)).values({column: renamed}))
