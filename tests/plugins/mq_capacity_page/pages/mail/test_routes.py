"""The emails of a day, and the sealed HTML part of one."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from mq_capacity_page.web.security import SEALED_POLICY
from mqcap.store.outbox import save_delivery
from tests.plugins import builder
from tests.plugins.web import TestClient, text_of


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "sent 2026-02-01 06:00 CET"),
        ({"sent_at_utc": None, "replay": True}, "replay: not sent"),
        ({"sent_at_utc": None, "error": "connection refused"}, "not sent: connection refused"),
        ({"sent_at_utc": None}, "not sent yet"),
    ],
)
def test_the_mail_page_says_what_became_of_a_mail(
    site_folder: Path, client: TestClient, changed: dict[str, object], words: str
) -> None:
    engine = builder.filled_store(site_folder)
    save_delivery(engine, builder.delivery(**changed))
    engine.dispose()
    assert words in text_of(client.get("/mail"))


def test_the_html_of_a_mail_is_served_sealed_with_its_pictures(
    site_folder: Path, filled: TestClient
) -> None:
    engine = builder.empty_store(site_folder)
    save_delivery(engine, builder.delivery(content=_mail().as_string()))
    engine.dispose()
    page = filled.get("/mail").text
    assert "sandbox" in page
    assert "<h1>Two things" not in page
    answer = filled.get("/mail-content?delivery=d1")
    assert answer.headers["content-security-policy"] == SEALED_POLICY
    assert "<h1>Two things</h1>" in answer.text
    assert 'src="data:image/png;base64,iVBORw=="' in answer.text.replace("'", '"')


def _mail() -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = "Two things"
    mail.set_content("Two things")
    mail.add_alternative('<h1>Two things</h1><img src="cid:chart1">', subtype="html")
    rich = mail.get_body(("html",))
    assert rich is not None
    rich.add_related(b"\x89PNG", "image", "png", cid="<chart1>")
    return mail
