"""What we write into a tracker's record to know it again, and what people answer there."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.finding import Severity
from mqcap.domain.problem import AcknowledgementKind
from mqcap.domain.ticket import Ticket

LABEL_DIGITS: Final = 16
HOW_TO_ACKNOWLEDGE: Final = (
    'Answer by a comment that begins with "accepted risk until YYYY-MM-DD", "known project NAME", '
    '"false alarm" or "acknowledged".'
)

_STATE_LINE: Final = re.compile(
    r"mqcap: severity=(?P<severity>\w+) due=(?P<due>[\d-]+|none) since=(?P<since>[\d-]+)"
    r"(?: told=(?P<told>[\d-]+))?"
)
_LINE: Final = re.IGNORECASE | re.MULTILINE
_ANSWERS: Final = (
    (
        AcknowledgementKind.accepted_until,
        re.compile(r"^\s*(?:accepted risk|risk accepted) until (\d{4}-\d\d-\d\d)\b.*$", _LINE),
    ),
    (AcknowledgementKind.known_project, re.compile(r"^\s*known project\b.*$", _LINE)),
    (AcknowledgementKind.false_alarm, re.compile(r"^\s*false alarm\b.*$", _LINE)),
    (AcknowledgementKind.acknowledged, re.compile(r"^\s*acknowledged\b.*$", _LINE)),
)
_NOTE_LENGTH: Final = 200


class TicketResponse(BaseModel):
    """What people said about a ticket."""

    model_config = ConfigDict(frozen=True)

    kind: AcknowledgementKind
    until_date: date | None = None
    note: str = ""
    who: str = ""


def label_of(ticket: Ticket) -> str:
    """The label by which a record is found again, the same for the same problem."""
    digest = hashlib.sha256(ticket.dedupe_key.encode()).hexdigest()
    return f"mqcap-{digest[:LABEL_DIGITS]}"


def description_of(ticket: Ticket) -> str:
    """The body with the ticket before it, and a last line that says what was told."""
    due = ticket.due_date.isoformat() if ticket.due_date else "none"
    lines = [ticket.body]
    if ticket.previous_ref:
        lines.append(f"Previous ticket: {ticket.previous_ref}")
    since, told = ticket.first_seen_date, ticket.notified_date or ticket.first_seen_date
    lines.append(f"mqcap: severity={ticket.severity} due={due} since={since} told={told}")
    return "\n\n".join(lines)


def ticket_in_description(description: str, ticket: Ticket) -> Ticket | None:
    """The ticket as its record last said it, or ``None`` when people removed the line."""
    lines = _STATE_LINE.findall(description)
    if not lines:
        return None
    severity, due, since, told = lines[-1]
    try:
        return ticket.model_copy(
            update={
                "severity": Severity(severity),
                "due_date": None if due == "none" else date.fromisoformat(due),
                "first_seen_date": date.fromisoformat(since),
                "notified_date": date.fromisoformat(told or since),
            }
        )
    except ValueError:
        return None


def parse_response(text: str, who: str = "") -> TicketResponse | None:
    """The answer in a comment, or ``None``; a date that does not exist is no answer."""
    for kind, pattern in _ANSWERS:
        found = pattern.search(text)
        if found is None:
            continue
        note = " ".join(found[0].split())[:_NOTE_LENGTH]
        if kind is not AcknowledgementKind.accepted_until:
            return TicketResponse(kind=kind, note=note, who=who)
        try:
            until = date.fromisoformat(found[1])
        except ValueError:
            continue
        return TicketResponse(kind=kind, until_date=until, note=note, who=who)
    return None


def last_response(comments: Iterable[tuple[str, str]]) -> TicketResponse | None:
    """The last answer in comments given as text and author, oldest first."""
    found = [answer for text, who in comments if (answer := parse_response(text, who)) is not None]
    return found[-1] if found else None
