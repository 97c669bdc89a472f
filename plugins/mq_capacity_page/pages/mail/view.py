"""The stored text of a mail, split into what can be shown safely.

The HTML part is another writer's document: it is served on an address of its own, under a
policy that lets it neither run nor fetch anything, nor send a form. Its styles stand in it, as
mail programs ask for, so this policy alone allows inline styles: in a sandbox without an origin,
where they reach nothing of ours. Reports, which are files to take along, are shown the same way.
"""

from __future__ import annotations

import base64
from email import message_from_string, policy
from email.message import EmailMessage
from typing import Final

from pydantic import BaseModel, ConfigDict

SEALED_POLICY: Final = "; ".join(
    [
        "sandbox",
        "default-src 'none'",
        "img-src data:",
        "style-src 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    ]
)


class Preview(BaseModel):
    """Plain text and, where there is one, the HTML with its pictures inside."""

    model_config = ConfigDict(frozen=True)

    text: str
    html: str | None = None


def preview(content: str) -> Preview:
    """What can be shown of the stored content, be it a whole message, HTML, or plain text."""
    message = message_from_string(content, policy=policy.default)
    if not isinstance(message, EmailMessage) or "content-type" not in message:
        is_html = content.lstrip()[:1] == "<"
        return Preview(text="" if is_html else content, html=content if is_html else None)
    plain = message.get_body(("plain",))
    rich = message.get_body(("html",))
    return Preview(
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
