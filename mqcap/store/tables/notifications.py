"""Tickets, deliveries, acknowledgements, annotations, saved scenarios and step runs."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, Date, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from mqcap.store.tables.base import Base, UtcDateTime


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
    __table_args__ = (Index("ix_step_run_site_date", "site_date"),)

    step: Mapped[str] = mapped_column(String(32), primary_key=True)
    ended_at_utc: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)
    site_date: Mapped[date] = mapped_column(Date)
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
