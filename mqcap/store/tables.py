"""Tables of the store (SQLAlchemy 2). Dates are site dates, instants are in UTC.

A table has the name of its class without ``Row``: ``FeedDayRow`` is ``feed_day``.
"""

import re
from datetime import UTC, date, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, DateTime, Float, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware and in UTC on every database; SQLite stores no time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the instant in UTC; raises TypeError for a value without a time zone."""
        if value is not None and value.tzinfo is None:
            raise TypeError(f"{dialect.name}: {value.isoformat()} has no time zone; give UTC")
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored instant as aware and in UTC."""
        if value is None:
            return None
        stored_without_zone = dialect.name == "sqlite" or value.tzinfo is None
        return value.replace(tzinfo=UTC) if stored_without_zone else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Base of all tables."""

    type_annotation_map: ClassVar = {
        str: Text,
        float: Float,
        datetime: UtcDateTime,
        dict[str, Any]: JSON,
    }

    def __init_subclass__(cls, **options: Any) -> None:
        if "__tablename__" not in vars(cls):
            words = re.findall("[A-Z][a-z]+", cls.__name__.removesuffix("Row"))
            cls.__tablename__ = "_".join(words).lower()
        super().__init_subclass__(**options)


class SourceFileRow(Base):
    """A file as delivered; the content hash is its identity."""

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    source: Mapped[str] = mapped_column(String(16))
    """``smf`` or ``console``."""
    name: Mapped[str]
    received_date: Mapped[date]
    landed_at_utc: Mapped[datetime]
    bytes_count: Mapped[int] = mapped_column(BigInteger)
    framing: Mapped[str | None] = mapped_column(String(16))
    record_count: Mapped[int | None] = mapped_column(BigInteger)
    decoded_bytes: Mapped[int | None] = mapped_column(BigInteger)
    skipped_bytes: Mapped[int | None] = mapped_column(BigInteger)
    quarantined_bytes: Mapped[int | None] = mapped_column(BigInteger)
    first_interval_utc: Mapped[datetime | None]
    last_interval_utc: Mapped[datetime | None]
    problem: Mapped[str | None]


class SeriesRow(Base):
    """Series: a metric of a subject."""

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    metric: Mapped[str] = mapped_column(String(64), index=True)
    subject: Mapped[str] = mapped_column(String(96), index=True)
    subject_kind: Mapped[str] = mapped_column(String(32))
    unit: Mapped[str] = mapped_column(String(32))
    description: Mapped[str]
    forecast: Mapped[bool]
    ceiling: Mapped[float | None]
    direction: Mapped[str] = mapped_column(String(16))
    first_site_date: Mapped[date | None]
    """First and last day with an observation; ``NULL`` while there is none."""
    last_site_date: Mapped[date | None]


class ObservationRow(Base):
    """The measured day of a series. A day not measured has no row."""

    __tablename__ = "observation_daily"

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    site_date: Mapped[date] = mapped_column(primary_key=True, index=True)
    mean: Mapped[float]
    p95: Mapped[float]
    peak: Mapped[float]
    total: Mapped[float | None]
    busiest_hour_utc: Mapped[datetime]
    covered_hours: Mapped[float]


class ObservedHourDateRow(Base):
    """Version of an hour_date partition that the daily observations were made from."""

    hour_date: Mapped[date] = mapped_column(primary_key=True)
    sources_digest: Mapped[str] = mapped_column(String(64))


class FeedDayRow(Base):
    """Completeness of one feed on one site day; ``document`` is the complete ``FeedDay``."""

    kind: Mapped[str] = mapped_column(String(24), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    member: Mapped[str] = mapped_column(String(32), primary_key=True)
    """SMF id of a member system of a coupling facility, or the pair of sources that is compared;
    empty for every other feed."""
    site_date: Mapped[date] = mapped_column(primary_key=True, index=True)
    state: Mapped[str] = mapped_column(String(16))
    expected_seconds: Mapped[float]
    received_seconds: Mapped[float]
    document: Mapped[dict[str, Any]]


class ConsoleStateRow(Base):
    """A state of a resource that the console reported; ``document`` is the ``ConsoleState``."""

    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    message_id: Mapped[str] = mapped_column(String(10), primary_key=True)
    first_utc: Mapped[datetime] = mapped_column(primary_key=True)
    object_name: Mapped[str] = mapped_column(String(64), primary_key=True)
    site_date: Mapped[date] = mapped_column(index=True)
    """Day on which it began; ``last_date`` is the last one on which it counts."""
    last_date: Mapped[date]
    resource: Mapped[str] = mapped_column(String(128))
    kind: Mapped[str] = mapped_column(String(16))
    document: Mapped[dict[str, Any]]


class ForecastRow(Base):
    """Forecast of a daily series, as seen on its cutoff date."""

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(primary_key=True, index=True)
    model: Mapped[str] = mapped_column(String(64))
    horizon_days: Mapped[int]
    trained_days: Mapped[int]
    interval_width: Mapped[float]
    smape_pct: Mapped[float | None]
    coverage_ratio: Mapped[float | None]
    removed_count: Mapped[int]
    refusal: Mapped[str | None]
    data_note: Mapped[str | None]
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

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(primary_key=True)
    site_date: Mapped[date] = mapped_column(primary_key=True)
    expected: Mapped[float]
    lower: Mapped[float]
    upper: Mapped[float]


class ForecastScoreRow(Base):
    """Accuracy of one forecast on the days measured since."""

    series_id: Mapped[str] = mapped_column(String(160), primary_key=True)
    statistic: Mapped[str] = mapped_column(String(8), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(primary_key=True, index=True)
    interval_width: Mapped[float]
    scored_to: Mapped[date] = mapped_column(index=True)
    scored_days: Mapped[int]
    inside_days: Mapped[int]
    smape_pct: Mapped[float]
    mean_error: Mapped[float]
    backtest_smape_pct: Mapped[float | None]
    backtest_coverage_ratio: Mapped[float | None]


class CrossingScoreRow(Base):
    """Stated probability of a crossing whose time is over; ``came`` when it happened."""

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(primary_key=True, index=True)
    horizon_days: Mapped[int] = mapped_column(primary_key=True)
    probability: Mapped[float]
    came: Mapped[bool]
    basis: Mapped[str] = mapped_column(String(8), server_default="live")
    """``live``, or ``hold_out`` for a crossing that was dated later, as of its day."""


class DayColumns:
    """Columns of what the rules and plans say of a day, each a JSON document with its severity."""

    site_date: Mapped[date] = mapped_column(primary_key=True, index=True)
    severity: Mapped[str] = mapped_column(String(16))
    document: Mapped[dict[str, Any]]


class FindingRow(DayColumns, Base):
    """The finding of one rule on one subject and day; ``document`` is the complete finding."""

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    observed: Mapped[float | None]
    limit_value: Mapped[float | None]
    unit: Mapped[str] = mapped_column(String(32))
    headroom_ratio: Mapped[float | None]


class CrossingColumns:
    """Columns of a crossing."""

    rule_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96), primary_key=True)
    cutoff_date: Mapped[date] = mapped_column(primary_key=True, index=True)
    series_id: Mapped[str] = mapped_column(String(160))
    statistic: Mapped[str] = mapped_column(String(8))
    direction: Mapped[str] = mapped_column(String(16))
    limit_value: Mapped[float]
    unit: Mapped[str] = mapped_column(String(32))
    state: Mapped[str] = mapped_column(String(24))
    earliest_date: Mapped[date | None]
    expected_date: Mapped[date | None]
    latest_date: Mapped[date | None]
    breached_since: Mapped[date | None]
    probability_30_days: Mapped[float | None]
    probability_60_days: Mapped[float | None]
    probability_90_days: Mapped[float | None]
    probability_180_days: Mapped[float | None]
    probability_365_days: Mapped[float | None]
    reason: Mapped[str | None]


class CrossingRow(CrossingColumns, Base):
    """Dates on which a subject passes a rule's limit, as seen on the cutoff date."""


