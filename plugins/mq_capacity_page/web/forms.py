"""Fields of a submitted form, read only if the page itself sent it (protection from CSRF).

A browser states the origin of a request; a page of another site must not act for the reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs, urlsplit

from fastapi import HTTPException, Request

MAX_BYTES: Final = 8_192
_OWN_SITES: Final = frozenset({"same-origin", "none"})


async def form_fields(request: Request) -> dict[str, str]:
    """Return the fields of a form by name, stripped; empty ones are left out.

    Raises HTTPException: 400 for a NUL character, which PostgreSQL has in no text, 403 for a form
    of another site, 413 for more than ``MAX_BYTES``.
    """
    if not is_same_site(request.headers):
        raise HTTPException(
            403, "This form was submitted by another site. Open the page and submit it there."
        )
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            raise HTTPException(413, f"A form has at most {MAX_BYTES} bytes.")
    parsed = parse_qs(body.decode("utf-8", "replace"))
    fields = {name: values[0].strip() for name, values in parsed.items()}
    if any("\0" in text for field in fields.items() for text in field):
        raise HTTPException(400, "There is a NUL character in the form.")
    return fields


def is_same_site(headers: Mapping[str, str]) -> bool:
    """Return true if a request comes from the page itself.

    Current browsers send ``Sec-Fetch-Site``, older ones ``Origin``. A client that sends neither
    is not a browser and must bring a bearer token, which another site cannot make it send.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in _OWN_SITES
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc == headers.get("host")
    return headers.get("authorization", "").casefold().startswith("bearer ")
