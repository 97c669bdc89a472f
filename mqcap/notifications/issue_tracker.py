"""Issue trackers that keep one record per ticket: the part that Jira and ServiceNow share."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from mqcap.domain.problem import AcknowledgementKind
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import (
    TicketResponse,
    last_response,
    ticket_in_description,
)
from mqcap.notifications.ticket_delivery import is_material


class IssueRecord(NamedTuple):
    """Record of the tracker in its present state."""

    key: str
    """Identifier for changes."""
    reference: str
    """Reference that people use."""
    description: str
    is_done: bool
    state_note: str = ""
    """The state in words when it shows that people work on it or closed it; else empty."""


class IssueTracker(Protocol):
    """The requests of one tracker. Each raises ServiceUnavailable or ConfigurationError."""

    name: str

    def find(self, ticket: Ticket) -> IssueRecord | None:
        """Return the newest record with the ticket's label; ``None`` without one."""

    def create(self, ticket: Ticket) -> str:
        """Create a record and return its reference."""

    def update(self, record: IssueRecord, ticket: Ticket) -> None:
        """Write the ticket's fields and a comment in one request."""

    def reopen(self, record: IssueRecord, ticket: Ticket) -> None:
        """Write the ticket's fields and a comment, and open it again."""

    def resolve(self, record: IssueRecord, ticket: Ticket) -> None:
        """Close it with a comment that its problems are resolved."""

    def comments(self, record: IssueRecord, ticket: Ticket) -> Iterable[tuple[str, str]]:
        """Return text and author of each comment, oldest first."""


class IssueTrackerBackend:
    """A ticket backend with one open record per ticket, edited on material changes only."""

    def __init__(self, records: IssueTracker) -> None:
        self._records = records
        self.name = records.name

    def open_or_update(self, ticket: Ticket) -> str:
        """Return the reference of the ticket's record, which is created when there is none."""
        record = self._records.find(ticket)
        if record is None:
            return self._records.create(ticket)
        before = ticket_in_description(record.description, ticket)
        if record.is_done:
            # closed by people in this episode: it stays closed; of an older one: a new record
            if not (before and before.first_seen_date == ticket.first_seen_date):
                return self._records.create(ticket)
            if ticket.reopen or ticket.grown:
                self._records.reopen(record, ticket)
        elif before is None or is_material(before, ticket):
            self._records.update(record, ticket)
        return record.reference

    def close(self, ticket: Ticket) -> None:
        """Close the record unless it is closed already."""
        record = self._records.find(ticket)
        if record is not None and not record.is_done:
            self._records.resolve(record, ticket)

    def response(self, ticket: Ticket) -> TicketResponse | None:
        """Return the last response in comments, else the one that the record's state implies."""
        record = self._records.find(ticket)
        if record is None:
            return None
        response = last_response(self._records.comments(record, ticket))
        if response is None and record.state_note:
            return TicketResponse(kind=AcknowledgementKind.acknowledged, note=record.state_note)
        return response


def reopening_text(ticket: Ticket) -> str:
    """Return the comment with which a record is opened again."""
    why = "the problem is back" if ticket.reopen else "another problem of the resource"
    return f"Reopened: {why}.\n\n{ticket.comment}"