class HoldOutCrossingRow(CrossingColumns, Base):
    """The same for a day that was never evaluated, as of that day, from what was loaded."""


class SiteCorrectionRow(Base):
    """Level and slope of the log odds of the probabilities of a day, and what they rest on."""

    cutoff_date: Mapped[date] = mapped_column(primary_key=True)
    shift: Mapped[float]
    slope: Mapped[float] = mapped_column(server_default="1")
    limit_count: Mapped[int]
    case_count: Mapped[int]


class PlanRow(DayColumns, Base):
    """Plan of one resource on a day; ``document`` is the complete plan."""

    resource: Mapped[str] = mapped_column(String(128), primary_key=True)
    due_date: Mapped[date]


class LossRow(DayColumns, Base):
    """Loss of one part on a day; ``document`` is the complete loss."""

    lost: Mapped[str] = mapped_column(String(96), primary_key=True)


class ProblemRow(DayColumns, Base):
    """Problem on a day; ``document`` is the complete ``ProblemDay``."""

    key: Mapped[str] = mapped_column(String(192), primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    cause: Mapped[str] = mapped_column(String(192))


class ProblemDateRow(Base):
    """A day with computed problem states; not valid when it, or a day before it, has changed."""

    site_date: Mapped[date] = mapped_column(primary_key=True)
    valid: Mapped[bool]


class TicketRow(Base):
    """A ticket of the embedded tracker, or the state of one in another tracker."""

    dedupe_key: Mapped[str] = mapped_column(String(192), primary_key=True)
    backend: Mapped[str] = mapped_column(String(32), primary_key=True)
    external_ref: Mapped[str] = mapped_column(String(128))
    state: Mapped[str] = mapped_column(String(16))
    severity: Mapped[str] = mapped_column(String(16))
    title: Mapped[str]
    body: Mapped[str]
    due_date: Mapped[date | None]
    opened_date: Mapped[date]
    last_seen_date: Mapped[date]
    closed_date: Mapped[date | None]
    members: Mapped[list[str]] = mapped_column(JSON, server_default="[]")
    previous_ref: Mapped[str] = mapped_column(String(128), server_default="")


class DeliveryRow(Base):
    """Delivery of a day to a recipient, or what it would have been in a replay."""

    delivery_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Hash of site date, channel and recipient: a rerun does not send it again."""
    site_date: Mapped[date] = mapped_column(index=True)
    channel: Mapped[str] = mapped_column(String(16))
    recipient: Mapped[str]
    subject_line: Mapped[str]
    digest_sha256: Mapped[str] = mapped_column(String(64))
    content: Mapped[str]
    payload: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    replay: Mapped[bool]
    stage: Mapped[str] = mapped_column(String(16), server_default="pending", index=True)
    """A ``mqcap.domain.delivery.Stage``."""
    attempts: Mapped[int] = mapped_column(server_default="0")
    order_number: Mapped[int] = mapped_column(server_default="0")
    """Position of the delivery among those of its day."""
    sent_at_utc: Mapped[datetime | None]
    error: Mapped[str | None]
    refused: Mapped[dict[str, str]] = mapped_column(JSON, server_default="{}")
    """The reply of the mail server by address that it refused."""


class AcknowledgementRow(Base):
    """An acknowledgement of a problem, and the day on which it was read."""

    __tablename__ = "problem_mark"

    key: Mapped[str] = mapped_column(String(192), primary_key=True)
    noted_date: Mapped[date] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Its place among those of the problem and day, from 1; the last one counts."""
    kind: Mapped[str] = mapped_column(String(24))
    until_date: Mapped[date | None]
    note: Mapped[str]
    who: Mapped[str]


class StepRunRow(Base):
    """Step that has ended: its day, its versions, and its counts."""

    step: Mapped[str] = mapped_column(String(32), primary_key=True)
    ended_at_utc: Mapped[datetime] = mapped_column(primary_key=True)
    site_date: Mapped[date] = mapped_column(index=True)
    versions: Mapped[dict[str, Any]]
    counts: Mapped[dict[str, Any]]


class AnnotationRow(Base):
    """A note on a subject and its days: an incident, a release, a reason."""

    annotation_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    """Hash of subject, rule, days, author and text: the same note twice is one row."""
    subject: Mapped[str] = mapped_column(String(96), index=True)
    rule_id: Mapped[str] = mapped_column(String(64))
    """Empty: about the subject, not about one rule."""
    first_date: Mapped[date]
    last_date: Mapped[date]
    note: Mapped[str]
    who: Mapped[str]
    noted_at_utc: Mapped[datetime]


class SavedScenarioRow(Base):
    """A what-if scenario saved under a name."""

    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    subject: Mapped[str] = mapped_column(String(96))
    parameters: Mapped[dict[str, Any]]
    """The fields of the form, start included."""
    who: Mapped[str]
    saved_at_utc: Mapped[datetime]
