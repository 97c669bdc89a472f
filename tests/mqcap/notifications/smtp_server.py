"""A real SMTP server on a free port of this machine that keeps what it is given."""

import asyncio
import ssl
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope

from mqcap.settings import SmtpServer


class Mailbox:
    """The emails that arrived, and replies to give instead of taking one."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.logins: list[str] = []
        self.replies: list[str] = []
        self.refused_recipients: dict[str, str] = {}
        self.hang_ups: list[str] = []
        """Where to drop the connection: at ``recipient``, at the ``end`` of the text before it
        is taken, or before the ``reply`` that it was taken."""
        self.last_reply = "221 bye"
        self.silent_seconds = 0.0
        """Time that the server takes to confirm a mail."""

    def hangs_up(self, server: Any, place: str) -> bool:
        """Drop the connection when the next one is to be dropped here."""
        if self.hang_ups[:1] != [place]:
            return False
        self.hang_ups.pop(0)
        server.transport.abort()
        return True

    async def handle_RCPT(  # noqa: N802 - name that aiosmtpd asks for
        self, server: Any, _session: Any, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        self.hangs_up(server, "recipient")
        if address in self.refused_recipients:
            return self.refused_recipients[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_QUIT(self, _server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802
        return self.last_reply

    async def auth_XOAUTH2(self, server: Any, args: list[str]) -> AuthResult:  # noqa: N802
        text = b64decode(args[1]).decode() if len(args) > 1 else await server.challenge_auth("")
        self.logins.append(text if isinstance(text, str) else text.decode())
        return AuthResult(success=True)

    async def handle_DATA(  # noqa: N802 - name that aiosmtpd asks for
        self, server: Any, _session: Any, envelope: Envelope
    ) -> str:
        if self.hangs_up(server, "end"):
            return "451 nobody is there to hear this"
        if self.replies:
            return self.replies.pop(0)
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        message = message_from_bytes(content, policy=policy.default)
        if isinstance(message, EmailMessage):
            self.mails.append(message)
        self.recipients.append(list(envelope.rcpt_tos))
        self.hangs_up(server, "reply")
        await asyncio.sleep(self.silent_seconds)
        return "250 taken"


class _OnAnyPort(Controller):
    """A controller that takes the port which the system gave it."""

    def _trigger_server(self) -> None:
        listening = cast("asyncio.Server", self.server)
        self.port = listening.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]  # untyped upstream


@contextmanager
def smtp_server(
    *,
    password: str | None = None,
    starttls: ssl.SSLContext | None = None,
    tls: ssl.SSLContext | None = None,
) -> Iterator[tuple[SmtpServer, Mailbox]]:
    """The settings that reach the server, and its mailbox; with login and encryption as given."""

    def authenticate(_server: Any, _session: Any, _envelope: Any, _how: str, data: Any) -> Any:
        right = password is not None and data.password == password.encode()
        mailbox.logins.append(data.login.decode() if right else "refused")
        return AuthResult(success=right, handled=right)

    mailbox = Mailbox()
    options: dict[str, Any] = {}
    if password is not None:
        options = {"authenticator": authenticate, "auth_require_tls": False}
    if starttls is not None:
        options |= {"tls_context": starttls, "require_starttls": True}
    controller = _OnAnyPort(mailbox, hostname="127.0.0.1", port=0, ssl_context=tls, **options)
    controller.start()
    try:
        yield (
            SmtpServer(
                host="127.0.0.1",
                port=controller.port,
                starttls=starttls is not None,
                tls=tls is not None,
            ),
            mailbox,
        )
    finally:
        controller.stop()
