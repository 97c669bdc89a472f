"""Index of deliveries by stage, to read the waiting ones without the sent ones."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_index("ix_delivery_stage", "delivery", ["stage"], unique=False)


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_index("ix_delivery_stage", table_name="delivery")
