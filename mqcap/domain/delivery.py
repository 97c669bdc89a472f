"""Deliveries: the entries of the notification outbox."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict


class Stage(StrEnum):
    """The progress of a delivery."""

    pending = "pending"
    """To be handed over: by this run, its rerun, or the run of a later day."""
    posting = "posting"
    """Being handed over: a process that dies now leaves it in this stage."""
    sent = "sent"
    unconfirmed = "unconfirmed"
    """The server had the complete message when the process died or the connection closed;
    sending again could deliver it twice."""
    merged = "merged"
    """It could not be handed over; the email of a later day contained its alerts."""
    replayed = "replayed"
    """A replay stored what a live run would have sent."""


class Channel(StrEnum):
    """Kind of message by which something is delivered."""

    mail = "mail"
    data = "data"
    """Email about missing records."""
    page = "page"
    """Email to the people on call."""
    ticket = "ticket"
    """An entry in the issue tracker."""


class Delivery(BaseModel):
    """Notification to a recipient list, or what it would have been in a replay.

    ``sent_at_utc`` is ``None`` until it was handed over; ``error`` is the last failure.
    """

    model_config = ConfigDict(frozen=True)

    delivery_id: str
    """Hash of site date, channel and recipient: one notification a day, channel and list."""
    site_date: date
    channel: Channel
    recipient: str
    """Email addresses, or the key of a ticket."""
    subject_line: str
    digest_sha256: str
    """Hash of its alerts; a rerun with the same alerts sends nothing."""
    content: str
    """The complete message or the text of the ticket, in ASCII for mail."""
    payload: dict[str, Any] | None = None
    """The ticket as JSON, and ``close``; ``None`` for mail."""
    replay: bool = False
    stage: Stage = Stage.pending
    attempts: int = 0
    order_number: int = 0
    """Position in which the deliveries of a day go out, lowest first."""
    sent_at_utc: AwareDatetime | None = None
    error: str | None = None

    @property
    def sent(self) -> bool:
        """True when the recipient's server took it."""
        return self.sent_at_utc is not None

    def handed_over(self, at_utc: datetime) -> Delivery:
        """Return the delivery as it is after success."""
        return self.model_copy(update={"sent_at_utc": at_utc, "error": None, "stage": Stage.sent})
