"""Forecast days after the horizon, to date crossings within a year."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.add_column("forecast", sa.Column("beyond", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_column("forecast", "beyond")
