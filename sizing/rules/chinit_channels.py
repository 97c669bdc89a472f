"""Channels against the number that the channel initiator allows."""

import math
from typing import Annotated, Final

from mqcap.domain.finding import Change
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import Amount, Positive
from mqcap.operands.declared import SETTINGS
from sizing.rulebook.assessment import OWN_OF_CHANNELS, Reaching, spread
from sizing.rulebook.input_sources import FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16

MAXCHL_MAX: Final = SETTINGS["maxchl"].highest
CHANNEL_KIB: Final = 90
"""A message channel with 1 KB messages (CHI-FOOTPRINT-MCA)."""
ROOM_RATIO: Final = 0.8
"""Ours: the share of MAXCHL that advice leaves in use."""


@rule(
    "CHI-MAXCHL",
    "Channels against MAXCHL",
    mp16("What limits the maximum number of channels?"),
    ResourceKind.chinit_channels,
    watches="channels",
    amounts=("maxchl", TypedKind.queue_managers),
)
def chi_maxchl(
    channels: Annotated[Amount, FromMetric("channels_current_count", record="SMF 115 subtype 231")],
    maxchl: Annotated[
        Positive, FromMetric("channels_current_limit_count", record="SMF 115 subtype 231")
    ],
) -> Reaching:
    """Current channels must stay below the smaller of MAXCHL and 9,999."""
    limit = min(maxchl, MAXCHL_MAX)
    more = (
        "Raise MAXCHL if 31-bit storage allows, or spread the channels over queue managers."
        if limit < MAXCHL_MAX
        else "MAXCHL is at its maximum: spread the channels over more queue managers."
    )
    return Reaching(
        observed=channels,
        limit=limit,
        unit="channels",
        arithmetic=f"limit = min(MAXCHL {figure(maxchl)}, {figure(MAXCHL_MAX)})",
        advice="Nothing to change: more channels can start.",
        caveats=(
            "Storage may end first: see CHI-80-31BIT.",
            "A reconnect storm or a failover brings the channels of another member.",
        ),
    ).past_limit(more, lambda: _changes(channels, limit), also_near=False)


def _changes(channels: float, limit: float) -> tuple[Change, ...]:
    managers = math.ceil(channels / (ROOM_RATIO * MAXCHL_MAX))
    others = spread(managers, load="channels", each_has=OWN_OF_CHANNELS)
    if limit >= MAXCHL_MAX:
        return (others,)
    wanted = min(math.ceil(max(channels, 1) / ROOM_RATIO), MAXCHL_MAX)
    more_mib = (wanted - limit) * CHANNEL_KIB / 1_024
    raised = Change(
        action=f"Set MAXCHL to {figure(wanted)}, so that {quantity(channels, 'channels')} are "
        f"{figure(100 * ROOM_RATIO)} % of it or as near as 9,999 allow.",
        amount=TypedAmount.of("maxchl", wanted),
        side_effects=f"up to {figure(round(more_mib))} MiB of 31-bit storage if all of them "
        f"run with 1 KB messages ({CHANNEL_KIB} KB each).",
    )
    return (raised,) if channels < wanted else (raised, others)
