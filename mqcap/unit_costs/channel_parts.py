"""Parts of the storage of a channel initiator, at the cost that a channel has everywhere else.

The lake counts channels by name; what each takes is learnt where certain, else MP16's, on the day
that is asked about. Above the bar MP16's figure depends on the messages of each channel, which the
lake has counted too.
"""

from collections.abc import Callable, Sequence
from datetime import date
from types import MappingProxyType
from typing import Final

from mqcap.domain.attribution import PartDay, PartKind
from mqcap.domain.numbers import quantity
from mqcap.domain.units import KIB_BYTES
from mqcap.lake.parts import PartsOf
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.unit_costs.channel_cost import ChannelCost, channel_cost
from mqcap.unit_costs.learnt import UnitCosts

CHANNELS: Final = "channels_current_count"
STORAGE: Final = MappingProxyType(
    {"chinit_31bit_used_mib": "31bit", "chinit_64bit_used_mib": "64bit"}
)
"""Metrics whose parts are channels with their storage, below or above the bar."""
_BELOW: Final = "31bit"
CostOf = Callable[[str, str, date], ChannelCost | None]
"""The cost of a channel of a metric and subject on a day; ``None`` where parts have none."""


def no_cost(_metric: str, _subject: str, _day: date) -> ChannelCost | None:
    """Return none: parts stay as the lake has them."""
    return None


def cost_of_channels(settings: Settings, engine: Store) -> CostOf:
    """Return what finds the cost of a channel in a store."""

    def cost_of(metric: str, subject: str, day: date) -> ChannelCost | None:
        if metric not in STORAGE:
            return None
        costs = UnitCosts(settings, engine, day, subject)
        return channel_cost(costs, subject, STORAGE[metric], costs.mq_version(subject))

    return cost_of


def costed_part_days(
    parts: PartsOf, metric: str, subject: str, first: date, last: date, cost: ChannelCost | None
) -> list[PartDay]:
    """Return the parts of a metric; those of storage as channels times their cost."""
    rows = parts(metric, subject, first, last)
    if not counts_channels(metric, cost) or cost is None:
        return rows
    channels = parts(CHANNELS, subject, first, last)
    return _at_cost(rows, channels, cost.kib / KIB_BYTES) if channels else rows


def counts_channels(metric: str, cost: ChannelCost | None) -> bool:
    """Return whether the parts of a metric are channels times this cost."""
    if cost is None or metric not in STORAGE:
        return False
    return STORAGE[metric] == _BELOW or cost.learnt is not None


def each_text(metric: str, cost: ChannelCost | None) -> str:
    """Return what a channel takes and whose figure it is; empty where that is no part of it."""
    if cost is None or not counts_channels(metric, cost):
        return ""
    kib = quantity(cost.kib, "KiB")
    return f"{kib} each, {'learnt here' if cost.book is None else f'by MP16 ({cost.book.rule})'}"


def _at_cost(
    storage: Sequence[PartDay], channels: Sequence[PartDay], mib_each: float
) -> list[PartDay]:
    whole = [row for row in storage if row.kind == PartKind.whole]
    parts = [row for row in channels if row.kind != PartKind.whole]
    return [*whole, *(row._replace(value=row.value * mib_each) for row in parts)]
