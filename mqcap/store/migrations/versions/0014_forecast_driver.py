"""The business driver of a forecast."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.add_column("forecast", sa.Column("driver", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_column("forecast", "driver")
