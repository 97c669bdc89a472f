"""Send a message to a mail server by SMTP, or write it into a folder."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mqcap.domain.delivery import Refusals
from mqcap.domain.errors import (
    CapacityError,
    ConfigurationError,
    OutcomeUnknown,
    ServiceUnavailable,
)
from mqcap.files import write_bytes
from mqcap.settings import SmtpServer

if TYPE_CHECKING:
    from typing_extensions import Buffer

_PERMANENT_FROM: Final = 500
"""First SMTP reply code after which a retry is useless (RFC 5321, section 4.2.1)."""
_CLOSING: Final = 421
"""The server ends the conversation; what it said of addresses before does not count."""
_GO_ON: Final = 354
_NEWLINE: Final = b"\r\n"
_LEADING_DOT: Final = re.compile(rb"^\.", re.MULTILINE)


class MailServer(NamedTuple):
    """A mail server that somebody else connects to, such as Airflow with its connection."""

    address: str
    connect: Callable[[], smtplib.SMTP]
    """Connect and sign in."""
    final_reply_seconds: float = SmtpServer.model_fields["final_reply_seconds"].default


Target = SmtpServer | MailServer | Path


def send(
    message: EmailMessage,
    target: Target,
    before_end: Callable[[], None] = lambda: None,
    only_to: Sequence[str] = (),
) -> Refusals | None:
    """Send a message to a mail server, or write it into a folder as ``.eml``.

    ``before_end`` is called when the server has the text except for the line that ends it: until
    then it delivers nothing (RFC 5321, section 4.1.1.4). ``only_to`` are the addresses that are to
    get it, when not all are. Returns those that the server refused, with its reply.

    Raises ServiceUnavailable when the server does not answer or asks to try later, its subclass
    OutcomeUnknown when it did not reply to the end of the text, ConfigurationError when it refuses.
    """
    if isinstance(target, Path):
        _write(message, target)
        return None
    with _translated(target), _signed_in(target) as connection:
        end = partial(_data, connection, before_end, target.final_reply_seconds)
        connection.data = end  # type: ignore[method-assign]  # the end of the text is ours
        try:
            refused = connection.send_message(message, to_addrs=only_to or None)
        except smtplib.SMTPRecipientsRefused as error:
            replies = _replies(error.recipients)
            if any(code == _CLOSING for code, _ in error.recipients.values()):
                raise smtplib.SMTPResponseException(_CLOSING, str(replies)) from error
            return Refusals(replies, is_taken=False)
        return Refusals(_replies(refused), is_taken=True) if refused else None


def _write(message: EmailMessage, folder: Path) -> None:
    local = str(message["Message-ID"]).strip("<>").partition("@")[0]
    try:
        # day and hash
        write_bytes(folder / f"{local.removeprefix('mqcap.')}.eml", message.as_bytes())
    except OSError as error:
        raise ServiceUnavailable(
            f"the mail folder {folder} cannot be written",
            found=str(error),
            remedy="Make room or correct alerts.mail_folder; then run the step again.",
        ) from error


def _data(
    connection: smtplib.SMTP,
    before_end: Callable[[], None],
    final_reply_seconds: float,
    msg: Buffer | str,
) -> tuple[int, bytes]:
    """Send the text, call back, send its end; return the server's reply."""
    code, reply = connection.docmd("data")
    if code != _GO_ON:
        raise smtplib.SMTPDataError(code, reply)
    text = _LEADING_DOT.sub(b"..", msg.encode("ascii") if isinstance(msg, str) else bytes(msg))
    connection.send(text if text.endswith(_NEWLINE) else text + _NEWLINE)
    try:
        before_end()
    except BaseException:
        connection.close()  # without the end of the text the server delivers nothing
        raise
    usual_seconds = connection.sock.gettimeout() if connection.sock else None
    try:
        if connection.sock is not None:
            # a server may take minutes to confirm the text (RFC 5321, 4.5.3.2.6); a shorter
            # timeout would make the outcome unknown
            connection.sock.settimeout(final_reply_seconds)
        code, reply = connection.docmd(".")
        if connection.sock is not None:
            connection.sock.settimeout(usual_seconds)
    except (OSError, smtplib.SMTPServerDisconnected) as error:
        raise OutcomeUnknown(
            "the mail server received the complete email and did not confirm it",
            found=str(error) or type(error).__name__,
            expected="a reply to the end of the text",
            remedy="It is not sent again, because it may have been delivered: the next day's "
            "mail repeats its alerts. Ask the recipients; `mqcap outbox resend`, or `confirm`.",
        ) from error
    return code, reply


def try_server(server: SmtpServer) -> None:
    """Connect and sign in to a mail server; send nothing. Raises as ``send``."""
    with _translated(server), _signed_in(server) as connection:
        connection.noop()


@contextmanager
def _signed_in(server: SmtpServer | MailServer) -> Iterator[smtplib.SMTP]:
    """Connect and sign in; what a server says to its end changes nothing of what it took."""
    connection = server.connect() if isinstance(server, MailServer) else _connected(server)
    try:
        yield connection
        with suppress(OSError):  # also each error of smtplib
            connection.quit()
    finally:
        connection.close()


def _connected(server: SmtpServer) -> smtplib.SMTP:
    where, seconds = (server.host, server.port), server.timeout_seconds
    context = ssl.create_default_context() if server.tls or server.starttls else None
    if server.tls:
        connection: smtplib.SMTP = smtplib.SMTP_SSL(*where, timeout=seconds, context=context)
    else:
        connection = smtplib.SMTP(*where, timeout=seconds)
    try:
        if server.starttls:
            connection.starttls(context=context)
        if server.user is not None:
            secret = server.password.get_secret_value() if server.password else ""
            connection.login(server.user, secret)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _translated(server: SmtpServer | MailServer) -> Iterator[None]:
    """Turn what a mail server refuses, and its silence, into errors of ours."""
    place = server.address if isinstance(server, MailServer) else f"{server.host}:{server.port}"
    address = f"mail server {place}"
    try:
        yield
    except smtplib.SMTPResponseException as error:
        raise _refused(address, error.smtp_code, _text(error.smtp_error)) from error
    except smtplib.SMTPNotSupportedError as error:
        raise _refused(address, _PERMANENT_FROM, str(error)) from error
    except (OSError, smtplib.SMTPException) as error:
        raise ServiceUnavailable(
            f"{address} does not answer",
            found=str(error) or type(error).__name__,
            expected="a server that accepts mail",
            remedy="Start it or correct the address; a rerun sends the email from the outbox.",
        ) from error


def _refused(address: str, code: int, reason: str) -> CapacityError:
    kind = ConfigurationError if code >= _PERMANENT_FROM else ServiceUnavailable
    return kind(
        f"{address} refused the email",
        found=f"{code} {reason}",
        remedy="Correct the login or the sender (alerts.mail_from)."
        if kind is ConfigurationError
        else "The email stays in the outbox; run the step again.",
    )


def _replies(refused: Mapping[str, tuple[int, bytes]]) -> dict[str, str]:
    return {
        address: " ".join(f"{code} {_text(reply)}".split())
        for address, (code, reply) in refused.items()
    }


def _text(reply: bytes | str) -> str:
    return reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
