"""Losses of coupling facilities and members of queue sharing groups by day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_table(
        "loss",
        sa.Column("lost", sa.String(length=96), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("lost", "site_date"),
    )
    op.create_index("ix_loss_site_date", "loss", ["site_date"], unique=False)


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_index("ix_loss_site_date", table_name="loss")
    op.drop_table("loss")
