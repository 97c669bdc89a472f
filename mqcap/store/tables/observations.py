"""Delivered files, series, daily observations and completeness of feeds."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Date, Float, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from mqcap.store.tables.base import Base, UtcDateTime


class SourceFileRow(Base):
    """A file as delivered; the content hash is its identity."""

    __tablename__ = "source_file"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    source: Mapped[str] = mapped_column(String(16))
    """``smf`` or ``console``."""
    name: Mapped[str] = mapped_column(Text)
    received_date: Mapped[date] = mapped_column(Date)
    landed_at_utc: Mapped[datetime] = mapped_column(UtcDateTime)
    bytes_count: Mapped[int] = mapped_column(BigInteger)
    framing: Mapped[str | None] = mapped_column(String(16))
    record_count: Mapped[int | None] = mapped_column(BigInteger)
    decoded_bytes: Mapped[int | None] = mapped_column(BigInteger)
    skipped_bytes: Mapped[int | None] = mapped_column(BigInteger)
    quarantined_bytes: Mapped[int | None] = mapped_column(BigInteger)
    first_interval_utc: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_interval_utc: Mapped[datetime | None] = mapped_column(UtcDateTime)
    problem: Mapped[str | None] = mapped_column(Text)


class SeriesRow(Base):
    """Series: a metric of a subject."""

    __tablename__ = "series"

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    metric: Mapped[str] = mapped_column(String(64), index=True)
    subject: Mapped[str] = mapped_column(String(96), index=True)
    subject_kind: Mapped[str] = mapped_column(String(32))
    unit: Mapped[str] = mapped_column(String(32))
    description: Mapped[str] = mapped_column(Text)
    forecast: Mapped[bool]
    ceiling: Mapped[float | None] = mapped_column(Float)
    direction: Mapped[str] = mapped_column(String(16))
    first_site_date: Mapped[date | None] = mapped_column(Date)
    """First and last day with an observation; ``NULL`` while there is none."""
    last_site_date: Mapped[date | None] = mapped_column(Date)


class ObservationRow(Base):
    """The measured day of a series. A day not measured has no row."""

    __tablename__ = "observation_daily"
    __table_args__ = (Index("ix_observation_daily_site_date", "site_date"),)

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    mean: Mapped[float] = mapped_column(Float)
    p95: Mapped[float] = mapped_column(Float)
    peak: Mapped[float] = mapped_column(Float)
    total: Mapped[float | None] = mapped_column(Float)
    busiest_hour_utc: Mapped[datetime] = mapped_column(UtcDateTime)
    covered_hours: Mapped[float] = mapped_column(Float)


class ObservedHourDateRow(Base):
    """Version of an hour_date partition that the daily observations were made from."""

    __tablename__ = "observed_hour_date"

    hour_date: Mapped[date] = mapped_column(Date, primary_key=True)
    sources_digest: Mapped[str] = mapped_column(String(64))


class FeedDayRow(Base):
    """Completeness of one feed on one site day; ``document`` is the complete ``FeedDay``."""

    __tablename__ = "feed_day"
    __table_args__ = (Index("ix_feed_day_site_date", "site_date"),)

    kind: Mapped[str] = mapped_column(String(24), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    member: Mapped[str] = mapped_column(String(32), primary_key=True)
    """SMF id of a member system of a coupling facility, or the pair of sources that is compared;
    empty for every other feed."""
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    expected_seconds: Mapped[float] = mapped_column(Float)
    received_seconds: Mapped[float] = mapped_column(Float)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ConsoleStateRow(Base):
    """A state of a resource that the console reported; ``document`` is the ``ConsoleState``."""

    __tablename__ = "console_state"
    __table_args__ = (Index("ix_console_state_site_date", "site_date"),)

    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    message_id: Mapped[str] = mapped_column(String(10), primary_key=True)
    first_utc: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)
    object_name: Mapped[str] = mapped_column(String(64), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date)
    """Day on which it began; ``last_date`` is the last one on which it counts."""
    last_date: Mapped[date] = mapped_column(Date)
    resource: Mapped[str] = mapped_column(String(128))
    kind: Mapped[str] = mapped_column(String(16))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ForecastRow(Base):
    """Forecast of a daily series, as seen on its cutoff date."""

    __tablename__ = "forecast"
    __table_args__ = (Index("ix_forecast_cutoff_date", "cutoff_date"),)

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    model: Mapped[str] = mapped_column(String(64))
    horizon_days: Mapped[int] = mapped_column(Integer)
    trained_days: Mapped[int] = mapped_column(Integer)
    interval_width: Mapped[float] = mapped_column(Float)
    smape_pct: Mapped[float | None] = mapped_column(Float)
    coverage_ratio: Mapped[float | None] = mapped_column(Float)
    removed_count: Mapped[int] = mapped_column(Integer)
    refusal: Mapped[str | None] = mapped_column(Text)
    data_note: Mapped[str | None] = mapped_column(Text)
    driver: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Its business driver; null where the site names none."""
    mix: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Candidates with their shares; null where refused, and of releases that did not store them."""
    past: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """How far its history went; null where refused, and of releases that did not store it."""
    beyond: Mapped[list[list[float]] | None] = mapped_column(JSON)
    """Expected, lower and upper value of each day after the horizon; never drawn or scored."""


class ForecastPointRow(Base):
    """Day of a forecast."""

    __tablename__ = "forecast_point"

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    expected: Mapped[float] = mapped_column(Float)
    lower: Mapped[float] = mapped_column(Float)
    upper: Mapped[float] = mapped_column(Float)


class ForecastScoreRow(Base):
    """Accuracy of one forecast on the days measured since."""

    __tablename__ = "forecast_score"
    __table_args__ = (
        Index("ix_forecast_score_cutoff_date", "cutoff_date"),
        Index("ix_forecast_score_scored_to", "scored_to"),
    )

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    interval_width: Mapped[float] = mapped_column(Float)
    scored_to: Mapped[date] = mapped_column(Date)
    scored_days: Mapped[int] = mapped_column(Integer)
    inside_days: Mapped[int] = mapped_column(Integer)
    smape_pct: Mapped[float] = mapped_column(Float)
    mean_error: Mapped[float] = mapped_column(Float)
    backtest_smape_pct: Mapped[float | None] = mapped_column(Float)
    backtest_coverage_ratio: Mapped[float | None] = mapped_column(Float)


class CrossingScoreRow(Base):
    """Stated probability of a crossing whose time is over; ``came`` when it happened."""

    __tablename__ = "crossing_score"
    __table_args__ = (Index("ix_crossing_score_cutoff_date", "cutoff_date"),)

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    horizon_days: Mapped[int] = mapped_column(Integer, primary_key=True)
    probability: Mapped[float] = mapped_column(Float)
    came: Mapped[bool]
    basis: Mapped[str] = mapped_column(String(8), server_default="live")
    """``live``, or ``hold_out`` for a crossing that was dated later, as of its day."""
