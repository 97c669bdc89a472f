"""Tables of the store (SQLAlchemy 2). Dates are site dates, instants are in UTC."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Date, Float, Integer, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from mqcap.store.instants import UtcDateTime


class Base(DeclarativeBase):
    """Base of all tables."""


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

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, primary_key=True, index=True)
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

    kind: Mapped[str] = mapped_column(String(24), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    member: Mapped[str] = mapped_column(String(32), primary_key=True)
    """SMF id of a member system of a coupling facility, or the pair of sources that is compared;
    empty for every other feed."""
    site_date: Mapped[date] = mapped_column(Date, primary_key=True, index=True)
    state: Mapped[str] = mapped_column(String(16))
    expected_seconds: Mapped[float] = mapped_column(Float)
    received_seconds: Mapped[float] = mapped_column(Float)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ConsoleStateRow(Base):
    """A state of a resource that the console reported; ``document`` is the ``ConsoleState``."""

    __tablename__ = "console_state"

    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    message_id: Mapped[str] = mapped_column(String(10), primary_key=True)
    first_utc: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)
    object_name: Mapped[str] = mapped_column(String(64), primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, index=True)
    """Day on which it began; ``last_date`` is the last one on which it counts."""
    last_date: Mapped[date] = mapped_column(Date)
    resource: Mapped[str] = mapped_column(String(128))
    kind: Mapped[str] = mapped_column(String(16))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ForecastRow(Base):
    """Forecast of a daily series, as seen on its cutoff date."""

    __tablename__ = "forecast"

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True, index=True)
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

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True, index=True)
    interval_width: Mapped[float] = mapped_column(Float)
    scored_to: Mapped[date] = mapped_column(Date, index=True)
    scored_days: Mapped[int] = mapped_column(Integer)
    inside_days: Mapped[int] = mapped_column(Integer)
    smape_pct: Mapped[float] = mapped_column(Float)
    mean_error: Mapped[float] = mapped_column(Float)
    backtest_smape_pct: Mapped[float | None] = mapped_column(Float)
    backtest_coverage_ratio: Mapped[float | None] = mapped_column(Float)


class CrossingScoreRow(Base):
    """Stated probability of a crossing whose time is over; ``came`` when it happened."""

    __tablename__ = "crossing_score"

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True, index=True)
    horizon_days: Mapped[int] = mapped_column(Integer, primary_key=True)
    probability: Mapped[float] = mapped_column(Float)
    came: Mapped[bool]
    basis: Mapped[str] = mapped_column(String(8), server_default="live")
    """``live``, or ``hold_out`` for a crossing that was dated later, as of its day."""


class DayColumns:
    """Columns of what the rules and plans say of a day, each a JSON document with its severity."""

    site_date: Mapped[date] = mapped_column(Date, primary_key=True, index=True)
    severity: Mapped[str] = mapped_column(String(16))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class FindingRow(DayColumns, Base):
    """The finding of one rule on one subject and day; ``document`` is the complete finding."""

    __tablename__ = "finding"

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    observed: Mapped[float | None] = mapped_column(Float)
    limit_value: Mapped[float | None] = mapped_column(Float)
    unit: Mapped[str] = mapped_column(String(32))
    headroom_ratio: Mapped[float | None] = mapped_column(Float)


class CrossingColumns:
    """Columns of a crossing."""

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True, index=True)
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


class HoldOutCrossingRow(CrossingColumns, Base):
    """The same for a day that was never evaluated, as of that day, from what was loaded."""

    __tablename__ = "hold_out_crossing"


class SiteCorrectionRow(Base):
    """Level and slope of the log odds of the probabilities of a day, and what they rest on."""

    __tablename__ = "site_correction"

    cutoff_date: Mapped[date] = mapped_column(Date, primary_key=True)
    shift: Mapped[float] = mapped_column(Float)
    slope: Mapped[float] = mapped_column(Float, server_default="1")
    limit_count: Mapped[int]
    case_count: Mapped[int]


class PlanRow(DayColumns, Base):
    """Plan of one resource on a day; ``document`` is the complete plan."""

    __tablename__ = "plan"

    resource: Mapped[str] = mapped_column(String(128), primary_key=True)
    due_date: Mapped[date] = mapped_column(Date)


class LossRow(DayColumns, Base):
    """Loss of one part on a day; ``document`` is the complete loss."""

    __tablename__ = "loss"

    lost: Mapped[str] = mapped_column(String(96), primary_key=True)


class ProblemRow(DayColumns, Base):
    """Problem on a day; ``document`` is the complete ``ProblemDay``."""

    __tablename__ = "problem"

    key: Mapped[str] = mapped_column(String(192), primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    cause: Mapped[str] = mapped_column(String(192))


class ProblemDateRow(Base):
    """A day with computed problem states; not valid when it, or a day before it, has changed."""

    __tablename__ = "problem_date"

    site_date: Mapped[date] = mapped_column(Date, primary_key=True)
    valid: Mapped[bool]


class TicketRow(Base):
    """A ticket of the embedded tracker, or the state of one in another tracker."""

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


class DeliveryRow(Base):
    """Delivery of a day to a recipient, or what it would have been in a replay."""

    __tablename__ = "delivery"

    delivery_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Hash of site date, channel and recipient: a rerun does not send it again."""
    site_date: Mapped[date] = mapped_column(Date, index=True)
    channel: Mapped[str] = mapped_column(String(16))
    recipient: Mapped[str] = mapped_column(Text)
    subject_line: Mapped[str] = mapped_column(Text)
    digest_sha256: Mapped[str] = mapped_column(String(64))
    content: Mapped[str] = mapped_column(Text)
    payload: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    replay: Mapped[bool]
    stage: Mapped[str] = mapped_column(String(16), server_default="pending", index=True)
    """A ``mqcap.domain.delivery.Stage``."""
    attempts: Mapped[int] = mapped_column(Integer, server_default="0")
    order_number: Mapped[int] = mapped_column(Integer, server_default="0")
    """Position of the delivery among those of its day."""
    sent_at_utc: Mapped[datetime | None] = mapped_column(UtcDateTime)
    error: Mapped[str | None] = mapped_column(Text)
    refused: Mapped[dict[str, str]] = mapped_column(JSON, server_default="{}")
    """The reply of the mail server by address that it refused."""


