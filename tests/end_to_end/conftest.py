"""A small estate and a real mail server, shared by all tests of the package."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller

from tests.end_to_end.estate import LoadedEstate, load_small_estate
from tests.spark_apps.conftest import spark

__all__ = ["spark"]


@dataclass
class Mailbox:
    port: int
    messages: list[EmailMessage] = field(default_factory=list)

    async def handle_DATA(  # noqa: N802 - the name that aiosmtpd calls
        self, server: object, session: object, envelope: object
    ) -> str:
        message = message_from_bytes(envelope.content, policy=policy.default)  # type: ignore[attr-defined]
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        return "250 OK"


@pytest.fixture(scope="package")
def mailbox() -> Iterator[Mailbox]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    box = Mailbox(port)
    server = Controller(box, hostname="127.0.0.1", port=port)
    server.start()
    yield box
    server.stop()


@pytest.fixture(scope="package")
def estate(tmp_path_factory: pytest.TempPathFactory, spark: object) -> LoadedEstate:
    return load_small_estate(tmp_path_factory.mktemp("estate"))
