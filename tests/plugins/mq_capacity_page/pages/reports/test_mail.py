"""The parts of a stored mail that can be shown."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from mq_capacity_page.pages.reports.mail import mail_preview


def message(html: str | None = None) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = "Two things"
    mail.set_content("Two things, plain")
    if html is not None:
        mail.add_alternative(html, subtype="html")
    return mail


def test_a_message_has_its_plain_and_its_html_part() -> None:
    shown = mail_preview(message("<h1>Two things</h1>").as_string())
    assert shown.text.strip() == "Two things, plain"
    assert shown.html is not None
    assert shown.html.strip() == "<h1>Two things</h1>"


def test_a_plain_message_has_no_html_part() -> None:
    assert mail_preview(message().as_string()).html is None


@pytest.mark.parametrize(
    ("content", "text", "html"),
    [
        ("One thing needs action.", "One thing needs action.", None),
        ("  <p>One</p>", "", "  <p>One</p>"),
        ("", "", None),
    ],
    ids=["text", "html", "empty"],
)
def test_content_without_headers_is_text_or_html(content: str, text: str, html: str | None) -> None:
    shown = mail_preview(content)
    assert (shown.text, shown.html) == (text, html)


def test_attached_pictures_are_embedded_in_the_html() -> None:
    mail = message('<img src="cid:chart1"><img src="cid:other">')
    rich = mail.get_body(("html",))
    assert rich is not None
    rich.add_related(b"\x89PNG", "image", "png", cid="<chart1>")
    html = mail_preview(mail.as_string()).html
    assert html is not None
    assert "data:image/png;base64,iVBORw==" in html
    assert "cid:chart1" not in html
    assert "cid:other" in html
