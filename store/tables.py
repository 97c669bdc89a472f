"""Tables of the store (SQLAlchemy 2). Every date is a site date, every instant is UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Date, DateTime, Float, Index, Integer, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware and UTC in Python, whatever the database remembers of zones.

    SQLite keeps no zone, PostgreSQL answers in that of its session.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To UTC; a value without a zone is a fault of the caller and raises TypeError."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise TypeError(f"{dialect.name}: {value.isoformat()} has no time zone; give UTC")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Back to aware UTC."""
        if value is None:
            return None
        stored_without_zone = dialect.name == "sqlite" or value.tzinfo is None
        return value.replace(tzinfo=UTC) if stored_without_zone else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Base of all tables."""


class SourceFile(Base):
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


class Series(Base):
    """One metric of one subject."""

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


class ObservationDaily(Base):
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


class ObservedHourDate(Base):
    """Which version of an hour_date partition the daily observations were made from."""

    __tablename__ = "observed_hour_date"

    hour_date: Mapped[date] = mapped_column(Date, primary_key=True)
    sources_digest: Mapped[str] = mapped_column(String(64))


class ForecastRow(Base):
    """One forecast of one daily series, as seen on its cutoff date."""

    __tablename__ = "forecast"

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
    beyond: Mapped[list[list[float]] | None] = mapped_column(JSON)
    """Expected, lower and upper value of each day after the horizon; never drawn or scored."""


class ForecastPointRow(Base):
    """One day of a forecast."""

    __tablename__ = "forecast_point"

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    expected: Mapped[float] = mapped_column(Float)
    lower: Mapped[float] = mapped_column(Float)
    upper: Mapped[float] = mapped_column(Float)


class ForecastScoreRow(Base):
    """One forecast that was shown, against the days measured since."""

    __tablename__ = "forecast_score"

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
    """One stated probability of a crossing whose time is over, and whether it came."""

    __tablename__ = "crossing_score"

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    horizon_days: Mapped[int] = mapped_column(Integer, primary_key=True)
    probability: Mapped[float] = mapped_column(Float)
    came: Mapped[bool]


class FindingRow(Base):
    """What one rule says about one subject on one day; ``document`` is the whole finding."""

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


class CrossingRow(Base):
    """When a subject passes a rule's limit, as seen on the cutoff date."""

    __tablename__ = "crossing"
    __table_args__ = (Index("ix_crossing_cutoff_date", "cutoff_date"),)

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


class TicketRow(Base):
    """The embedded tracker, and our memory of tickets in others."""

    __tablename__ = "ticket"

    dedupe_key: Mapped[str] = mapped_column(String(192), primary_key=True)
    backend: Mapped[str] = mapped_column(String(32), primary_key=True)
    external_ref: Mapped[str] = mapped_column(String(128))
    state: Mapped[str] = mapped_column(String(16))
    severity: Mapped[str] = mapped_column(String(16))
    title: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)
    due_date: Mapped[date | None] = mapped_column(Date)
    opened_date: Mapped[date] = mapped_column(Date)
    last_seen_date: Mapped[date] = mapped_column(Date)
    closed_date: Mapped[date | None] = mapped_column(Date)
    members: Mapped[list[str]] = mapped_column(JSON, server_default="[]")
    previous_ref: Mapped[str] = mapped_column(String(128), server_default="")


class Delivery(Base):
    """What was said to whom about which day, or would have been said in a replay."""

    __tablename__ = "delivery"

    delivery_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Hash of site date, channel and recipient: one run says a thing once."""
    site_date: Mapped[date] = mapped_column(Date, index=True)
    channel: Mapped[str] = mapped_column(String(16))
    recipient: Mapped[str] = mapped_column(Text)
    subject_line: Mapped[str] = mapped_column(Text)
    digest_sha256: Mapped[str] = mapped_column(String(64))
    content: Mapped[str] = mapped_column(Text)
    payload: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    replay: Mapped[bool]
    stage: Mapped[str] = mapped_column(String(16), server_default="pending", index=True)
    """``pending``, ``posting``, ``sent``, ``unconfirmed`` or ``replayed``."""
    attempts: Mapped[int] = mapped_column(Integer, server_default="0")
    order_number: Mapped[int] = mapped_column(Integer, server_default="0")
    """In which order the deliveries of a day go out."""
    sent_at_utc: Mapped[datetime | None] = mapped_column(UtcDateTime)
    error: Mapped[str | None] = mapped_column(Text)


class FeedDayRow(Base):
    """What of a feed has arrived about a site day; ``document`` is the whole FeedDay."""

    __tablename__ = "feed_day"
    __table_args__ = (Index("ix_feed_day_site_date", "site_date"),)

    kind: Mapped[str] = mapped_column(String(24), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    member: Mapped[str] = mapped_column(String(8), primary_key=True)
    """SMF id of a member system of a coupling facility; empty for every other feed."""
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    expected_seconds: Mapped[float] = mapped_column(Float)
    received_seconds: Mapped[float] = mapped_column(Float)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ProblemRow(Base):
    """One problem on one day; ``document`` is the whole of it."""

    __tablename__ = "problem"
    __table_args__ = (Index("ix_problem_site_date", "site_date"),)

    key: Mapped[str] = mapped_column(String(192), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    severity: Mapped[str] = mapped_column(String(16))
    cause: Mapped[str] = mapped_column(String(192))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ProblemDate(Base):
    """A day whose problems were followed; not valid when it, or a day before it, has changed."""

    __tablename__ = "problem_date"

    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    valid: Mapped[bool]


class ProblemMark(Base):
    """What people have said about a problem, and on which day we read it."""

    __tablename__ = "problem_mark"

    key: Mapped[str] = mapped_column(String(192), primary_key=True)
    noted_date: Mapped[date] = mapped_column(Date, primary_key=True)
    kind: Mapped[str] = mapped_column(String(24))
    until_date: Mapped[date | None] = mapped_column(Date)
    note: Mapped[str] = mapped_column(Text)
    who: Mapped[str] = mapped_column(Text)


class StepRun(Base):
    """One step that has ended: for which day, with which versions, and what it counted."""

    __tablename__ = "step_run"
    __table_args__ = (Index("ix_step_run_site_date", "site_date"),)

    step: Mapped[str] = mapped_column(String(32), primary_key=True)
    ended_at_utc: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)
    site_date: Mapped[date] = mapped_column(Date)
    versions: Mapped[dict[str, Any]] = mapped_column(JSON)
    counts: Mapped[dict[str, Any]] = mapped_column(JSON)


class AnnotationRow(Base):
    """What somebody wrote down about a subject and its days: an incident, a release, a reason."""

    __tablename__ = "annotation"

    annotation_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    """Hash of what was written, by whom and about what: said twice it is the same one."""
    subject: Mapped[str] = mapped_column(String(96), index=True)
    rule_id: Mapped[str] = mapped_column(String(64))
    """Empty: about the subject, not about one rule."""
    first_date: Mapped[date] = mapped_column(Date)
    last_date: Mapped[date] = mapped_column(Date)
    note: Mapped[str] = mapped_column(Text)
    who: Mapped[str] = mapped_column(Text)
    noted_at_utc: Mapped[datetime] = mapped_column(UtcDateTime)


class SavedScenario(Base):
    """A what-if that somebody has given a name."""

    __tablename__ = "saved_scenario"

    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96))
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)
    """The fields of the form, start included."""
    who: Mapped[str] = mapped_column(Text)
    saved_at_utc: Mapped[datetime] = mapped_column(UtcDateTime)
