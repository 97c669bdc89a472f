"""The correction of probabilities by a site's own outcomes, by evaluated day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_table(
        "site_correction",
        sa.Column("cutoff_date", sa.Date(), nullable=False),
        sa.Column("shift", sa.Float(), nullable=False),
        sa.Column("limit_count", sa.Integer(), nullable=False),
        sa.Column("case_count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("cutoff_date"),
    )


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_table("site_correction")
