"""Costs of one unit of work in what-if: learnt from the site's data where certain, else MP16's.

A learnt cost is that of today's mix of channels or messages, so a scenario that describes its own
(size, kind, TLS, calls) is computed with the figures of MP16.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from pydantic import BaseModel

from mqcap.domain.numbers import figure
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.domain.units import KIB_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.unit_costs.chinit_storage import book_value
from mqcap.whatif.effects import SeriesChange, SeriesEffect, total_of
from mqcap.whatif.parts import AddedWorkload

CHANNELS: Final = "channels_current_count"
KINDS: Final = {
    "31bit": UnitCostKind.chinit_31bit_kib_per_channel,
    "64bit": UnitCostKind.chinit_64bit_kib_per_channel,
}
STORAGE: Final[Mapping[str, str]] = {
    f"chinit_{storage}_used_{unit}": storage for storage in KINDS for unit in ("mib", "pct")
}
"""Storage of the channel initiator, below or above the bar, by metric."""
_DESCRIBES_CHANNELS: Final = frozenset(
    {"message_bytes", "channel_kind", "sharecnv", "conversations", "mq_level", "tls"}
)
_DESCRIBES_CALLS: Final = frozenset({"put", "get", "moved", "batch_size", "structure"})


class ChannelPart(NamedTuple):
    """Storage that does not depend on channels, and the arithmetic behind it."""

    base_mib: float
    line: str


def describes(part: BaseModel, names: frozenset[str]) -> bool:
    """Return whether a part of a scenario has one of these fields at another than its default."""
    fields = type(part).model_fields
    return any(getattr(part, name) != fields[name].default for name in names & fields.keys())


def learnt_channel(
    facts: DayFacts, chinit: str, storage: str, described_by: BaseModel | None = None
) -> UnitCost | None:
    """Return KiB of one of today's channels; ``None`` where MP16 decides.

    Args:
        facts: What is known of the day.
        chinit: The channel initiator.
        storage: ``31bit`` or ``64bit``.
        described_by: The part of the scenario, which may describe other channels.
    """
    if described_by is not None and describes(described_by, _DESCRIBES_CHANNELS):
        return None
    return find_used(facts, KINDS[storage], chinit)


def learnt_log_bytes(facts: DayFacts, workload: AddedWorkload) -> UnitCost | None:
    """Return log bytes of one of today's persistent messages; ``None`` where MP16 decides."""
    if describes(workload, _DESCRIBES_CALLS):
        return None
    return find_used(facts, UnitCostKind.log_bytes_per_persistent_put, workload.subject)


def learnt_line(cost: UnitCost) -> str:
    """Return what was learnt from what, and the figure of MP16 beside it."""
    book = f"; MP16: {cost.book.describe()}" if cost.book else ""
    return f"{cost.kind} of {cost.subject}: {cost.interval_text}, {cost.sample_text}{book}"


def storage_growth(facts: DayFacts, metric: str, chinit: str, factor: float) -> SeriesEffect:
    """Return the growth of storage with the channels: the base stays, the rest is multiplied.

    Where no base is learnt the rest is what MP16 states for today's channels. Only where these are
    not measured all of it is multiplied, which is the most that it can be; the arithmetic says so.
    """
    storage = STORAGE[metric]
    part = _part(facts, chinit, storage)
    if part is None:
        line = (
            f"x {figure(factor)}: its channels are not measured, so all of it grows; it can be less"
        )
        return SeriesEffect(metric, chinit, SeriesChange(factor=factor), (line,))
    used = f"chinit_{storage}_used_mib"
    base, unit = part.base_mib, "MiB"
    if metric != used:
        available = total_of(facts, chinit, used, metric)
        base, unit = (100 * base / available if available else 0.0), "%"
    base = max(0.0, min(base, *(day.mean for day in facts.observed.days(metric, chinit))))
    line = f"base {figure(base)} {unit} + (used - base) x {figure(factor)}"
    change = SeriesChange(factor=factor, addition=base * (1 - factor))
    return SeriesEffect(metric, chinit, change, (part.line, line))


def _part(facts: DayFacts, chinit: str, storage: str) -> ChannelPart | None:
    cost = learnt_channel(facts, chinit, storage)
    if cost is not None and cost.base is not None:
        base = max(cost.base, 0.0)
        return ChannelPart(base, f"base {figure(base)} MiB; {learnt_line(cost)}")
    channels = max((day.peak for day in facts.observed.days(CHANNELS, chinit)), default=0.0)
    used = facts.observed.days(f"chinit_{storage}_used_mib", chinit)
    if not channels or not used:
        return None
    book = book_value(KINDS[storage])
    most = max(day.peak for day in used)
    mib = channels * book.value / KIB_BYTES
    line = (
        f"base = {figure(most)} MiB - {figure(channels)} channels x {figure(book.value)} KB / 1024 "
        f"= {figure(max(most - mib, 0.0))} MiB [{book.rule}, {book.citation}]"
        f"{why_not_learnt(facts, KINDS[storage], chinit)}"
    )
    return ChannelPart(most - mib, line)


def why_not_learnt(facts: DayFacts, kind: UnitCostKind, subject: str) -> str:
    """Return a learnt cost with the reason for which it is not used; empty where none is learnt."""
    costs = facts.observed.unit_costs
    found = costs.find(kind, subject) if costs else None
    return f"; not the learnt {found.interval_text}: {found.why_not_used}" if found else ""


def find_used(facts: DayFacts, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return a learnt cost that is certain enough; ``None`` where there is none."""
    costs = facts.observed.unit_costs
    return costs.find_used(kind, subject) if costs else None
