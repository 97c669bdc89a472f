"""The candidates of a forecast with their shares."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.add_column("forecast", sa.Column("mix", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_column("forecast", "mix")
