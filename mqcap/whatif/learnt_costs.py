"""Costs of one unit of work in what-if: learnt from the site's data where certain, else MP16's.

A learnt cost is of today's mix: what a scenario describes itself is computed with MP16.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from pydantic import BaseModel

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.domain.units import KIB_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.unit_costs.channel_cost import (
    CHANNEL_KINDS,
    ChannelCost,
    arriving_cost,
    channel_cost,
    why_not,
)
from mqcap.unit_costs.chinit_storage import CHANNELS
from mqcap.whatif.effects import SeriesEffect, effect, total_of
from mqcap.whatif.parts import AddedWorkload, MqLevel
from sizing.mq_release import has_buffers_below_the_bar

STORAGE: Final[Mapping[str, str]] = {
    f"chinit_{storage}_used_{unit}": storage for storage in CHANNEL_KINDS for unit in ("mib", "pct")
}
"""Storage of the channel initiator, below or above the bar, by metric."""
_DESCRIBES_CHANNELS: Final = frozenset(
    {"message_bytes", "channel_kind", "sharecnv", "conversations", "mq_level", "tls"}
)
_DESCRIBES_CALLS: Final = frozenset({"put", "get", "moved", "batch_size", "structure"})


class StorageBase(NamedTuple):
    """Storage that does not depend on channels, and the arithmetic behind it."""

    value: float
    unit: str
    """``MiB``, or ``%`` of what is available."""
    line: str


def _describes(part: BaseModel, names: frozenset[str]) -> bool:
    """Return whether a part of a scenario has one of these fields at another than its default."""
    fields = type(part).model_fields
    return any(getattr(part, name) != fields[name].default for name in names & fields.keys())


def describes_channels(part: BaseModel) -> bool:
    """Return whether a part of a scenario has channels of its own, other than today's."""
    return _describes(part, _DESCRIBES_CHANNELS)


def todays_channel(facts: DayFacts, chinit: str, storage: str) -> ChannelCost | None:
    """Return the ``storage`` of one of today's channels; ``None`` where no source has a figure."""
    return channel_cost(facts.observed.unit_costs, chinit, storage, _version(facts, chinit))


def arriving_channel(facts: DayFacts, source: str, target: str, storage: str) -> ChannelCost | None:
    """Return the storage of a channel of ``source`` at ``target``; ``None`` as above."""
    costs = facts.observed.unit_costs
    return arriving_cost(costs, source, target, storage, _version(facts, target))


def mq_level_of(facts: DayFacts, chinit: str, stated: MqLevel | None) -> MqLevel:
    """Return the level whose figures hold: as stated, else by the release; 9.4 where none is."""
    if stated is not None:
        return stated
    return "pre-9.4" if has_buffers_below_the_bar(_version(facts, chinit)) else "9.4"


def _version(facts: DayFacts, chinit: str) -> str | None:
    return facts.estate.mq_version(Subject(chinit).owner, facts.observed.versions)


def learnt_log_bytes(facts: DayFacts, workload: AddedWorkload) -> UnitCost | None:
    """Return log bytes of one of today's persistent messages; ``None`` where MP16 decides."""
    if _describes(workload, _DESCRIBES_CALLS):
        return None
    return find_used(facts, UnitCostKind.log_bytes_per_persistent_put, workload.subject)


def storage_growth(facts: DayFacts, metric: str, chinit: str, factor: float) -> SeriesEffect:
    """Return the growth of storage with the channels: the base stays, the rest is multiplied.

    No day has less than the base. Without a figure for a channel all of it grows, and is said to.
    """
    cost = todays_channel(facts, chinit, STORAGE[metric])
    base = base_without_channels(facts, metric, chinit, cost)
    if base is None:
        why = "its channels are not measured" if cost else "no source has a figure for a channel"
        line = f"x {figure(factor)}: {why}, so all of it grows; it can be less"
        return effect(metric, chinit, line, factor=factor)
    stays = min(base.value, *(day.mean for day in facts.observed.days(metric, chinit)))
    line = f"base {figure(stays)} {base.unit} + (used - base) x {figure(factor)}"
    return effect(metric, chinit, base.line, line, factor=factor, addition=stays * (1 - factor))


def base_without_channels(
    facts: DayFacts, metric: str, chinit: str, cost: ChannelCost | None
) -> StorageBase | None:
    """Return the part of a metric of ``STORAGE`` that does not depend on channels.

    The learnt base, else the highest storage less what channels take; ``None`` where not known.
    """
    if cost is None:
        return None
    used = f"chinit_{STORAGE[metric]}_used_mib"
    if cost.learnt is not None and cost.learnt.base is not None:
        base = cost.learnt.base
        line = f"base {figure(base)} MiB; {cost.line}"
    else:
        channels = facts.observed.highest(CHANNELS, chinit, Statistic.peak)
        if not channels or not facts.observed.days(used, chinit):
            return None
        most = facts.observed.highest(used, chinit, Statistic.peak)
        base = most - channels * cost.kib / KIB_BYTES
        line = (
            f"base = {figure(most)} MiB - {quantity(channels, 'channels')} x {figure(cost.kib)} KB "
            f"/ 1024 = {figure(max(base, 0.0))} MiB; {cost.line}"
        )
    unit = "MiB"
    if metric != used:
        available = total_of(facts, chinit, used, metric)
        base, unit = (100 * base / available if available else 0.0), "%"
    return StorageBase(max(base, 0.0), unit, line)


def why_not_learnt(facts: DayFacts, kind: UnitCostKind, subject: str) -> str:
    """Return a learnt cost with the reason for which it is not used; empty where none is learnt."""
    costs = facts.observed.unit_costs
    return why_not(costs.find(kind, subject)) if costs else ""


def find_used(facts: DayFacts, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return a learnt cost that is certain enough; ``None`` where there is none."""
    costs = facts.observed.unit_costs
    return costs.find_used(kind, subject) if costs else None
