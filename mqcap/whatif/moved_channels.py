"""Effects of channels that move to another queue manager: a share of those of today.

They take their growth along, so that the same share of each later day leaves, and with it that
share of the storage above the base.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure, percent, quantity
from mqcap.judging.evaluate import DayFacts
from mqcap.unit_costs.channel_cost import ChannelCost
from mqcap.whatif.channels import COUNTS, chinit_of, message_channel
from mqcap.whatif.effects import PartEffects, SeriesChange, SeriesEffect, number, peak_of
from mqcap.whatif.learnt_costs import (
    STORAGE,
    StorageBase,
    base_without_channels,
    describes_channels,
    todays_channel,
)
from mqcap.whatif.parts import ConfigurationChange

MOVED: Final = "channels_moved"
"""Setting of channels that leave: how many of those of today."""
_BELOW: Final = "31bit"


class _Share(NamedTuple):
    """Channels of one change as a share of those of today."""

    change: ConfigurationChange
    ratio: float
    line: str


def moved_channels_of(facts: DayFacts, configuration: Iterable[ConfigurationChange]) -> PartEffects:
    """Return the effects of channels that move to another queue manager, with their growth.

    Each takes the storage of one of today's channels with it, as learnt there, else by MP16; where
    a message size is stated that of a message channel of that size.

    Raises:
        ConfigurationError: the channel initiator is not measured, or more channels move than it has
            today.
    """
    by_chinit: dict[str, list[ConfigurationChange]] = {}
    for change in configuration:
        if number(change.settings.get(MOVED) or 0):
            by_chinit.setdefault(chinit_of(change.subject), []).append(change)
    return PartEffects(
        tuple(
            effect
            for chinit, changes in by_chinit.items()
            for effect in _effects(facts, chinit, _shares(facts, chinit, changes))
        )
    )


def _shares(facts: DayFacts, chinit: str, changes: Sequence[ConfigurationChange]) -> list[_Share]:
    most = peak_of(facts, COUNTS[0], chinit)
    moved = [number(change.settings[MOVED]) for change in changes]
    if sum(moved) > most:
        raise ConfigurationError(
            f"{MOVED} is more than there are at {chinit}",
            found=quantity(sum(moved), "channels"),
            expected=f"at most {figure(most)}, the highest number of the last days",
        )
    return [
        _Share(
            change,
            amount / most,
            f"{figure(round(amount))} of the {quantity(most, 'channels')} of today = "
            f"{percent(amount / most)}, the same share of every later day: they take their growth "
            "along",
        )
        for change, amount in zip(changes, moved, strict=True)
    ]


def _effects(facts: DayFacts, chinit: str, shares: Sequence[_Share]) -> Iterator[SeriesEffect]:
    stay = 1 - sum(share.ratio for share in shares)
    lines = tuple(share.line for share in shares)
    for metric in COUNTS:
        if facts.observed.days(metric, chinit):
            yield SeriesEffect(
                metric, chinit, SeriesChange(stay), (*lines, f"{percent(stay)} stay")
            )
    for metric in STORAGE:
        if facts.observed.days(metric, chinit):
            yield from _storage(facts, chinit, metric, shares)


def _storage(
    facts: DayFacts, chinit: str, metric: str, shares: Sequence[_Share]
) -> Iterator[SeriesEffect]:
    """Yield one change for all shares; nothing where no source has a figure for a channel."""
    ratio = kept = 0.0
    lines: list[str] = []
    for share in shares:
        base = _base(facts, chinit, metric, share.change)
        if base is not None:
            ratio += share.ratio
            kept += share.ratio * base.value
            above = f"(used - {figure(base.value)} {base.unit})"
            leaves = f"{percent(share.ratio)} x {above} leaves"
            lines += [share.line, base.line, leaves]
    if lines:
        yield SeriesEffect(metric, chinit, SeriesChange(1 - ratio, kept), tuple(lines))


def _base(
    facts: DayFacts, chinit: str, metric: str, change: ConfigurationChange
) -> StorageBase | None:
    storage = STORAGE[metric]
    if not describes_channels(change):
        cost = todays_channel(facts, chinit, storage)
    elif storage == _BELOW:
        described = message_channel(change)
        kib = float(described.figures["kb_per_channel"])
        cost = ChannelCost(kib, described.line, None, None)
    else:
        cost = None
    return base_without_channels(facts, metric, chinit, cost) if cost else None
