"""The stored text of an email, split into the parts that can be shown.

The HTML part was written for mail programs, with styles of its own. It is served on an address of
its own under ``SEALED_POLICY``, so that it reaches nothing of the page.
"""

import base64
from email import message_from_string, policy
from email.message import EmailMessage

from mq_capacity_page.web.page_frame import ViewModel


class MailPreview(ViewModel):
    """Plain text and, where there is one, the HTML with its pictures inside."""

    text: str
    html: str | None = None


def mail_preview(content: str) -> MailPreview:
    """Return the parts of stored content, be it a complete message, HTML, or plain text."""
    message = message_from_string(content, policy=policy.default)
    if not isinstance(message, EmailMessage) or "content-type" not in message:
        is_html = content.lstrip()[:1] == "<"
        return MailPreview(text="" if is_html else content, html=content if is_html else None)
    plain = message.get_body(("plain",))
    rich = message.get_body(("html",))
    return MailPreview(
        text=str(plain.get_content()) if plain else "",
        html=_with_pictures(str(rich.get_content()), message) if rich else None,
    )


def _with_pictures(html: str, message: EmailMessage) -> str:
    """Replace ``cid:`` addresses by the attached pictures themselves."""
    for part in message.walk():
        name = str(part["content-id"] or "").strip("<>")
        if name and part.get_content_maintype() == "image":
            data = part.get_payload(decode=True)
            code = base64.b64encode(data if isinstance(data, bytes) else b"").decode()
            html = html.replace(f"cid:{name}", f"data:{part.get_content_type()};base64,{code}")
    return html
