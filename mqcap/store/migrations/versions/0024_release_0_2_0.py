"""The schema of release 0.2.0, from which every store is upgraded."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = None
branch_labels = None
depends_on = None

_TABLES = (
    "annotation", "console_state", "crossing", "crossing_score", "delivery",
    "feed_day", "finding", "forecast", "forecast_point", "forecast_score",
    "hold_out_crossing", "loss", "observation_daily", "observed_hour_date", "plan",
    "problem", "problem_date", "problem_mark", "saved_scenario", "series",
    "site_correction", "source_file", "step_run", "ticket",
)  # fmt: skip


def upgrade() -> None:
    """Make the tables of an empty store."""
    op.create_table(
        "annotation",
        sa.Column("annotation_id", sa.String(length=16), primary_key=True),
        sa.Column("subject", sa.String(length=96), nullable=False, index=True),
        sa.Column("rule_id", sa.String(length=64), nullable=False),
        sa.Column("first_date", sa.Date(), nullable=False),
        sa.Column("last_date", sa.Date(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("noted_at_utc", sa.DateTime(timezone=True), nullable=False),
    )

    op.create_table(
        "console_state",
        sa.Column("subject", sa.String(length=96), primary_key=True),
        sa.Column("message_id", sa.String(length=10), primary_key=True),
        sa.Column("first_utc", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("object_name", sa.String(length=64), primary_key=True),
        sa.Column("site_date", sa.Date(), nullable=False, index=True),
        sa.Column("last_date", sa.Date(), nullable=False),
        sa.Column("resource", sa.String(length=128), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
    )

    for name in ("crossing", "hold_out_crossing"):
        op.create_table(
            name,
            sa.Column("rule_id", sa.String(length=64), primary_key=True),
            sa.Column("subject", sa.String(length=96), primary_key=True),
            sa.Column("cutoff_date", sa.Date(), primary_key=True, index=True),
            sa.Column("series_id", sa.String(length=160), nullable=False),
            sa.Column("statistic", sa.String(length=8), nullable=False),
            sa.Column("direction", sa.String(length=16), nullable=False),
            sa.Column("limit_value", sa.Float(), nullable=False),
            sa.Column("unit", sa.String(length=32), nullable=False),
            sa.Column("state", sa.String(length=24), nullable=False),
            sa.Column("earliest_date", sa.Date()),
            sa.Column("expected_date", sa.Date()),
            sa.Column("latest_date", sa.Date()),
            sa.Column("breached_since", sa.Date()),
            sa.Column("probability_30_days", sa.Float()),
            sa.Column("probability_60_days", sa.Float()),
            sa.Column("probability_90_days", sa.Float()),
            sa.Column("probability_180_days", sa.Float()),
            sa.Column("probability_365_days", sa.Float()),
            sa.Column("reason", sa.Text()),
        )

    op.create_table(
        "crossing_score",
        sa.Column("rule_id", sa.String(length=64), primary_key=True),
        sa.Column("subject", sa.String(length=96), primary_key=True),
        sa.Column("cutoff_date", sa.Date(), primary_key=True, index=True),
        sa.Column("horizon_days", sa.Integer(), primary_key=True),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("came", sa.Boolean(), nullable=False),
        sa.Column("basis", sa.String(length=8), server_default="live", nullable=False),
    )

    op.create_table(
        "delivery",
        sa.Column("delivery_id", sa.String(length=64), primary_key=True),
        sa.Column("site_date", sa.Date(), nullable=False, index=True),
        sa.Column("channel", sa.String(length=16), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("subject_line", sa.Text(), nullable=False),
        sa.Column("digest_sha256", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON()),
        sa.Column("replay", sa.Boolean(), nullable=False),
        sa.Column(
            "stage", sa.String(length=16), server_default="pending", nullable=False, index=True
        ),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("order_number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sent_at_utc", sa.DateTime(timezone=True)),
        sa.Column("error", sa.Text()),
        sa.Column("refused", sa.JSON(), nullable=False, server_default="{}"),
    )

    op.create_table(
        "feed_day",
        sa.Column("kind", sa.String(length=24), primary_key=True),
        sa.Column("subject", sa.String(length=96), primary_key=True),
        sa.Column("member", sa.String(length=32), primary_key=True),
        sa.Column("site_date", sa.Date(), primary_key=True, index=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("expected_seconds", sa.Float(), nullable=False),
        sa.Column("received_seconds", sa.Float(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
    )

    op.create_table(
        "finding",
        sa.Column("rule_id", sa.String(length=64), primary_key=True),
        sa.Column("subject", sa.String(length=96), primary_key=True),
        sa.Column("site_date", sa.Date(), primary_key=True, index=True),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("observed", sa.Float()),
        sa.Column("limit_value", sa.Float()),
        sa.Column("unit", sa.String(length=32), nullable=False),
        sa.Column("headroom_ratio", sa.Float()),
        sa.Column("document", sa.JSON(), nullable=False),
    )

    op.create_table(
        "forecast",
        sa.Column("series_id", sa.String(length=160), primary_key=True),
        sa.Column("statistic", sa.String(length=8), primary_key=True),
        sa.Column("cutoff_date", sa.Date(), primary_key=True, index=True),
        sa.Column("model", sa.String(length=64), nullable=False),
        sa.Column("horizon_days", sa.Integer(), nullable=False),
        sa.Column("trained_days", sa.Integer(), nullable=False),
        sa.Column("interval_width", sa.Float(), nullable=False),
        sa.Column("smape_pct", sa.Float()),
        sa.Column("coverage_ratio", sa.Float()),
        sa.Column("removed_count", sa.Integer(), nullable=False),
        sa.Column("refusal", sa.Text()),
        sa.Column("data_note", sa.Text()),
        sa.Column("driver", sa.JSON(none_as_null=True)),
        sa.Column("mix", sa.JSON(none_as_null=True)),
        sa.Column("beyond", sa.JSON()),
        sa.Column("past", sa.JSON()),
    )

    op.create_table(
        "forecast_point",
        sa.Column("series_id", sa.String(length=160), primary_key=True),
        sa.Column("statistic", sa.String(length=8), primary_key=True),
        sa.Column("cutoff_date", sa.Date(), primary_key=True),
        sa.Column("site_date", sa.Date(), primary_key=True),
        sa.Column("expected", sa.Float(), nullable=False),
        sa.Column("lower", sa.Float(), nullable=False),
        sa.Column("upper", sa.Float(), nullable=False),
    )

    op.create_table(
        "forecast_score",
        sa.Column("series_id", sa.String(length=160), primary_key=True),
        sa.Column("statistic", sa.String(length=8), primary_key=True),
        sa.Column("cutoff_date", sa.Date(), primary_key=True, index=True),
        sa.Column("interval_width", sa.Float(), nullable=False),
        sa.Column("scored_to", sa.Date(), nullable=False, index=True),
        sa.Column("scored_days", sa.Integer(), nullable=False),
        sa.Column("inside_days", sa.Integer(), nullable=False),
        sa.Column("smape_pct", sa.Float(), nullable=False),
        sa.Column("mean_error", sa.Float(), nullable=False),
        sa.Column("backtest_smape_pct", sa.Float()),
        sa.Column("backtest_coverage_ratio", sa.Float()),
    )

    op.create_table(
        "loss",
        sa.Column("lost", sa.String(length=96), primary_key=True),
        sa.Column("site_date", sa.Date(), primary_key=True, index=True),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
    )

    op.create_table(
        "observation_daily",
        sa.Column("series_id", sa.String(length=160), primary_key=True),
        sa.Column("site_date", sa.Date(), primary_key=True, index=True),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("p95", sa.Float(), nullable=False),
        sa.Column("peak", sa.Float(), nullable=False),
        sa.Column("total", sa.Float()),
        sa.Column("busiest_hour_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("covered_hours", sa.Float(), nullable=False),
    )

    op.create_table(
        "observed_hour_date",
        sa.Column("hour_date", sa.Date(), primary_key=True),
        sa.Column("sources_digest", sa.String(length=64), nullable=False),
    )

    op.create_table(
        "plan",
        sa.Column("resource", sa.String(length=128), primary_key=True),
        sa.Column("site_date", sa.Date(), primary_key=True, index=True),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("due_date", sa.Date(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
    )

    op.create_table(
        "problem",
        sa.Column("key", sa.String(length=192), primary_key=True),
        sa.Column("site_date", sa.Date(), primary_key=True, index=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("cause", sa.String(length=192), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
    )

    op.create_table(
        "problem_date",
        sa.Column("site_date", sa.Date(), primary_key=True),
        sa.Column("valid", sa.Boolean(), nullable=False),
    )

    op.create_table(
        "problem_mark",
        sa.Column("key", sa.String(length=192), primary_key=True),
        sa.Column("noted_date", sa.Date(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("until_date", sa.Date()),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
    )

    op.create_table(
        "saved_scenario",
        sa.Column("name", sa.String(length=80), primary_key=True),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("saved_at_utc", sa.DateTime(timezone=True), nullable=False),
    )

    op.create_table(
        "series",
        sa.Column("series_id", sa.String(length=160), primary_key=True),
        sa.Column("metric", sa.String(length=64), nullable=False, index=True),
        sa.Column("subject", sa.String(length=96), nullable=False, index=True),
        sa.Column("subject_kind", sa.String(length=32), nullable=False),
        sa.Column("unit", sa.String(length=32), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("forecast", sa.Boolean(), nullable=False),
        sa.Column("ceiling", sa.Float()),
        sa.Column("direction", sa.String(length=16), nullable=False),
        sa.Column("first_site_date", sa.Date()),
        sa.Column("last_site_date", sa.Date()),
    )

    op.create_table(
        "site_correction",
        sa.Column("cutoff_date", sa.Date(), primary_key=True),
        sa.Column("shift", sa.Float(), nullable=False),
        sa.Column("limit_count", sa.Integer(), nullable=False),
        sa.Column("case_count", sa.Integer(), nullable=False),
        sa.Column("slope", sa.Float(), nullable=False, server_default="1"),
    )

    op.create_table(
        "source_file",
        sa.Column("sha256", sa.String(length=64), primary_key=True),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("received_date", sa.Date(), nullable=False),
        sa.Column("landed_at_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("bytes_count", sa.BigInteger(), nullable=False),
        sa.Column("framing", sa.String(length=16)),
        sa.Column("record_count", sa.BigInteger()),
        sa.Column("decoded_bytes", sa.BigInteger()),
        sa.Column("skipped_bytes", sa.BigInteger()),
        sa.Column("quarantined_bytes", sa.BigInteger()),
        sa.Column("first_interval_utc", sa.DateTime(timezone=True)),
        sa.Column("last_interval_utc", sa.DateTime(timezone=True)),
        sa.Column("problem", sa.Text()),
    )

    op.create_table(
        "step_run",
        sa.Column("step", sa.String(length=32), primary_key=True),
        sa.Column("ended_at_utc", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("site_date", sa.Date(), nullable=False, index=True),
        sa.Column("versions", sa.JSON(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
    )

    op.create_table(
        "ticket",
        sa.Column("dedupe_key", sa.String(length=192), primary_key=True),
        sa.Column("backend", sa.String(length=32), primary_key=True),
        sa.Column("external_ref", sa.String(length=128), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("due_date", sa.Date()),
        sa.Column("opened_date", sa.Date(), nullable=False),
        sa.Column("last_seen_date", sa.Date(), nullable=False),
        sa.Column("closed_date", sa.Date()),
        sa.Column("members", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("previous_ref", sa.String(length=128), server_default="", nullable=False),
    )


def downgrade() -> None:
    """Remove them all."""
    for name in _TABLES:
        op.drop_table(name)
