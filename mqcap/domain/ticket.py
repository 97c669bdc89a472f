"""Tickets: one open record in the site's tracker per problem."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from mqcap.domain.finding import Severity


class TicketState(StrEnum):
    """Whether somebody still has to look at it."""

    open = "open"
    closed = "closed"


class Ticket(BaseModel):
    """A problem as the tracker shows it; ``dedupe_key`` is ``rule_id/subject`` of its leader."""

    model_config = ConfigDict(frozen=True)

    dedupe_key: str
    severity: Severity
    title: str
    body: str
    """Plain text: figures, arithmetic, recommended change, citation."""
    news: str = ""
    """What is new, for a comment; not remembered in the store."""
    state: TicketState = TicketState.open
    due_date: date | None = None
    first_seen_date: date
    last_seen_date: date
    external_ref: str = ""
    members: tuple[str, ...] = ()
    """Keys of all problems that it is about; empty for tickets of older versions."""
    previous_ref: str = ""
    """Reference of the ticket of the episode before, when that was too long ago to reopen it."""
    reopen: bool = False
    """Whether we have closed it in this episode and it is to be opened again."""
    told_date: date | None = None
    """The last day of which it has news; not remembered in the store."""
    tried: bool = False
    """Whether an earlier try may have reached the tracker without our knowing."""

    @property
    def comment(self) -> str:
        """What to write into the tracker on a material change."""
        return self.news or self.body
