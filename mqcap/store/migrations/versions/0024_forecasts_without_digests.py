"""A forecast has no digest of its inputs: each run makes all of its day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the digest."""
    with op.batch_alter_table("forecast") as table:
        table.drop_column("input_sha256")


def downgrade() -> None:
    """Add it, unknown."""
    with op.batch_alter_table("forecast") as table:
        table.add_column(sa.Column("input_sha256", sa.String(length=64), nullable=True))
