"""First schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Upgrade to this revision."""
    op.create_table(
        "crossing",
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
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("rule_id", "subject", "cutoff_date"),
    )
    op.create_index("ix_crossing_cutoff_date", "crossing", ["cutoff_date"], unique=False)

    op.create_table(
        "delivery",
        sa.Column("delivery_id", sa.String(length=64), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("channel", sa.String(length=16), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("subject_line", sa.Text(), nullable=False),
        sa.Column("digest_sha256", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("replay", sa.Boolean(), nullable=False),
        sa.Column("sent_at_utc", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("delivery_id"),
    )
    op.create_index(op.f("ix_delivery_site_date"), "delivery", ["site_date"], unique=False)

    op.create_table(
        "finding",
        sa.Column("rule_id", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("observed", sa.Float(), nullable=True),
        sa.Column("limit_value", sa.Float(), nullable=True),
        sa.Column("unit", sa.String(length=32), nullable=False),
        sa.Column("headroom_ratio", sa.Float(), nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("rule_id", "subject", "site_date"),
    )
    op.create_index("ix_finding_site_date", "finding", ["site_date"], unique=False)

    op.create_table(
        "forecast",
        sa.Column("series_id", sa.String(length=160), nullable=False),
        sa.Column("statistic", sa.String(length=8), nullable=False),
        sa.Column("cutoff_date", sa.Date(), nullable=False),
        sa.Column("model", sa.String(length=64), nullable=False),
        sa.Column("horizon_days", sa.Integer(), nullable=False),
        sa.Column("trained_days", sa.Integer(), nullable=False),
        sa.Column("interval_width", sa.Float(), nullable=False),
        sa.Column("smape_pct", sa.Float(), nullable=True),
        sa.Column("coverage_ratio", sa.Float(), nullable=True),
        sa.Column("removed_count", sa.Integer(), nullable=False),
        sa.Column("refusal", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("series_id", "statistic", "cutoff_date"),
    )
    op.create_table(
        "forecast_point",
        sa.Column("series_id", sa.String(length=160), nullable=False),
        sa.Column("statistic", sa.String(length=8), nullable=False),
        sa.Column("cutoff_date", sa.Date(), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("expected", sa.Float(), nullable=False),
        sa.Column("lower", sa.Float(), nullable=False),
        sa.Column("upper", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("series_id", "statistic", "cutoff_date", "site_date"),
    )
    op.create_table(
        "observation_daily",
        sa.Column("series_id", sa.String(length=160), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("p95", sa.Float(), nullable=False),
        sa.Column("peak", sa.Float(), nullable=False),
        sa.Column("total", sa.Float(), nullable=True),
        sa.Column("busiest_hour_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("covered_hours", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("series_id", "site_date"),
    )
    op.create_index(
        "ix_observation_daily_site_date", "observation_daily", ["site_date"], unique=False
    )

    op.create_table(
        "observed_hour_date",
        sa.Column("hour_date", sa.Date(), nullable=False),
        sa.Column("sources_digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("hour_date"),
    )
    op.create_table(
        "series",
        sa.Column("series_id", sa.String(length=160), nullable=False),
        sa.Column("metric", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("subject_kind", sa.String(length=32), nullable=False),
        sa.Column("unit", sa.String(length=32), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("forecast", sa.Boolean(), nullable=False),
        sa.Column("ceiling", sa.Float(), nullable=True),
        sa.Column("direction", sa.String(length=16), nullable=False),
        sa.Column("first_site_date", sa.Date(), nullable=True),
        sa.Column("last_site_date", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("series_id"),
    )
    op.create_index(op.f("ix_series_metric"), "series", ["metric"], unique=False)
    op.create_index(op.f("ix_series_subject"), "series", ["subject"], unique=False)

    op.create_table(
        "source_file",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("received_date", sa.Date(), nullable=False),
        sa.Column("landed_at_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("bytes_count", sa.BigInteger(), nullable=False),
        sa.Column("framing", sa.String(length=16), nullable=True),
        sa.Column("record_count", sa.BigInteger(), nullable=True),
        sa.Column("decoded_bytes", sa.BigInteger(), nullable=True),
        sa.Column("skipped_bytes", sa.BigInteger(), nullable=True),
        sa.Column("quarantined_bytes", sa.BigInteger(), nullable=True),
        sa.Column("first_interval_utc", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_interval_utc", sa.DateTime(timezone=True), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("sha256"),
    )
    op.create_table(
        "ticket",
        sa.Column("dedupe_key", sa.String(length=192), nullable=False),
        sa.Column("backend", sa.String(length=32), nullable=False),
        sa.Column("external_ref", sa.String(length=128), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("due_date", sa.Date(), nullable=True),
        sa.Column("opened_date", sa.Date(), nullable=False),
        sa.Column("last_seen_date", sa.Date(), nullable=False),
        sa.Column("closed_date", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("dedupe_key", "backend"),
    )


def downgrade() -> None:
    """Downgrade to the revision before."""
    op.drop_table("ticket")
    op.drop_table("source_file")
    op.drop_index(op.f("ix_series_subject"), table_name="series")
    op.drop_index(op.f("ix_series_metric"), table_name="series")

    op.drop_table("series")
    op.drop_table("observed_hour_date")
    op.drop_index("ix_observation_daily_site_date", table_name="observation_daily")

    op.drop_table("observation_daily")
    op.drop_table("forecast_point")
    op.drop_table("forecast")
    op.drop_index("ix_finding_site_date", table_name="finding")

    op.drop_table("finding")
    op.drop_index(op.f("ix_delivery_site_date"), table_name="delivery")

    op.drop_table("delivery")
    op.drop_index("ix_crossing_cutoff_date", table_name="crossing")

    op.drop_table("crossing")
