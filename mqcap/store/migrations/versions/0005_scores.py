"""Scores of forecasts and of stated crossing probabilities."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_table(
        "forecast_score",
        sa.Column("series_id", sa.String(length=160), nullable=False),
        sa.Column("statistic", sa.String(length=8), nullable=False),
        sa.Column("cutoff_date", sa.Date(), nullable=False),
        sa.Column("interval_width", sa.Float(), nullable=False),
        sa.Column("scored_to", sa.Date(), nullable=False),
        sa.Column("scored_days", sa.Integer(), nullable=False),
        sa.Column("inside_days", sa.Integer(), nullable=False),
        sa.Column("smape_pct", sa.Float(), nullable=False),
        sa.Column("mean_error", sa.Float(), nullable=False),
        sa.Column("backtest_smape_pct", sa.Float(), nullable=True),
        sa.Column("backtest_coverage_ratio", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("series_id", "statistic", "cutoff_date"),
    )
    op.create_table(
        "crossing_score",
        sa.Column("rule_id", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("cutoff_date", sa.Date(), nullable=False),
        sa.Column("horizon_days", sa.Integer(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("came", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("rule_id", "subject", "cutoff_date", "horizon_days"),
    )


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_table("crossing_score")
    op.drop_table("forecast_score")
