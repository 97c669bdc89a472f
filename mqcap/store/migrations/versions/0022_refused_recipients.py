"""Refused addresses of deliveries, and every acknowledgement of a day instead of the last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    with op.batch_alter_table("delivery") as table:
        table.add_column(sa.Column("refused", sa.JSON(), nullable=False, server_default="{}"))
    _make_again(sa.Column("number", sa.Integer(), nullable=False))
    op.execute(
        "INSERT INTO problem_mark (key, noted_date, number, kind, until_date, note, who)"
        " SELECT key, noted_date, 1, kind, until_date, note, who FROM problem_mark_kept"
    )
    op.drop_table("problem_mark_kept")


def downgrade() -> None:
    """Downgrade to the revision before, which has the last acknowledgement of a day."""
    _make_again()
    op.execute(
        "INSERT INTO problem_mark (key, noted_date, kind, until_date, note, who)"
        " SELECT key, noted_date, kind, until_date, note, who FROM problem_mark_kept k"
        " WHERE number = (SELECT max(number) FROM problem_mark_kept m"
        " WHERE m.key = k.key AND m.noted_date = k.noted_date)"
    )
    op.drop_table("problem_mark_kept")
    with op.batch_alter_table("delivery") as table:
        table.drop_column("refused")


def _make_again(*number: sa.Column[int]) -> None:
    """Make the table of acknowledgements empty with another key; what it had is kept beside it."""
    op.execute("CREATE TABLE problem_mark_kept AS SELECT * FROM problem_mark")
    op.drop_table("problem_mark")
    op.create_table(
        "problem_mark",
        sa.Column("key", sa.String(length=192), nullable=False),
        sa.Column("noted_date", sa.Date(), nullable=False),
        *number,
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("until_date", sa.Date(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", "noted_date", *(column.name for column in number)),
    )
