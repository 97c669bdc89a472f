"""Filters of text before it is shown or logged: no credentials, no control characters."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

MASK: Final = "**********"

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_USERINFO: Final = re.compile(r"(?<=://)[^/\s@'\"]*@")


def masked(text: str) -> str:
    """Return the text with user and password of each ``scheme://user:password@host`` masked."""
    return _USERINFO.sub(f"{MASK}@", text)


def holds_secret(address: str) -> bool:
    """Return True when an address contains a user or a password."""
    return _USERINFO.search(address) is not None


def place_of(address: str) -> str:
    """Return scheme, host and port; path and query may be secrets, as those of webhooks are."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return MASK
    return f"{parts.scheme}://{parts.hostname or ''}{port}"


def harmless(text: str) -> str:
    """Return the text with control characters other than line feeds and tabs as ``?``."""
    return _CONTROL.sub("?", text)
