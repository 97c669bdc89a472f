"""What a form of the page sent: its fields, read once it is sure that the page itself sent it.

A browser says where a request comes from; a page of another site must not act for the reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs, urlsplit

from fastapi import HTTPException, Request

MAX_BYTES: Final = 8_192
_OWN_SITES: Final = frozenset({"same-origin", "none"})


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a form by name, without surrounding blanks; empty ones are left out.

    Refuses what another site sent, and large bodies.
    """
    if not is_own(request.headers):
        raise HTTPException(403, "This form was sent by another site.")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BYTES:
            raise HTTPException(413, f"A form has at most {MAX_BYTES} bytes.")
    fields = parse_qs(body.decode("utf-8", "replace"))
    return {name: values[0].strip() for name, values in fields.items()}


def is_own(headers: Mapping[str, str]) -> bool:
    """Whether a request comes from the page itself.

    Browsers of today send ``Sec-Fetch-Site``; older ones ``Origin``. A client that sends neither
    is no browser and must bring a token of its own, which another site cannot make it send.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in _OWN_SITES
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc == headers.get("host")
    return headers.get("authorization", "").casefold().startswith("bearer ")
