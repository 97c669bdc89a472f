"""How far a history went, and the slope of the correction by the site's own outcomes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what probabilities are made from."""
    with op.batch_alter_table("forecast") as table:
        table.add_column(sa.Column("past", sa.JSON(), nullable=True))
    with op.batch_alter_table("site_correction") as table:
        table.add_column(sa.Column("slope", sa.Float(), nullable=False, server_default="1"))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("site_correction") as table:
        table.drop_column("slope")
    with op.batch_alter_table("forecast") as table:
        table.drop_column("past")
