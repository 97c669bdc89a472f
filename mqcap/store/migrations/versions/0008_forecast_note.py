"""A note per forecast about days of its history that lack records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.add_column("forecast", sa.Column("data_note", sa.Text(), nullable=True))


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_column("forecast", "data_note")
