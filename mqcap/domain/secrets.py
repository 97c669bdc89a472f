"""What of an address may be shown: never what opens it."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

MASK: Final = "**********"

_USERINFO: Final = re.compile(r"(?<=://)[^/\s@'\"]*@")


def masked(text: str) -> str:
    """Text whose addresses (``scheme://user:password@host``) have lost user and password."""
    return _USERINFO.sub(f"{MASK}@", text)


def holds_secret(address: str) -> bool:
    """Whether an address carries a user or a password."""
    return _USERINFO.search(address) is not None


def place_of(address: str) -> str:
    """Scheme, host and port: a path or a query may be a secret, as those of webhooks are."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return MASK
    return f"{parts.scheme}://{parts.hostname or ''}{port}"
