"""Completeness of each feed on each site day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_table(
        "feed_day",
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("member", sa.String(length=8), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("expected_seconds", sa.Float(), nullable=False),
        sa.Column("received_seconds", sa.Float(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", "member", "site_date"),
    )
    op.create_index("ix_feed_day_site_date", "feed_day", ["site_date"], unique=False)


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_index("ix_feed_day_site_date", table_name="feed_day")
    op.drop_table("feed_day")
