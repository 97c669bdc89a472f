"""Indexes of scores by cutoff date and by last measured day."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_INDEXES: Final = (
    ("forecast_score", "cutoff_date"),
    ("forecast_score", "scored_to"),
    ("crossing_score", "cutoff_date"),
)


def upgrade() -> None:
    """Upgrade to this revision."""
    for table, column in _INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    """Downgrade to the revision before."""
    for table, column in _INDEXES:
        op.drop_index(f"ix_{table}_{column}", table_name=table)
