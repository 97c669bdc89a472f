"""Crossings: probability of passing the limit within 30 to 365 days."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

COLUMNS = tuple(f"probability_{days}_days" for days in (30, 60, 90, 180, 365))


def upgrade() -> None:
    """Upgrade to this revision."""
    for name in COLUMNS:
        op.add_column("crossing", sa.Column(name, sa.Float(), nullable=True))


def downgrade() -> None:
    """Downgrade to the revision before."""
    with op.batch_alter_table("crossing") as batch:
        for name in COLUMNS:
            batch.drop_column(name)
