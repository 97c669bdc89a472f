"""Sending a message, over a real SMTP conversation or into a folder."""

import smtplib
from email.message import EmailMessage
from pathlib import Path

import pytest
from pydantic import SecretStr

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.notifications import email_message
from mqcap.notifications.digest import Digest
from mqcap.notifications.email_message import subject_line
from mqcap.notifications.smtp import send, try_server
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.certificate import loopback_certificate
from tests.mqcap.notifications.smtp_server import smtp_server

pytestmark = pytest.mark.thorough
RIGHT, WRONG = ({"user": "mqcap", "password": SecretStr(word)} for word in ("right", "nope"))


def message(notice: Digest | None = None) -> EmailMessage:
    return email_message.render(notice or builders.estate_digest(), builders.MESSAGE_CONTEXT)


def test_a_mail_arrives_with_both_texts_and_every_chart() -> None:
    notice = builders.estate_digest()
    key = notice.groups[0].resource
    mail = email_message.render(notice, builders.MESSAGE_CONTEXT, charts={key: b"\x89PNG one"})
    with smtp_server() as (server, mailbox):
        send(mail, server)
    [arrived] = mailbox.mails
    assert arrived["Subject"] == subject_line(notice)
    assert mailbox.recipients == [["planners@example.com", "mq-team@example.com"]]
    kinds = " ".join(part.get_content_type() for part in arrived.walk())
    assert kinds == "multipart/alternative text/plain multipart/related text/html image/png"
    picture = list(arrived.walk())[-1]
    assert picture.get_payload(decode=True) == b"\x89PNG one"
    rich = arrived.get_body(("html",))
    assert rich is not None
    assert f"cid:{str(picture['Content-ID']).strip('<>')}" in rich.get_content()


def test_what_a_server_says_of_addresses_when_it_closes_the_conversation_does_not_count() -> None:
    with smtp_server() as (server, mailbox):
        mailbox.refused_recipients = {"mq-team@example.com": "421 shutting down"}
        with pytest.raises(ServiceUnavailable, match="421"):
            send(message(), server)
    assert mailbox.mails == []


def test_a_mail_that_was_taken_stays_so_whatever_the_server_says_to_its_end() -> None:
    with smtp_server() as (server, mailbox):
        mailbox.last_reply = "421 too late"
        assert send(message(), server) is None
    assert len(mailbox.mails) == 1


def test_a_login_is_used_and_a_wrong_one_is_a_configuration_error() -> None:
    with smtp_server(password="right") as (server, mailbox):
        send(message(), server.model_copy(update=RIGHT))
        assert len(mailbox.mails) == 1
        with pytest.raises(ConfigurationError, match="535") as raised:
            send(message(), server.model_copy(update=WRONG))
    assert "nope" not in str(raised.value)
    assert mailbox.logins[0] == "mqcap"
    assert set(mailbox.logins[1:]) == {"refused"}


@pytest.mark.parametrize("way", ["starttls", "tls"])
def test_an_encrypted_server_is_used_when_its_certificate_is_trusted(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted, context = loopback_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    starttls, tls = (context, None) if way == "starttls" else (None, context)
    with smtp_server(starttls=starttls, tls=tls) as (server, mailbox):
        send(message(), server)
    assert len(mailbox.mails) == 1


def test_a_certificate_without_a_trusted_issuer_is_refused(tmp_path: Path) -> None:
    _, context = loopback_certificate(tmp_path)
    with (
        smtp_server(starttls=context) as (server, mailbox),
        pytest.raises(ServiceUnavailable, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        send(message(), server)
    assert mailbox.mails == []


def test_a_server_without_starttls_is_a_configuration_error() -> None:
    with smtp_server() as (server, _), pytest.raises(ConfigurationError, match="STARTTLS"):
        send(message(), server.model_copy(update={"starttls": True}))


def test_a_plain_server_asked_for_tls_does_not_answer() -> None:
    with smtp_server() as (server, _), pytest.raises(ServiceUnavailable, match="does not answer"):
        send(message(), server.model_copy(update={"tls": True, "timeout_seconds": 5.0}))


def test_a_folder_that_cannot_be_written_is_service_unavailable(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    with pytest.raises(ServiceUnavailable, match="mail folder"):
        send(message(), blocked)


def test_an_error_of_the_program_itself_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise KeyError

    monkeypatch.setattr(smtplib.SMTP, "send_message", broken)
    with smtp_server() as (server, _mailbox), pytest.raises(KeyError):
        send(message(), server)


def test_a_server_is_tried_with_its_login_and_gets_no_mail() -> None:
    with smtp_server(password="right") as (server, mailbox):
        try_server(server.model_copy(update=RIGHT))
        with pytest.raises(ConfigurationError, match="535"):
            try_server(server.model_copy(update=WRONG))
    assert mailbox.mails == []
    with pytest.raises(ServiceUnavailable, match="does not answer"):
        try_server(server)
