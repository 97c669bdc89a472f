"""Text in a tracker's record: the marks that identify it, and the responses that people write.

A response is a comment that acknowledges a ticket; it becomes one ``Acknowledgement`` for each
problem of the ticket.
"""

import hashlib
import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from pydantic import BaseModel

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
_LINE: Final = re.IGNORECASE | re.MULTILINE
_RESPONSES: Final = (
    (
        AcknowledgementKind.accepted_until,
        re.compile(
            r"^\s*(?:accepted risk|risk accepted) until (\d{4}-\d\d-\d\d)\b(?P<reason>.*)$", _LINE
        ),
    ),
    (AcknowledgementKind.known_project, re.compile(r"^\s*known project\b(?P<reason>.*)$", _LINE)),
    (AcknowledgementKind.false_alarm, re.compile(r"^\s*false alarm\b(?P<reason>.*)$", _LINE)),
    (AcknowledgementKind.acknowledged, re.compile(r"^\s*acknowledged\b(?P<reason>.*)$", _LINE)),
)
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
    lines = [ticket.body]
    if ticket.previous_ref:
        lines.append(f"Previous ticket: {ticket.previous_ref}")
    since, notified = ticket.first_seen_date, ticket.notified_date or ticket.first_seen_date
    lines.append(f"mqcap: severity={ticket.severity} due={due} since={since} told={notified}")
    return "\n\n".join(lines)


def ticket_in_description(description: str, ticket: Ticket) -> Ticket | None:
    """Return the ticket in the state of the description's last state line.

    ``None`` when the line was removed or is not readable.
    """
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
    for kind, pattern in _RESPONSES:
        match = pattern.search(text)
        if match is None:
            continue
        note = " ".join(match[0].split())[:_NOTE_LENGTH]
        if kind is not AcknowledgementKind.accepted_until:
            return TicketResponse(kind=kind, note=note, who=who)
        try:
            until = date.fromisoformat(match[1])
        except ValueError:
            continue
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
    match = dict(_RESPONSES)[acknowledgement.kind].search(acknowledgement.note)
    return acknowledgement.note if match is None else match["reason"].strip(" :;,.-")


def last_response(comments: Iterable[tuple[str, str]]) -> TicketResponse | None:
    """Return the last response in comments, ``None`` without one.

    Comments are text and author, oldest first.
    """
    responses = [parse_response(text, who) for text, who in comments]
    return next(filter(None, reversed(responses)), None)
