"""Problem states by day, acknowledgements, step runs; deliveries as an outbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision; what was handed over before is ``sent``, or ``replayed``."""
    op.create_table(
        "problem",
        sa.Column("key", sa.String(length=192), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("cause", sa.String(length=192), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("key", "site_date"),
    )
    op.create_index("ix_problem_site_date", "problem", ["site_date"], unique=False)
    op.create_table(
        "problem_date",
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("site_date"),
    )
    op.create_table(
        "problem_mark",
        sa.Column("key", sa.String(length=192), nullable=False),
        sa.Column("noted_date", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("until_date", sa.Date(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", "noted_date"),
    )
    op.create_table(
        "step_run",
        sa.Column("step", sa.String(length=32), nullable=False),
        sa.Column("ended_at_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("versions", sa.JSON(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("step", "ended_at_utc"),
    )
    op.create_index("ix_step_run_site_date", "step_run", ["site_date"], unique=False)
    with op.batch_alter_table("ticket") as table:
        table.add_column(sa.Column("members", sa.JSON(), nullable=False, server_default="[]"))
        table.add_column(
            sa.Column("previous_ref", sa.String(length=128), nullable=False, server_default="")
        )
    with op.batch_alter_table("delivery") as table:
        table.add_column(
            sa.Column("stage", sa.String(length=16), nullable=False, server_default="pending")
        )
        table.add_column(sa.Column("payload", sa.JSON(), nullable=True))
        table.add_column(sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(
            sa.Column("order_number", sa.Integer(), nullable=False, server_default="0")
        )
    op.execute("UPDATE delivery SET stage = 'replayed' WHERE replay")
    op.execute("UPDATE delivery SET stage = 'sent' WHERE sent_at_utc IS NOT NULL")


def downgrade() -> None:
    """Downgrade to the revision before."""
    with op.batch_alter_table("delivery") as table:
        for name in ("order_number", "attempts", "payload", "stage"):
            table.drop_column(name)
    with op.batch_alter_table("ticket") as table:
        for name in ("previous_ref", "members"):
            table.drop_column(name)
    op.drop_index("ix_step_run_site_date", table_name="step_run")
    op.drop_table("step_run")
    op.drop_table("problem_mark")
    op.drop_table("problem_date")
    op.drop_index("ix_problem_site_date", table_name="problem")
    op.drop_table("problem")
