"""Text of others on a terminal or in a log: it must not move the cursor."""

from __future__ import annotations

import re
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(text: str) -> str:
    """Text without control characters but the ends of lines and tabs."""
    return _CONTROL.sub("?", text)
