"""Annotations of subjects, and saved what-if scenarios."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_table(
        "annotation",
        sa.Column("annotation_id", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("rule_id", sa.String(length=64), nullable=False),
        sa.Column("first_date", sa.Date(), nullable=False),
        sa.Column("last_date", sa.Date(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("noted_at_utc", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("annotation_id"),
    )
    op.create_index("ix_annotation_subject", "annotation", ["subject"], unique=False)
    op.create_table(
        "saved_scenario",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("saved_at_utc", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_table("saved_scenario")
    op.drop_index("ix_annotation_subject", table_name="annotation")
    op.drop_table("annotation")
