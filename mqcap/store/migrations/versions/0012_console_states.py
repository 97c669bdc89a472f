"""States of resources that the console reported."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_table(
        "console_state",
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("message_id", sa.String(length=10), nullable=False),
        sa.Column("first_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("object_name", sa.String(length=64), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("last_date", sa.Date(), nullable=False),
        sa.Column("resource", sa.String(length=128), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "message_id", "first_utc", "object_name"),
    )
    op.create_index("ix_console_state_site_date", "console_state", ["site_date"], unique=False)


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_index("ix_console_state_site_date", table_name="console_state")
    op.drop_table("console_state")
