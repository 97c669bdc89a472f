"""The digest of what a forecast was made from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.add_column("forecast", sa.Column("input_sha256", sa.String(length=64), nullable=True))


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_column("forecast", "input_sha256")