class AcknowledgementRow(Base):
    """An acknowledgement of a problem, and the day on which it was read."""

    __tablename__ = "problem_mark"

    key: Mapped[str] = mapped_column(String(192), primary_key=True)
    noted_date: Mapped[date] = mapped_column(Date, primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    """Its place among those of the problem and day, from 1; the last one counts."""
    kind: Mapped[str] = mapped_column(String(24))
    until_date: Mapped[date | None] = mapped_column(Date)
    note: Mapped[str] = mapped_column(Text)
    who: Mapped[str] = mapped_column(Text)


class StepRunRow(Base):
    """Step that has ended: its day, its versions, and its counts."""

    __tablename__ = "step_run"

    step: Mapped[str] = mapped_column(String(32), primary_key=True)
    ended_at_utc: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)
    site_date: Mapped[date] = mapped_column(Date, index=True)
    versions: Mapped[dict[str, Any]] = mapped_column(JSON)
    counts: Mapped[dict[str, Any]] = mapped_column(JSON)


class AnnotationRow(Base):
    """A note on a subject and its days: an incident, a release, a reason."""

    __tablename__ = "annotation"

    annotation_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    """Hash of subject, rule, days, author and text: the same note twice is one row."""
    subject: Mapped[str] = mapped_column(String(96), index=True)
    rule_id: Mapped[str] = mapped_column(String(64))
    """Empty: about the subject, not about one rule."""
    first_date: Mapped[date] = mapped_column(Date)
    last_date: Mapped[date] = mapped_column(Date)
    note: Mapped[str] = mapped_column(Text)
    who: Mapped[str] = mapped_column(Text)
    noted_at_utc: Mapped[datetime] = mapped_column(UtcDateTime)


class SavedScenarioRow(Base):
    """A what-if scenario saved under a name."""

    __tablename__ = "saved_scenario"

    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96))
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)
    """The fields of the form, start included."""
    who: Mapped[str] = mapped_column(Text)
    saved_at_utc: Mapped[datetime] = mapped_column(UtcDateTime)
