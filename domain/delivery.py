"""Deliveries: what was said to whom about which day."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict


class Delivery(BaseModel):
    """One notice to one recipient list, or what it would have been in a replay.

    ``sent_at_utc`` is ``None`` until it was handed over; ``error`` is the last failure.
    """

    model_config = ConfigDict(frozen=True)

    delivery_id: str
    """Hash of site date, channel and recipient: one run says a thing once."""
    site_date: date
    channel: str
    """``mail`` or ``ticket``."""
    recipient: str
    subject_line: str
    digest_sha256: str
    """Hash of the news in it; a rerun that has no other news sends nothing."""
    content: str
    replay: bool = False
    sent_at_utc: AwareDatetime | None = None
    error: str | None = None

    @property
    def sent(self) -> bool:
        """Whether somebody has it."""
        return self.sent_at_utc is not None

    def handed_over(self, at_utc: datetime) -> Delivery:
        """The same delivery after success."""
        return self.model_copy(update={"sent_at_utc": at_utc, "error": None})
