"""Text in a tracker's record: the marks that identify it, and the responses that people write."""

import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, timedelta
from typing import Final

from pydantic import BaseModel, ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind
from mqcap.domain.ticket import Ticket

LABEL_DIGITS: Final = 16
HOW_TO_ACKNOWLEDGE: Final = (
    'To acknowledge, add a comment that begins with "accepted risk until YYYY-MM-DD", '
    '"known project NAME", "false alarm" or "acknowledged".'
)

_STATE_LINE: Final = re.compile(
    r"mqcap: severity=(?P<severity>\w+) due=(?P<due>[\d-]+|none) since=(?P<since>[\d-]+)"
    r"(?: told=(?P<told>[\d-]+))?"
)
_RESPONSES: Final = {
    kind: re.compile(rf"^\s*{words}\b(?P<reason>.*)$", re.IGNORECASE | re.MULTILINE)
    for kind, words in (
        (
            AcknowledgementKind.accepted_until,
            r"(?:accepted risk|risk accepted) until (?P<until>\d{4}-\d\d-\d\d)",
        ),
        (AcknowledgementKind.known_project, "known project"),
        (AcknowledgementKind.false_alarm, "false alarm"),
        (AcknowledgementKind.acknowledged, "acknowledged"),
    )
}
"""Patterns of the responses, in the order in which a comment is searched for them."""
_NOTE_LENGTH: Final = 200


class TicketResponse(BaseModel, frozen=True):
    """A person's response to a ticket, not yet recorded as acknowledgement of its problems."""

    kind: AcknowledgementKind
    until_date: date | None = None
    note: str = ""
    who: str = ""


def label_of(ticket: Ticket) -> str:
    """Return the label by which a record is found again, the same for the same problem."""
    digest = hashlib.sha256(ticket.dedupe_key.encode()).hexdigest()
    return f"mqcap-{digest[:LABEL_DIGITS]}"


def description_of(ticket: Ticket) -> str:
    """Return the body, the reference of the previous ticket, and a line with the ticket's state."""
    due = ticket.due_date.isoformat() if ticket.due_date else "none"
    before = [f"Previous ticket: {ticket.previous_ref}"] if ticket.previous_ref else []
    since, notified = ticket.first_seen_date, ticket.notified_date or ticket.first_seen_date
    state = f"mqcap: severity={ticket.severity} due={due} since={since} told={notified}"
    return "\n\n".join([ticket.body, *before, state])


def ticket_in_description(description: str, ticket: Ticket) -> Ticket | None:
    """Return the ticket in the state of the last state line; ``None`` without a readable one."""
    lines = _STATE_LINE.findall(description)
    if not lines:
        return None
    severity, due, since, notified = lines[-1]
    try:
        return ticket.model_copy(
            update={
                "severity": Severity(severity),
                "due_date": None if due == "none" else date.fromisoformat(due),
                "first_seen_date": date.fromisoformat(since),
                "notified_date": date.fromisoformat(notified or since),
            }
        )
    except ValueError:
        return None


def parse_response(text: str, who: str = "") -> TicketResponse | None:
    """Return the response in a comment; ``None`` without one, or for a date that does not exist."""
    for kind, pattern in _RESPONSES.items():
        match = pattern.search(text)
        if match is None:
            continue
        note = " ".join(match[0].split())[:_NOTE_LENGTH]
        until = match.groupdict().get("until")
        with suppress(ValidationError):  # of a date that does not exist
            return TicketResponse(kind=kind, until_date=until, note=note, who=who)
    return None


def check_until(response: TicketResponse, day: date, accept_days: int) -> None:
    """Raise ConfigurationError for a risk that is accepted until a day that is over or far away."""
    last = day + timedelta(days=accept_days)
    if response.until_date is not None and not day <= response.until_date <= last:
        raise ConfigurationError(
            "a risk cannot be accepted until that day",
            found=str(response.until_date),
            expected=f"a day from {day} to {last} (alerts.accept_days: {accept_days})",
            remedy="Accept it until then, and again later; or write false alarm or known project.",
        )


def reason_of(acknowledgement: Acknowledgement) -> str:
    """Return what a person wrote after the words that acknowledge; empty for these alone."""
    match = _RESPONSES[acknowledgement.kind].search(acknowledgement.note)
    return acknowledgement.note if match is None else match["reason"].strip(" :;,.-")


def last_response(comments: Iterable[tuple[str, str]]) -> TicketResponse | None:
    """Return the last response in comments (text and author, oldest first), ``None`` without."""
    responses = [parse_response(text, who) for text, who in comments]
    return next(filter(None, reversed(responses)), None)
