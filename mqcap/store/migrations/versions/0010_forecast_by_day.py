"""Index of forecasts by cutoff date, to read those of one day alone."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_index("ix_forecast_cutoff_date", "forecast", ["cutoff_date"])


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_index("ix_forecast_cutoff_date", "forecast")
