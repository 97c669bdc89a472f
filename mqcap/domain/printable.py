"""Neutralise foreign text for terminals and logs: control sequences must not take effect."""

from __future__ import annotations

import re
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(text: str) -> str:
    """Return the text with control characters other than line feeds and tabs as ``?``."""
    return _CONTROL.sub("?", text)
