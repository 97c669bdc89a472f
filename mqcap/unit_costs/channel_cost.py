"""Storage of one of today's channels of a channel initiator: learnt where certain, else MP16's.

All that needs it (added, moved and lost channels, growth, the parts of a growth) takes it from
here, so that a channel of a channel initiator has one cost, also where it arrives, unless that
channel initiator has a learnt cost of its own. Above the bar MP16's figure depends on the messages
of each channel, which the lake has counted too.
"""

from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.domain.attribution import PartDay, PartKind
from mqcap.domain.numbers import quantity
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.domain.units import KIB_BYTES
from mqcap.lake.readers import PartsOf
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.unit_costs.chinit_storage import CHANNELS, book_value
from mqcap.unit_costs.learnt import UnitCosts

CHANNEL_KINDS: Final[Mapping[str, UnitCostKind]] = MappingProxyType(
    {
        "31bit": UnitCostKind.chinit_31bit_kib_per_channel,
        "64bit": UnitCostKind.chinit_64bit_kib_per_channel,
    }
)
"""Cost of a channel by where its storage is: below or above the bar."""
STORAGE: Final = MappingProxyType({f"chinit_{place}_used_mib": place for place in CHANNEL_KINDS})
"""Metrics whose parts are channels with their storage, with the key of ``CHANNEL_KINDS``."""


class ChannelCost(NamedTuple):
    """KiB of one channel, and what they come from: neither for a channel that is described."""

    kib: float
    line: str
    learnt: UnitCost | None = None
    book: BookValue | None = None


def channel_cost(
    costs: UnitCosts | None, chinit: str, storage: str, mq_version: str | None
) -> ChannelCost | None:
    """Return what a channel takes there; ``None`` where nothing is learnt and MP16 has no figure.

    Without ``costs`` MP16 decides. ``storage`` is a key of ``CHANNEL_KINDS``; ``mq_version`` is
    that of the queue manager, such as ``9.3.5``, ``None`` where it is not known.
    """
    kind = CHANNEL_KINDS[storage]
    found = costs.find(kind, chinit) if costs else None
    if found is not None and found.is_used:
        return ChannelCost(found.value, learnt_line(found), learnt=found)
    book = book_value(kind, mq_version)
    if book is None:
        return None
    line = f"{kind} of {chinit}, by MP16: {book.describe()}{why_not(found)}"
    return ChannelCost(book.value, line, book=book)


def arriving_cost(
    costs: UnitCosts | None, source: str, target: str, storage: str, mq_version: str | None
) -> ChannelCost | None:
    """Return what a channel of ``source`` takes at the channel initiator ``target``.

    What is learnt there counts, else what is learnt where it comes from, else MP16's figure;
    ``None`` where the release there (``mq_version``) keeps no storage of channels.
    """
    own = channel_cost(costs, target, storage, mq_version)
    brought = costs.find_used(CHANNEL_KINDS[storage], source) if costs else None
    if own is None or own.learnt is not None or brought is None:
        return own
    line = f"{learnt_line(brought)}, brought along; without it {own.line}"
    return ChannelCost(brought.value, line, learnt=brought)


def learnt_line(cost: UnitCost) -> str:
    """Return what was learnt from what, and the figure of MP16 beside it."""
    book = f"; MP16: {cost.book.describe()}" if cost.book else ""
    return f"{cost.kind} of {cost.subject}, learnt: {cost.interval_text}, {cost.sample_text}{book}"


def why_not(cost: UnitCost | None) -> str:
    """Return a learnt cost with the reason for which it is not used; empty where none is learnt."""
    if cost is None:
        return ""
    if cost.not_measurable:
        return f"; not learnt: {cost.not_measurable}"
    return f"; not the learnt {cost.interval_text}: {cost.why_not_used}"


CostOf = Callable[[str, str, date], ChannelCost | None]
"""The cost of a channel of a metric and subject on a day; ``None`` where parts have none."""


def no_cost(*_of: object) -> None:
    """Return none: parts stay as the lake has them."""


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
    """Return the parts of a metric; those of storage as channels, by name, at their cost."""
    rows = parts(metric, subject, first, last)
    if cost is None or not _counts_channels(metric, cost):
        return rows
    channels = parts(CHANNELS, subject, first, last)
    if not channels:
        return rows
    whole = [row for row in rows if row.kind == PartKind.whole]
    counted = [row for row in channels if row.kind != PartKind.whole]
    mib_each = cost.kib / KIB_BYTES
    return [*whole, *(row._replace(value=row.value * mib_each) for row in counted)]


def each_text(metric: str, cost: ChannelCost | None) -> str:
    """Return what a channel takes and whose figure it is; empty where that is no part of it."""
    if cost is None or not _counts_channels(metric, cost):
        return ""
    kib = quantity(cost.kib, "KiB")
    return f"{kib} each, {'learnt here' if cost.book is None else f'by MP16 ({cost.book.rule})'}"


def _counts_channels(metric: str, cost: ChannelCost) -> bool:
    """Return whether the parts of a metric are channels times this cost."""
    return metric in STORAGE and (STORAGE[metric] == "31bit" or cost.learnt is not None)
