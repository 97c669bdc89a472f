"""Plans of resources by day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_table(
        "plan",
        sa.Column("resource", sa.String(length=128), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("due_date", sa.Date(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("resource", "site_date"),
    )
    op.create_index("ix_plan_site_date", "plan", ["site_date"], unique=False)


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_index("ix_plan_site_date", table_name="plan")
    op.drop_table("plan")
