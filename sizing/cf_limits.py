"""Limits on the busy share of a coupling facility's engines (MP16, when to add engines)."""

from typing import Final

BUSY_MAX_ONE_ENGINE_PCT: Final = 30
"""With one engine, for any period of time."""
BUSY_MAX_PCT: Final = 60
"""With several; stated once without an engine count (F-38)."""


def busy_max_pct(engines: float) -> int:
    """Return the limit for a number of engines."""
    return BUSY_MAX_ONE_ENGINE_PCT if engines <= 1 else BUSY_MAX_PCT


ENGINES_MAX: Final = 16
"""Of one CF image up to CFCC level 25, and with shared engines at 26 (IBM Z, PR/SM Planning)."""
