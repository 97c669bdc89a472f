"""Deliveries: what was said to whom about which day."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict


class Stage(StrEnum):
    """How far a delivery has come."""

    pending = "pending"
    """To be handed over; by this run, its rerun, or the run of a later day."""
    posting = "posting"
    """Being handed over: a process that dies now leaves it so."""
    sent = "sent"
    unconfirmed = "unconfirmed"
    """A process died, or the server hung up, when the server had everything; sending again could
    say the same twice."""
    merged = "merged"
    """It could not be handed over; the mail of a later day told its news."""
    replayed = "replayed"
    """What would have been said."""


class Delivery(BaseModel):
    """One notice to one recipient list, or what it would have been in a replay.

    ``sent_at_utc`` is ``None`` until it was handed over; ``error`` is the last failure.
    """

    model_config = ConfigDict(frozen=True)

    delivery_id: str
    """Hash of site date, channel and recipient: one run says a thing once."""
    site_date: date
    channel: str
    """``mail``, ``data`` (mail about missing records), ``page`` or ``ticket``."""
    recipient: str
    subject_line: str
    digest_sha256: str
    """Hash of the news in it; a rerun that has no other news sends nothing."""
    content: str
    payload: dict[str, Any] | None = None
    """What a program needs of it: the ticket, and whether it is to be closed."""
    replay: bool = False
    stage: Stage = Stage.pending
    attempts: int = 0
    order_number: int = 0
    """In which order the deliveries of a day go out."""
    sent_at_utc: AwareDatetime | None = None
    error: str | None = None

    @property
    def sent(self) -> bool:
        """Whether somebody has it."""
        return self.sent_at_utc is not None

    def handed_over(self, at_utc: datetime) -> Delivery:
        """The same delivery after success."""
        return self.model_copy(update={"sent_at_utc": at_utc, "error": None, "stage": Stage.sent})
