"""The outbox: one delivery per day and recipient list, whatever happens in between."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.finding import Severity
from mqcap.notifications import email_message
from mqcap.notifications.digest import Digest, digest
from mqcap.notifications.outbox import (
    DeliveryOutcome,
    MailHandler,
    OutboxRepository,
    drain,
    enqueue,
    plan_mail,
)
from mqcap.notifications.smtp import eml_name
from mqcap.notifications.ticket_delivery import replayed_tickets
from mqcap.settings import AlertSettings, SmtpServer
from tests import factories
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.smtp_server import smtp_server

pytestmark = pytest.mark.thorough


AT = datetime(2026, 3, 3, 6, tzinfo=UTC)


class Remembered:
    def __init__(self) -> None:
        self.rows: dict[str, Delivery] = {}

    @property
    def journal(self) -> OutboxRepository:
        return OutboxRepository(load=self.rows.get, save=self._save, waiting=self._waiting)

    @property
    def only(self) -> Delivery:
        [row] = self.rows.values()
        return row

    def _save(self, delivery: Delivery) -> None:
        self.rows[delivery.delivery_id] = delivery

    def _waiting(self) -> list[Delivery]:
        return [row for row in self.rows.values() if row.stage in {Stage.pending, Stage.posting}]


def message(said: Digest | None = None) -> EmailMessage:
    return email_message.render(said or builders.estate_digest(), builders.MESSAGE_CONTEXT)


def run(
    memory: Remembered,
    target: SmtpServer | Path,
    *,
    said: Digest | None = None,
    replay: bool = False,
) -> DeliveryOutcome:
    said = said or builders.estate_digest()
    letter = message(said)
    planned = plan_mail(said, letter, replay=replay)
    queued = enqueue(planned, memory.journal)
    drained = drain(memory.journal, {Channel.mail: MailHandler(target)}, lambda: AT)
    if drained.failure is not None:
        raise drained.failure
    return drained.outcomes.get(planned.delivery_id, queued)


def unused_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


def test_a_rerun_of_the_day_sends_nothing_again() -> None:
    memory = Remembered()
    with smtp_server() as (server, mailbox):
        assert run(memory, server) is DeliveryOutcome.sent
        assert run(memory, server) is DeliveryOutcome.already_sent
    assert len(mailbox.mails) == 1
    assert memory.only.sent_at_utc == AT


def test_a_rerun_with_another_problem_is_sent_and_one_with_other_figures_is_not() -> None:
    memory = Remembered()
    first, other = factories.finding(), factories.finding("PLEX1/CSQ2")
    with smtp_server() as (server, mailbox):
        run(memory, server, said=digest(builders.results([first])))
        moved = digest(builders.results([factories.finding(observed=1.21, headroom_ratio=-1.2)]))
        assert run(memory, server, said=moved) is DeliveryOutcome.already_sent
        more = digest(builders.results([first, other]))
        assert run(memory, server, said=more) is DeliveryOutcome.sent
        watch = factories.finding(severity=Severity.watch)
        assert (
            run(memory, server, said=digest(builders.results([watch, other])))
            is DeliveryOutcome.sent
        )
    assert len(mailbox.mails) == 3
    assert len({email_message["Message-ID"] for email_message in mailbox.mails}) == 3


def test_another_recipient_list_is_another_delivery() -> None:
    said = builders.estate_digest()
    others = builders.MESSAGE_CONTEXT.model_copy(update={"mail_to": ("other@example.com",)})
    first = plan_mail(said, message(said), replay=False)
    second = plan_mail(said, email_message.render(said, others), replay=False)
    assert first.delivery_id != second.delivery_id
    assert second.recipient == "other@example.com"


def test_a_replay_stores_what_it_would_have_said_and_sends_nothing() -> None:
    memory = Remembered()
    with smtp_server() as (server, mailbox):
        assert run(memory, server, replay=True) is DeliveryOutcome.stored_only
        assert run(memory, server, replay=True) is DeliveryOutcome.stored_only
        assert mailbox.mails == []
        assert memory.only.replay
        assert not memory.only.sent
        assert "LOG-FILL-30MIN" in memory.only.content
        assert run(memory, server) is DeliveryOutcome.sent
        sent = memory.only
        assert run(memory, server, replay=True) is DeliveryOutcome.already_sent
    assert memory.only == sent
    assert len(mailbox.mails) == 1


def test_a_replay_stores_its_tickets_too() -> None:
    new = digest(builders.results([factories.finding()]))
    [planned] = replayed_tickets(new, AlertSettings())
    assert planned.channel is Channel.ticket
    assert planned.recipient == "LOG-FILL-30MIN/PLEX1/CSQ1"
    assert planned.replay
    assert planned.stage is Stage.replayed
    assert not planned.sent


def test_a_server_that_is_down_is_named_remembered_and_tried_again() -> None:
    memory = Remembered()
    port = unused_port()
    with pytest.raises(ServiceUnavailable, match=f"127.0.0.1:{port}"):
        run(memory, SmtpServer(host="127.0.0.1", port=port))
    assert f"127.0.0.1:{port}" in (memory.only.error or "")
    assert not memory.only.sent
    with smtp_server() as (server, mailbox):
        assert run(memory, server) is DeliveryOutcome.sent
    assert memory.only.error is None
    assert len(mailbox.mails) == 1


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("451 try later", ServiceUnavailable),
        ("452 disk full", ServiceUnavailable),
        ("554 no such mail here", ConfigurationError),
    ],
)
def test_a_refusal_is_retried_only_when_the_server_says_so(
    reply: str, error: type[CapacityError]
) -> None:
    memory = Remembered()
    with smtp_server() as (server, mailbox):
        mailbox.replies = [reply]
        with pytest.raises(error, match=reply.split(maxsplit=1)[0]):
            run(memory, server)
        assert reply.split(maxsplit=1)[0] in (memory.only.error or "")
        assert run(memory, server) is DeliveryOutcome.sent
    assert len(mailbox.mails) == 1


def test_without_a_server_the_mail_is_a_file_that_a_rerun_writes_the_same(tmp_path: Path) -> None:
    memory = Remembered()
    folder = tmp_path / "mail"
    assert run(memory, folder) is DeliveryOutcome.sent
    [file] = folder.iterdir()
    assert file.name == eml_name(message())
    assert file.name.startswith("2026-03-02.")
    content = file.read_bytes()
    memory.rows.clear()
    run(memory, folder)
    assert [one.read_bytes() for one in folder.iterdir()] == [content]
    assert content == message().as_bytes()
