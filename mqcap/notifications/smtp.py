"""Send a message to a mail server by SMTP, or write it into a folder."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mqcap.domain.atomic import write_bytes
from mqcap.domain.errors import (
    CapacityError,
    ConfigurationError,
    OutcomeUnknown,
    ServiceUnavailable,
)
from mqcap.settings import SmtpServer

if TYPE_CHECKING:
    from typing_extensions import Buffer

_PERMANENT_FROM: Final = 500
"""First SMTP reply code after which a retry is useless (RFC 5321, section 4.2.1)."""
_GO_ON: Final = 354
_NEWLINE: Final = b"\r\n"
_LEADING_DOT: Final = re.compile(rb"^\.", re.MULTILINE)

Target = SmtpServer | Path


def send(
    message: EmailMessage, target: Target, before_end: Callable[[], None] = lambda: None
) -> None:
    """Send a message to a mail server, or write it into a folder as ``.eml``.

    ``before_end`` is called when the server has received the text except for the line that ends
    it: until then it delivers nothing (RFC 5321, section 4.1.1.4), afterwards it may have.

    Raises ServiceUnavailable when the server does not answer or asks to try later, its subclass
    OutcomeUnknown when it received the end of the text and did not reply to it, and
    ConfigurationError when it refuses permanently (login, addresses).
    """
    if isinstance(target, Path):
        _write(message, target)
    else:
        _send(message, target, before_end)


def eml_name(message: EmailMessage) -> str:
    """Return the file name of a message: its day and hash, from the Message-ID."""
    local = str(message["Message-ID"]).strip("<>").partition("@")[0]
    return f"{local.removeprefix('mqcap.')}.eml"


def _write(message: EmailMessage, folder: Path) -> None:
    target = folder / eml_name(message)
    try:
        write_bytes(target, message.as_bytes())
    except OSError as error:
        raise ServiceUnavailable(
            f"the mail folder {folder} cannot be written",
            found=str(error),
            remedy="Make room or correct alerts.mail_folder; then run the step again.",
        ) from error


class _Client(smtplib.SMTP):
    """A client that calls back before it sends the end of the text."""

    before_end: Callable[[], None]
    final_reply_seconds: float

    def data(self, msg: Buffer | str) -> tuple[int, bytes]:
        """Send the text, call back, send its end; return the server's reply."""
        code, reply = self.docmd("data")
        if code != _GO_ON:
            raise smtplib.SMTPDataError(code, reply)
        text = _LEADING_DOT.sub(b"..", msg.encode("ascii") if isinstance(msg, str) else bytes(msg))
        self.send(text if text.endswith(_NEWLINE) else text + _NEWLINE)
        try:
            self.before_end()
        except BaseException:
            self.close()  # without the end of the text the server delivers nothing
            raise
        if self.sock is not None:
            # a server may take minutes to confirm the text (RFC 5321, 4.5.3.2.6); a shorter
            # timeout would make the outcome unknown
            self.sock.settimeout(self.final_reply_seconds)
        return self._end()

    def _end(self) -> tuple[int, bytes]:
        try:
            return self.docmd(".")
        except (OSError, smtplib.SMTPServerDisconnected) as error:
            raise OutcomeUnknown(
                "the mail server received the complete email and did not confirm it",
                found=str(error) or type(error).__name__,
                expected="a reply to the end of the text",
                remedy="It is not sent again, because it may have been delivered: the next day's "
                "mail repeats its alerts. Ask the recipients; `mqcap outbox resend`, or `confirm`.",
            ) from error


class _TlsClient(_Client, smtplib.SMTP_SSL):
    """The same client with TLS from the start of the connection."""


def try_server(server: SmtpServer) -> None:
    """Connect and sign in to a mail server; send nothing.

    Raises as ``send``.
    """
    with _translated(server), _connect(server) as connection:
        _sign_in(connection, server)
        connection.noop()


def _send(message: EmailMessage, server: SmtpServer, before_end: Callable[[], None]) -> None:
    with _translated(server), _connect(server) as connection:
        connection.before_end = before_end
        connection.final_reply_seconds = server.final_reply_seconds
        _sign_in(connection, server)
        connection.send_message(message)


def _sign_in(connection: smtplib.SMTP, server: SmtpServer) -> None:
    if server.starttls:
        connection.starttls(context=ssl.create_default_context())
    if server.user is not None:
        secret = server.password.get_secret_value() if server.password else ""
        connection.login(server.user, secret)


@contextmanager
def _translated(server: SmtpServer) -> Iterator[None]:
    """Turn what a mail server refuses, and its silence, into errors of ours."""
    address = f"mail server {server.host}:{server.port}"
    try:
        yield
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        raise _refused(address, min(codes), f"recipients {sorted(error.recipients)}") from error
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


def _connect(server: SmtpServer) -> _Client:
    if server.tls:
        return _TlsClient(
            server.host,
            server.port,
            timeout=server.timeout_seconds,
            context=ssl.create_default_context(),
        )
    return _Client(server.host, server.port, timeout=server.timeout_seconds)


def _refused(address: str, code: int, reason: str) -> CapacityError:
    kind = ConfigurationError if code >= _PERMANENT_FROM else ServiceUnavailable
    return kind(
        f"{address} refused the email",
        found=f"{code} {reason}",
        remedy="Correct the login or the addresses (alerts.mail_from, alerts.mail_to)."
        if kind is ConfigurationError
        else "The email stays in the outbox; run the step again.",
    )


def _text(reply: bytes | str) -> str:
    return reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
