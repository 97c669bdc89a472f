"""Trackers that keep one record per problem: what they share, whatever they call a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.problem import AcknowledgementKind
from mqcap.domain.secrets import holds_secret
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import (
    TicketResponse,
    last_response,
    ticket_in_description,
)
from mqcap.notifications.ticket_delivery import is_material

_Options = TypeVar("_Options", bound=BaseModel)


class IssueRecord(NamedTuple):
    """One record as the tracker has it now."""

    key: str
    """By which it is changed."""
    reference: str
    """By which people call it."""
    description: str
    is_done: bool
    state_note: str = ""
    """What its state alone says of people's work on it; empty when nothing."""


class IssueTracker(Protocol):
    """The calls of one tracker. Each raises ServiceUnavailable or ConfigurationError."""

    name: str

    def find(self, ticket: Ticket) -> IssueRecord | None:
        """The newest record of the ticket's key."""

    def create(self, ticket: Ticket) -> str:
        """Make a record; its reference."""

    def update(self, record: IssueRecord, ticket: Ticket) -> None:
        """Let it say what the ticket says, with a comment, in one request."""

    def reopen(self, record: IssueRecord, ticket: Ticket) -> None:
        """The same, and open it again."""

    def resolve(self, record: IssueRecord, ticket: Ticket) -> None:
        """Say that it is settled, and close it."""

    def comments(self, record: IssueRecord, ticket: Ticket) -> Iterable[tuple[str, str]]:
        """What was written there, oldest first, each with its author."""


class IssueTrackerBackend:
    """One open record per key; only a material change edits it."""

    def __init__(self, records: IssueTracker) -> None:
        self._records = records
        self.name = records.name

    def open_or_update(self, ticket: Ticket) -> str:
        """The reference of the problem's record: found, or created when there is none."""
        record = self._records.find(ticket)
        if record is None:
            return self._records.create(ticket)
        before = ticket_in_description(record.description, ticket)
        if record.is_done:
            # closed by people in this episode: theirs to decide; an older one: a new record
            if not (before and before.first_seen_date == ticket.first_seen_date):
                return self._records.create(ticket)
            if ticket.reopen:
                self._records.reopen(record, ticket)
        elif before is None or is_material(before, ticket):
            self._records.update(record, ticket)
        return record.reference

    def close(self, ticket: Ticket) -> None:
        """Close the record unless it is closed."""
        record = self._records.find(ticket)
        if record is not None and not record.is_done:
            self._records.resolve(record, ticket)

    def answer(self, ticket: Ticket) -> TicketResponse | None:
        """What people wrote in comments, or said by the record's state."""
        record = self._records.find(ticket)
        if record is None:
            return None
        found = last_response(self._records.comments(record, ticket))
        if found is None and record.state_note:
            return TicketResponse(kind=AcknowledgementKind.acknowledged, note=record.state_note)
        return found


def options_of(model: type[_Options], options: Mapping[str, str], what: str) -> _Options:
    """The options of a tracker; raises ConfigurationError that names a wrong one, not its value."""
    if holds_secret(options.get("url", "")):
        raise ConfigurationError(
            f"alerts.ticket_options, url: {what} is addressed with a user or a password in it",
            found=options["url"],
            expected="an address without them",
            remedy="Give user and token beside it, or login and password of the connection.",
        )
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
        )
        raise ConfigurationError(
            f"alerts.ticket_options does not describe {what}",
            found=wrong,
            expected=", ".join(model.model_fields),
            remedy="Correct alerts.ticket_options (MQCAP_ALERTS__TICKET_OPTIONS__...).",
        ) from error
