"""Delivery: hand a rendered mail over once per run and recipient list, and remember it.

The daily step, in full (``reads`` and ``writes`` are those of the store)::

    today = Results(site_date=day, findings=reads.findings(engine, day),
                    crossings=reads.crossings(engine, day))
    said = digest(today, before)
    if not replay:
        tickets = sync(said, page_url, backend(name, options), memory, open_tickets)
    message = render(said, letterhead, charts=pictures, references=tickets.references)
    journal = Journal(load=partial(reads.delivery, engine),
                      save=partial(writes.save_delivery, engine))
    outcome = deliver(plan(said, message, replay=replay), message, smtp or folder, journal,
                      datetime.now(UTC))
    if tickets.failure:
        raise tickets.failure
"""

from __future__ import annotations

import hashlib
import os
import smtplib
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from enum import StrEnum
from pathlib import Path
from typing import Final

from alerting.digest import Digest
from alerting.ticketing import ticket_of
from domain.delivery import Delivery
from domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from settings import SmtpServer

MAIL_CHANNEL: Final = "mail"
TICKET_CHANNEL: Final = "ticket"

_PERMANENT_FROM: Final = 500
"""First SMTP reply code that says that a retry is useless (RFC 5321, section 4.2.1)."""

Target = SmtpServer | Path


class Outcome(StrEnum):
    """What became of a mail."""

    sent = "sent"
    stored_only = "stored_only"
    """A replay: what would have been said is in the store."""
    already_sent = "already_sent"
    """The same was said in an earlier run of the day."""


@dataclass(frozen=True)
class Journal:
    """Where deliveries are remembered between runs: two functions of the store."""

    load: Callable[[str], Delivery | None]
    save: Callable[[Delivery], None]


def plan(digest: Digest, message: EmailMessage, *, replay: bool) -> Delivery:
    """The mail as a delivery that nobody has yet."""
    recipients = ", ".join(sorted(part.strip() for part in str(message["To"]).split(",")))
    return Delivery(
        delivery_id=_delivery_id(digest, MAIL_CHANNEL, recipients),
        site_date=digest.site_date,
        channel=MAIL_CHANNEL,
        recipient=recipients,
        subject_line=str(message["Subject"]),
        digest_sha256=digest.news_sha256,
        content=message.as_string(),
        replay=replay,
    )


def planned_tickets(digest: Digest, page_url: str) -> list[Delivery]:
    """What a replay would have said to the tracker: one delivery per ticket, never sent."""
    tickets = [ticket_of(problems, page_url) for problems in digest.tickets]
    return [
        Delivery(
            delivery_id=_delivery_id(digest, TICKET_CHANNEL, ticket.dedupe_key),
            site_date=digest.site_date,
            channel=TICKET_CHANNEL,
            recipient=ticket.dedupe_key,
            subject_line=ticket.title,
            digest_sha256=hashlib.sha256(ticket.model_dump_json().encode()).hexdigest(),
            content=ticket.body,
            replay=True,
        )
        for ticket in tickets
    ]


def deliver(
    planned: Delivery, message: EmailMessage, target: Target, journal: Journal, at_utc: datetime
) -> Outcome:
    """Send the message unless the same was sent before, and remember what became of it.

    A replay is only stored, and never over the record of something that was really sent. When
    the same day was told before with other problems, this is sent too; a digest that differs
    in its figures alone is not.
    Raises ServiceUnavailable or ConfigurationError after storing the error; a rerun tries
    again.
    """
    known = journal.load(planned.delivery_id)
    if known is not None and known.sent and planned.replay:
        return Outcome.already_sent
    if known is not None and known.sent and known.digest_sha256 == planned.digest_sha256:
        return Outcome.already_sent
    if planned.replay:
        journal.save(planned)
        return Outcome.stored_only
    try:
        send(message, target)
    except CapacityError as error:
        journal.save(planned.model_copy(update={"error": str(error)}))
        raise
    journal.save(planned.handed_over(at_utc))
    return Outcome.sent


def send(message: EmailMessage, target: Target) -> None:
    """Hand a message to a mail server, or write it into a folder as ``.eml``.

    Raises ServiceUnavailable when the server does not answer or asks to try later,
    ConfigurationError when it refuses for good (login, addresses).
    """
    if isinstance(target, Path):
        _write(message, target)
    else:
        _send(message, target)


def eml_name(message: EmailMessage) -> str:
    """File name of a message: the local part of its Message-ID, which begins with the day."""
    local = str(message["Message-ID"]).strip("<>").partition("@")[0]
    return f"{local.removeprefix('mqcap.')}.eml"


def _write(message: EmailMessage, folder: Path) -> None:
    target = folder / eml_name(message)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(message.as_bytes())
        temporary.replace(target)
    except OSError as error:
        raise ServiceUnavailable(
            f"the mail folder {folder} cannot be written",
            found=str(error),
            remedy="Make room or correct alerts.mail_folder; then run the step again.",
        ) from error


def _send(message: EmailMessage, server: SmtpServer) -> None:
    place = f"mail server {server.host}:{server.port}"
    try:
        with _connect(server) as connection:
            if server.starttls:
                connection.starttls(context=ssl.create_default_context())
            if server.user is not None:
                secret = server.password.get_secret_value() if server.password else ""
                connection.login(server.user, secret)
            connection.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        raise _refused(place, min(codes), f"recipients {sorted(error.recipients)}") from error
    except smtplib.SMTPResponseException as error:
        raise _refused(place, error.smtp_code, _text(error.smtp_error)) from error
    except smtplib.SMTPNotSupportedError as error:
        raise _refused(place, _PERMANENT_FROM, str(error)) from error
    except (OSError, smtplib.SMTPException) as error:
        raise ServiceUnavailable(
            f"{place} does not answer",
            found=str(error) or type(error).__name__,
            expected="a server that accepts mail",
            remedy="Start it or correct the address; the mail is kept and the rerun sends it.",
        ) from error


def _connect(server: SmtpServer) -> smtplib.SMTP:
    if server.tls:
        return smtplib.SMTP_SSL(
            server.host,
            server.port,
            timeout=server.timeout_seconds,
            context=ssl.create_default_context(),
        )
    return smtplib.SMTP(server.host, server.port, timeout=server.timeout_seconds)


def _refused(place: str, code: int, reason: str) -> CapacityError:
    kind = ConfigurationError if code >= _PERMANENT_FROM else ServiceUnavailable
    return kind(
        f"{place} refused the mail",
        found=f"{code} {reason}",
        remedy="Correct the login or the addresses (alerts.mail_from, alerts.mail_to)."
        if kind is ConfigurationError
        else "The mail is kept; run the step again.",
    )


def _text(reply: bytes | str) -> str:
    return reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply


def _delivery_id(digest: Digest, channel: str, recipient: str) -> str:
    parts = (digest.site_date.isoformat(), channel, recipient)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
