"""Feeds have room for the name of a pair of sources that is compared."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_SMFID = sa.String(8)
_PAIR = sa.String(32)


def upgrade() -> None:
    """Upgrade to this revision."""
    with op.batch_alter_table("feed_day") as table:
        table.alter_column("member", type_=_PAIR, existing_type=_SMFID, existing_nullable=False)


def downgrade() -> None:
    """Downgrade to the revision before; pairs of sources are not known to it."""
    op.execute(sa.text("DELETE FROM feed_day WHERE length(member) > 8"))
    with op.batch_alter_table("feed_day") as table:
        table.alter_column("member", type_=_SMFID, existing_type=_PAIR, existing_nullable=False)
