"""Results of the rules by day: findings, crossings, plans and problem states."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import JSON, Date, Float, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from mqcap.store.tables.base import Base


class FindingRow(Base):
    """The finding of one rule on one subject and day; ``document`` is the complete finding."""

    __tablename__ = "finding"
    __table_args__ = (Index("ix_finding_site_date", "site_date"),)

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    severity: Mapped[str] = mapped_column(String(16))
    observed: Mapped[float | None] = mapped_column(Float)
    limit_value: Mapped[float | None] = mapped_column(Float)
    unit: Mapped[str] = mapped_column(String(32))
    headroom_ratio: Mapped[float | None] = mapped_column(Float)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class CrossingColumns:
    """Columns of a crossing."""

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    series_id: Mapped[str] = mapped_column(String(160))
    statistic: Mapped[str] = mapped_column(String(8))
    direction: Mapped[str] = mapped_column(String(16))
    limit_value: Mapped[float] = mapped_column(Float)
    unit: Mapped[str] = mapped_column(String(32))
    state: Mapped[str] = mapped_column(String(24))
    earliest_date: Mapped[date | None] = mapped_column(Date)
    expected_date: Mapped[date | None] = mapped_column(Date)
    latest_date: Mapped[date | None] = mapped_column(Date)
    breached_since: Mapped[date | None] = mapped_column(Date)
    probability_30_days: Mapped[float | None] = mapped_column(Float)
    probability_60_days: Mapped[float | None] = mapped_column(Float)
    probability_90_days: Mapped[float | None] = mapped_column(Float)
    probability_180_days: Mapped[float | None] = mapped_column(Float)
    probability_365_days: Mapped[float | None] = mapped_column(Float)
    reason: Mapped[str | None] = mapped_column(Text)


class CrossingRow(CrossingColumns, Base):
    """Dates on which a subject passes a rule's limit, as seen on the cutoff date."""

    __tablename__ = "crossing"
    __table_args__ = (Index("ix_crossing_cutoff_date", "cutoff_date"),)


class HoldOutCrossingRow(CrossingColumns, Base):
    """The same for a day that was never evaluated, as of that day, from what was loaded."""

    __tablename__ = "hold_out_crossing"
    __table_args__ = (Index("ix_hold_out_crossing_cutoff_date", "cutoff_date"),)


class SiteCorrectionRow(Base):
    """Level and slope of the log odds of the probabilities of a day, and what they rest on."""

    __tablename__ = "site_correction"

    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    shift: Mapped[float] = mapped_column(Float)
    slope: Mapped[float] = mapped_column(Float, server_default="1")
    limit_count: Mapped[int]
    case_count: Mapped[int]


class PlanRow(Base):
    """Plan of one resource on a day; ``document`` is the complete plan."""

    __tablename__ = "plan"
    __table_args__ = (Index("ix_plan_site_date", "site_date"),)

    resource: Mapped[str] = mapped_column(String(128), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    severity: Mapped[str] = mapped_column(String(16))
    due_date: Mapped[date] = mapped_column(Date)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class LossRow(Base):
    """Loss of one part on a day; ``document`` is the complete loss."""

    __tablename__ = "loss"
    __table_args__ = (Index("ix_loss_site_date", "site_date"),)

    lost: Mapped[str] = mapped_column(String(96), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    severity: Mapped[str] = mapped_column(String(16))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ProblemRow(Base):
    """Problem on a day; ``document`` is the complete ``ProblemDay``."""

    __tablename__ = "problem"
    __table_args__ = (Index("ix_problem_site_date", "site_date"),)

    key: Mapped[str] = mapped_column(String(192), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    severity: Mapped[str] = mapped_column(String(16))
    cause: Mapped[str] = mapped_column(String(192))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ProblemDateRow(Base):
    """A day with computed problem states; not valid when it, or a day before it, has changed."""

    __tablename__ = "problem_date"

    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    valid: Mapped[bool]
