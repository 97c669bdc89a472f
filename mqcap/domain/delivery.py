"""Deliveries: the entries of the notification outbox."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pydantic import AwareDatetime, BaseModel

TRIED_FOR: Final = timedelta(days=5)
"""Time after which an address that the server refuses "for now" is given up (RFC 5321, 4.5.4.1)."""


class Stage(StrEnum):
    """The progress of a delivery."""

    pending = "pending"
    """To be handed over: by this run, its rerun, or the run of a later day."""
    posting = "posting"
    """Being handed over: a process that dies now leaves it in this stage."""
    partly_sent = "partly_sent"
    """Taken for some of its addresses; those refused for now are tried again, alone."""
    sent = "sent"
    unconfirmed = "unconfirmed"
    """The server had the complete message when the process died or the connection closed;
    sending again could deliver it twice."""
    merged = "merged"
    """It could not be handed over; the email of a later day contained its alerts."""
    replayed = "replayed"
    """A replay stored what a live run would have sent."""


WAITING: Final = (Stage.pending, Stage.posting, Stage.partly_sent)
"""Stages that the next run settles."""


class Refusals(NamedTuple):
    """The addresses that a mail server refused."""

    replies: Mapping[str, str]
    """Its reply by address, such as ``550 5.1.1 no such user``."""
    is_taken: bool
    """Whether it took the message for others."""


class Channel(StrEnum):
    """Kind of message by which something is delivered."""

    mail = "mail"
    data = "data"
    """Email about missing records."""
    page = "page"
    """Email to the people on call."""
    ticket = "ticket"
    """An entry in the issue tracker."""


class Delivery(BaseModel, frozen=True):
    """Notification to a recipient list, or what it would have been in a replay."""

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
    refused: dict[str, str] = {}
    """The reply of the mail server by address that it refused."""

    @property
    def sent(self) -> bool:
        """True when the recipient's server took it, for one address at least."""
        return self.sent_at_utc is not None

    @property
    def refused_for_now(self) -> tuple[str, ...]:
        """Addresses that the server asked to try later (RFC 5321: replies that begin with 4)."""
        return tuple(name for name, reply in self.refused.items() if reply.startswith("4"))

    @property
    def only_to(self) -> tuple[str, ...]:
        """Addresses to which it goes now; empty for all of its own."""
        return self.refused_for_now or (tuple(self.refused) if self.sent else ())

    def handed_over(self, at_utc: datetime, refusals: Refusals | None = None) -> Delivery:
        """Return the delivery as it is after the server took it, except for refused addresses."""
        tried = self.only_to
        earlier = {name: text for name, text in self.refused.items() if tried and name not in tried}
        refused = earlier | ({} if refusals is None else dict(refusals.replies))
        is_taken = refusals is None or refusals.is_taken
        sent_at_utc = self.sent_at_utc or (at_utc if is_taken else None)
        after = self.model_copy(update={"refused": refused, "sent_at_utc": sent_at_utc})
        if sent_at_utc is None:
            stage = Stage.pending
        elif after.refused_for_now and at_utc - sent_at_utc < TRIED_FOR:
            stage = Stage.partly_sent
        else:
            stage = Stage.sent
        return after.model_copy(update={"stage": stage, "error": after.refusal})

    @property
    def refusal(self) -> str | None:
        """Every refused address with the reply, or ``None``."""
        listed = "; ".join(f"{name} ({reply})" for name, reply in sorted(self.refused.items()))
        return f"the mail server refused {listed}" if listed else None
