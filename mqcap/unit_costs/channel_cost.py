"""Storage of one of today's channels of a channel initiator: learnt where certain, else MP16's.

All that needs it (added, moved and lost channels, growth, the parts of a growth) takes it from
here, so that a channel of a channel initiator has one cost, also where it arrives, unless that
channel initiator has a learnt cost of its own.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.unit_costs.chinit_storage import book_value
from mqcap.unit_costs.learnt import UnitCosts

CHANNEL_KINDS: Final[Mapping[str, UnitCostKind]] = MappingProxyType(
    {
        "31bit": UnitCostKind.chinit_31bit_kib_per_channel,
        "64bit": UnitCostKind.chinit_64bit_kib_per_channel,
    }
)
"""Cost of a channel by where its storage is: below or above the bar."""


class ChannelCost(NamedTuple):
    """KiB of one channel, and what they come from: one of ``learnt`` and ``book``."""

    kib: float
    line: str
    learnt: UnitCost | None
    book: BookValue | None


def channel_cost(
    costs: UnitCosts | None, chinit: str, storage: str, mq_version: str | None
) -> ChannelCost | None:
    """Return what a channel takes there; ``None`` where nothing is learnt and MP16 has no figure.

    Args:
        costs: Learnt costs; ``None``: MP16 decides.
        chinit: The channel initiator.
        storage: A key of ``CHANNEL_KINDS``.
        mq_version: Of its queue manager, such as ``9.3.5``; ``None`` where it is not known.
    """
    kind = CHANNEL_KINDS[storage]
    found = costs.find(kind, chinit) if costs else None
    if found is not None and found.is_used:
        return ChannelCost(found.value, learnt_line(found), found, None)
    book = book_value(kind, mq_version)
    if book is None:
        return None
    line = f"{kind} of {chinit}, by MP16: {book.describe()}{why_not(found)}"
    return ChannelCost(book.value, line, None, book)


def arriving_cost(
    costs: UnitCosts | None, source: str, target: str, storage: str, mq_version: str | None
) -> ChannelCost | None:
    """Return what a channel of another channel initiator takes where it arrives.

    What is learnt there counts, else what is learnt where it comes from, else MP16's figure;
    ``None`` where the release there keeps no storage of channels.

    Args:
        costs: Learnt costs; ``None``: MP16 decides.
        source: The channel initiator that it comes from.
        target: The channel initiator that it comes to.
        storage: A key of ``CHANNEL_KINDS``.
        mq_version: Of the queue manager of ``target``; ``None`` where it is not known.
    """
    own = channel_cost(costs, target, storage, mq_version)
    brought = costs.find_used(CHANNEL_KINDS[storage], source) if costs else None
    if own is None or own.learnt is not None or brought is None:
        return own
    line = f"{learnt_line(brought)}, brought along; without it {own.line}"
    return ChannelCost(brought.value, line, brought, None)


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
