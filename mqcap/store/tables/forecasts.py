"""Forecasts and their scores."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import JSON, Date, Float, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from mqcap.store.tables.base import Base


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
