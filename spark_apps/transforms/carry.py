"""How long a storage message is believed, for the workers too, which do without Spark's SQL."""

from __future__ import annotations

from typing import Final

CARRY_HOURS: Final = 2
"""The value of a storage message is believed until the next one, but not over a longer gap than
this (ours)."""
