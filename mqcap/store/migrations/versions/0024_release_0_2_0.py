"""The schema of release 0.2.0, from which every store is upgraded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of an empty store."""
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
    op.create_index(op.f("ix_annotation_subject"), "annotation", ["subject"], unique=False)

    op.create_table(
        "console_state",
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("message_id", sa.String(length=10), nullable=False),
        sa.Column("first_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("object_name", sa.String(length=64), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("last_date", sa.Date(), nullable=False),
        sa.Column("resource", sa.String(length=128), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "message_id", "first_utc", "object_name"),
    )
    op.create_index("ix_console_state_site_date", "console_state", ["site_date"], unique=False)

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
        sa.Column("probability_30_days", sa.Float(), nullable=True),
        sa.Column("probability_60_days", sa.Float(), nullable=True),
        sa.Column("probability_90_days", sa.Float(), nullable=True),
        sa.Column("probability_180_days", sa.Float(), nullable=True),
        sa.Column("probability_365_days", sa.Float(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("rule_id", "subject", "cutoff_date"),
    )
    op.create_index("ix_crossing_cutoff_date", "crossing", ["cutoff_date"], unique=False)

    op.create_table(
        "crossing_score",
        sa.Column("rule_id", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("cutoff_date", sa.Date(), nullable=False),
        sa.Column("horizon_days", sa.Integer(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("came", sa.Boolean(), nullable=False),
        sa.Column("basis", sa.String(length=8), server_default="live", nullable=False),
        sa.PrimaryKeyConstraint("rule_id", "subject", "cutoff_date", "horizon_days"),
    )
    op.create_index(
        "ix_crossing_score_cutoff_date", "crossing_score", ["cutoff_date"], unique=False
    )

    op.create_table(
        "delivery",
        sa.Column("delivery_id", sa.String(length=64), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("channel", sa.String(length=16), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("subject_line", sa.Text(), nullable=False),
        sa.Column("digest_sha256", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=True),
        sa.Column("replay", sa.Boolean(), nullable=False),
        sa.Column("stage", sa.String(length=16), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("order_number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sent_at_utc", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("refused", sa.JSON(), nullable=False, server_default="{}"),
        sa.PrimaryKeyConstraint("delivery_id"),
    )
    op.create_index(op.f("ix_delivery_site_date"), "delivery", ["site_date"], unique=False)
    op.create_index(op.f("ix_delivery_stage"), "delivery", ["stage"], unique=False)

    op.create_table(
        "feed_day",
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("member", sa.String(length=32), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("expected_seconds", sa.Float(), nullable=False),
        sa.Column("received_seconds", sa.Float(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", "member", "site_date"),
    )
    op.create_index("ix_feed_day_site_date", "feed_day", ["site_date"], unique=False)

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
        sa.Column("data_note", sa.Text(), nullable=True),
        sa.Column("driver", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("mix", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("beyond", sa.JSON(), nullable=True),
        sa.Column("past", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("series_id", "statistic", "cutoff_date"),
    )
    op.create_index("ix_forecast_cutoff_date", "forecast", ["cutoff_date"], unique=False)

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
    op.create_index(
        "ix_forecast_score_cutoff_date", "forecast_score", ["cutoff_date"], unique=False
    )
    op.create_index("ix_forecast_score_scored_to", "forecast_score", ["scored_to"], unique=False)

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
        sa.Column("probability_30_days", sa.Float(), nullable=True),
        sa.Column("probability_60_days", sa.Float(), nullable=True),
        sa.Column("probability_90_days", sa.Float(), nullable=True),
        sa.Column("probability_180_days", sa.Float(), nullable=True),
        sa.Column("probability_365_days", sa.Float(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("rule_id", "subject", "cutoff_date"),
    )
    op.create_index(
        "ix_hold_out_crossing_cutoff_date", "hold_out_crossing", ["cutoff_date"], unique=False
    )

    op.create_table(
        "loss",
        sa.Column("lost", sa.String(length=96), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("lost", "site_date"),
    )
    op.create_index("ix_loss_site_date", "loss", ["site_date"], unique=False)

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
        "plan",
        sa.Column("resource", sa.String(length=128), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("due_date", sa.Date(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("resource", "site_date"),
    )
    op.create_index("ix_plan_site_date", "plan", ["site_date"], unique=False)

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
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("until_date", sa.Date(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", "noted_date", "number"),
    )

    op.create_table(
        "saved_scenario",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("subject", sa.String(length=96), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("saved_at_utc", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
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
        "site_correction",
        sa.Column("cutoff_date", sa.Date(), nullable=False),
        sa.Column("shift", sa.Float(), nullable=False),
        sa.Column("limit_count", sa.Integer(), nullable=False),
        sa.Column("case_count", sa.Integer(), nullable=False),
        sa.Column("slope", sa.Float(), nullable=False, server_default="1"),
        sa.PrimaryKeyConstraint("cutoff_date"),
    )

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
        "step_run",
        sa.Column("step", sa.String(length=32), nullable=False),
        sa.Column("ended_at_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("site_date", sa.Date(), nullable=False),
        sa.Column("versions", sa.JSON(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("step", "ended_at_utc"),
    )
    op.create_index("ix_step_run_site_date", "step_run", ["site_date"], unique=False)

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
        sa.Column("members", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("previous_ref", sa.String(length=128), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("dedupe_key", "backend"),
    )


def downgrade() -> None:
    """Remove them all."""
    op.drop_table("ticket")
    op.drop_index("ix_step_run_site_date", table_name="step_run")
    op.drop_table("step_run")
    op.drop_table("source_file")
    op.drop_table("site_correction")
    op.drop_index(op.f("ix_series_subject"), table_name="series")
    op.drop_index(op.f("ix_series_metric"), table_name="series")
    op.drop_table("series")
    op.drop_table("saved_scenario")
    op.drop_table("problem_mark")
    op.drop_table("problem_date")
    op.drop_index("ix_problem_site_date", table_name="problem")
    op.drop_table("problem")
    op.drop_index("ix_plan_site_date", table_name="plan")
    op.drop_table("plan")
    op.drop_table("observed_hour_date")
    op.drop_index("ix_observation_daily_site_date", table_name="observation_daily")
    op.drop_table("observation_daily")
    op.drop_index("ix_loss_site_date", table_name="loss")
    op.drop_table("loss")
    op.drop_index("ix_hold_out_crossing_cutoff_date", table_name="hold_out_crossing")
    op.drop_table("hold_out_crossing")
    op.drop_index("ix_forecast_score_scored_to", table_name="forecast_score")
    op.drop_index("ix_forecast_score_cutoff_date", table_name="forecast_score")
    op.drop_table("forecast_score")
    op.drop_table("forecast_point")
    op.drop_index("ix_forecast_cutoff_date", table_name="forecast")
    op.drop_table("forecast")
    op.drop_index("ix_finding_site_date", table_name="finding")
    op.drop_table("finding")
    op.drop_index("ix_feed_day_site_date", table_name="feed_day")
    op.drop_table("feed_day")
    op.drop_index(op.f("ix_delivery_stage"), table_name="delivery")
    op.drop_index(op.f("ix_delivery_site_date"), table_name="delivery")
    op.drop_table("delivery")
    op.drop_index("ix_crossing_score_cutoff_date", table_name="crossing_score")
    op.drop_table("crossing_score")
    op.drop_index("ix_crossing_cutoff_date", table_name="crossing")
    op.drop_table("crossing")
    op.drop_index("ix_console_state_site_date", table_name="console_state")
    op.drop_table("console_state")
    op.drop_index(op.f("ix_annotation_subject"), table_name="annotation")
    op.drop_table("annotation")
