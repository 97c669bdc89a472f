"""Tickets: one record per resource; an alias is the key under which older releases wrote it."""

from datetime import date
from enum import StrEnum

from pydantic import BaseModel, Field

from mqcap.domain.finding import Severity


class TicketState(StrEnum):
    """Open while its problems are, closed afterwards."""

    open = "open"
    closed = "closed"


class Ticket(BaseModel, frozen=True, populate_by_name=True, serialize_by_alias=True):
    """The problems of one resource as the tracker shows them."""

    dedupe_key: str
    severity: Severity
    title: str
    body: str
    """Plain text: figures, arithmetic, recommended change, citation."""
    update_text: str = Field(default="", alias="news")
    """The new alerts and changes, for a comment; not a column of the ticket table."""
    state: TicketState = TicketState.open
    due_date: date | None = None
    first_seen_date: date
    last_seen_date: date
    external_ref: str = ""
    """The tracker's reference; empty until the ticket was created."""
    members: tuple[str, ...] = ()
    previous_ref: str = ""
    """Reference of the ticket of the episode before."""
    reopen: bool = False
    """True when this product closed it in this episode and it is to be opened again."""
    grown: bool = False
    """True when a problem is among its members that was not before: opened again, also when people
    closed it."""
    notified_date: date | None = Field(default=None, alias="told_date")
    """The last day whose changes it contains; not a column of the ticket table."""
    tried: bool = False
    """True when an earlier attempt may have reached the tracker without a confirmation."""

    @property
    def problem_keys(self) -> tuple[str, ...]:
        """Keys of its problems; its own key where none is named."""
        return self.members or (self.dedupe_key,)

    @property
    def comment(self) -> str:
        """Text of the comment on a material change: the changes, else the complete body."""
        return self.update_text or self.body
