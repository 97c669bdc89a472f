"""Crossings of rolling origins, and the basis of the scores of crossings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_PROBABILITY_DAYS = (30, 60, 90, 180, 365)


def upgrade() -> None:
    """Upgrade to this revision; what was scored before counts as live."""
    op.create_table(
        "hold_out_crossing",
        sa.Column("rule_id", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("cutoff_date", sa.Date(), nullable=False),
        sa.Column("series_id", sa.String(length=160), nullable=False),
        sa.Column("statistic", sa.String(length=8), nullable=False),
        sa.Column("direction", sa.String(length=16), nullable=False),
        sa.Column("limit_value", sa.Float(), nullable=False),
        sa.Column("unit", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("earliest_date", sa.Date(), nullable=True),
        sa.Column("expected_date", sa.Date(), nullable=True),
        sa.Column("latest_date", sa.Date(), nullable=True),
        sa.Column("breached_since", sa.Date(), nullable=True),
        *(
            sa.Column(f"probability_{days}_days", sa.Float(), nullable=True)
            for days in _PROBABILITY_DAYS
        ),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("rule_id", "subject", "cutoff_date"),
    )
    op.create_index("ix_hold_out_crossing_cutoff_date", "hold_out_crossing", ["cutoff_date"])
    op.add_column(
        "crossing_score",
        sa.Column("basis", sa.String(length=8), server_default="live", nullable=False),
    )


def downgrade() -> None:
    """Downgrade to the revision before, which knows scores of live crossings only."""
    op.execute(sa.text("DELETE FROM crossing_score WHERE basis <> 'live'"))
    op.drop_column("crossing_score", "basis")
    op.drop_index("ix_hold_out_crossing_cutoff_date", table_name="hold_out_crossing")
    op.drop_table("hold_out_crossing")
