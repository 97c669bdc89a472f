"""Busy share of a coupling facility's engines and its limits (MP16, when to add engines)."""

import math
from typing import Annotated, Final

from mqcap.domain.finding import Change
from mqcap.domain.numbers import figure
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import PositiveCount, UsedPercent
from sizing.rulebook.input_sources import FromEstate, FromMetric

CF_RECORD: Final = "SMF 74 subtype 4"
Busy = Annotated[UsedPercent, FromMetric("cf_busy_pct", record=CF_RECORD)]
Engines = Annotated[
    PositiveCount,
    FromEstate("engines", "D CF"),
    FromMetric("cf_engine_count", days=7, record=CF_RECORD),
]

BUSY_MAX_ONE_ENGINE_PCT: Final = 30
"""With one engine, for any period of time."""
BUSY_MAX_PCT: Final = 60
"""With several; stated once without an engine count (F-38)."""


def busy_max_pct(engines: float) -> int:
    """Return the limit for a number of engines."""
    return BUSY_MAX_ONE_ENGINE_PCT if engines <= 1 else BUSY_MAX_PCT


ENGINES_MAX: Final = 16
"""Of one CF image up to CFCC level 25, and with shared engines at 26 (IBM Z, PR/SM Planning)."""


def more_engines(used_pct: float, least: int, why: str) -> Change | None:
    """Return engines that bring so much engine time to the limit of several; none over the most."""
    wanted = max(math.ceil(used_pct / BUSY_MAX_PCT), least)
    if wanted > ENGINES_MAX:
        return None
    return Change(
        action=f"Give the CF {wanted} engines{why}: about {figure(used_pct / wanted)} % busy "
        "(first estimate, ours).",
        amount=TypedAmount.of("engines", wanted),
        side_effects="an engine of the machine, and its licence, for the CF image.",
    )
