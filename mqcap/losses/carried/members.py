"""The load that a member of a queue sharing group leaves, and how the survivors share it.

Channels connect to a survivor, where each takes, below and above the bar, what is learnt there of
one of its own channels, else what is learnt of the lost member; persistent work is logged there;
private queues fill the pool of the same number.
"""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Final, NamedTuple

from mqcap.domain.estate import QueueManager
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import figure, percent, quantity
from mqcap.domain.subject import Subject
from mqcap.domain.units import KIB_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.taken_load import TakenLoad, has_common_hours
from mqcap.unit_costs.channel_cost import ChannelCost
from mqcap.whatif.channels import COUNTS, chinit_of
from mqcap.whatif.effects import total_of
from mqcap.whatif.learnt_costs import arriving_channel, base_without_channels
from sizing.rules.chinit_storage import USED_MAX_PCT

BY_HOUR: Final = "log_growth_mib_per_s"
_LOG_TASK: Final = "log_task_busy_pct"
_POOL_USED: Final = "buffer_pool_used_pct"
_POOL_SIZE: Final = "buffer_pool_buffers_count"
_OURS: Final = "first estimate, ours"
_SMALLER: Final = 0.9
"""Share of the learnt storage of a channel below which a setting has changed it (ours)."""


def loads_of_member(
    facts: DayFacts, lost: str, survivor: str, ratio: float = 1.0
) -> Iterator[TakenLoad]:
    """Yield what a survivor gets, as far as both are measured; ``ratio`` is its share of it."""
    yield from _logs(facts, lost, survivor, ratio)
    here, there = chinit_of(lost), chinit_of(survivor)
    for metric in COUNTS:
        if facts.observed.days(metric, here) and facts.observed.days(metric, there):
            more = facts.observed.highest(metric, here, Statistic.peak)
            line = f"+ {quantity(more, 'channels')}, the most of {here}{_of(ratio)}"
            yield TakenLoad((metric, there), (metric, here), ratio, (line,))
    for storage in ("31bit", "64bit"):
        yield from _storage(facts, here, there, storage, ratio)
    yield from _pools(facts, lost, survivor, ratio)


def _of(ratio: float) -> str:
    """Return the share in words, after a figure; empty where it is all."""
    return "" if ratio == 1 else f" x {percent(ratio)}"


def _logs(facts: DayFacts, lost: str, survivor: str, ratio: float) -> Iterator[TakenLoad]:
    load = TakenLoad((BY_HOUR, survivor), (BY_HOUR, lost), ratio, (), by_hour=True)
    if has_common_hours(facts, load):
        yield load
    task = _LOG_TASK, survivor
    if facts.observed.days(*task) and facts.observed.days(_LOG_TASK, lost):
        more = facts.observed.highest(_LOG_TASK, lost, Statistic.peak)
        line = f"+ {figure(more)} points of {lost}{_of(ratio)} ({_OURS})"
        yield TakenLoad(task, (_LOG_TASK, lost), ratio, (line,))


def _storage(
    facts: DayFacts, lost: str, survivor: str, storage: str, ratio: float
) -> Iterator[TakenLoad]:
    current = COUNTS[0]
    used, share = f"chinit_{storage}_used_mib", f"chinit_{storage}_used_pct"
    available = total_of(facts, survivor, used, share)
    each = arriving(facts, lost, survivor, storage)
    if available is None or each is None or not facts.observed.days(current, lost):
        return
    mib_each = each.kib / KIB_BYTES * ratio
    channels = facts.observed.highest(current, lost, Statistic.peak)
    line = (
        f"{quantity(channels, 'channels')}{_of(ratio)} x {figure(each.kib)} KB / 1024 = "
        f"{figure(channels * mib_each)} MiB ({_OURS})"
    )
    yield TakenLoad((used, survivor), (current, lost), mib_each, (each.line, line))
    points = 100 * mib_each / available
    of_all = (
        f"{figure(channels * mib_each)} of {figure(available)} MiB = {figure(channels * points)} "
        "points"
    )
    yield TakenLoad((share, survivor), (current, lost), points, (each.line, line, of_all))


def arriving(facts: DayFacts, lost: str, survivor: str, storage: str) -> ChannelCost | None:
    """Return the storage of an arriving channel.

    Where a setting made channels of the survivor smaller than was learnt of them, such as
    SHARECNV(0), it is that of one of these. ``None`` where no source has a figure.
    """
    each = arriving_channel(facts, lost, survivor, storage)
    used = f"chinit_{storage}_used_mib"
    own = base_without_channels(facts, used, survivor, each)
    channels = facts.observed.highest(COUNTS[0], survivor, Statistic.peak)
    if each is None or own is None or each.learnt is None or not channels:
        return each
    present = (
        (facts.observed.highest(used, survivor, Statistic.peak) - own.value) * KIB_BYTES / channels
    )
    if not 0 < present < _SMALLER * each.kib:
        return each
    line = (
        f"{figure(present)} KB each of {quantity(channels, 'channels')} there, by what is changed"
    )
    return each._replace(kib=present, line=line)


def _pools(facts: DayFacts, lost: str, survivor: str, ratio: float) -> Iterator[TakenLoad]:
    for pool in sorted(facts.observed.subjects(SubjectKind.buffer_pool)):
        if not Subject(pool).is_within(lost):
            continue
        same = Subject.of(survivor, Subject(pool).name)
        sizes = [facts.observed.days(_POOL_SIZE, subject) for subject in (pool, same)]
        if not all(sizes) or not facts.observed.days(_POOL_USED, same):
            continue
        before, after = (days[-1].peak for days in sizes)
        used = facts.observed.highest(_POOL_USED, pool, Statistic.peak)
        factor = before / after * ratio
        line = (
            f"+ {figure(used)} % of {figure(before)} buffers{_of(ratio)} / {figure(after)} "
            f"buffers = + {figure(used * factor)} points ({_OURS})"
        )
        yield TakenLoad((_POOL_USED, same), (_POOL_USED, pool), factor, (line,))


class Shares(NamedTuple):
    """The share of each survivor, and where it is from."""

    ratios: Mapping[str, float]
    """By survivor; together 1."""
    how: str
    """In words, with the shares; empty for a single survivor."""


def shares_of(facts: DayFacts, lost: str, members: Mapping[str, QueueManager]) -> Shares:
    """Return the shares of surviving members in the work of a lost one, by subject.

    Those are as ``qsg_spread`` of the estate says, where it says so of any; else by the channels
    that the 31-bit storage of their channel initiators has room for, up to MAXCHL: up to the limit
    of CHI-80-31BIT where all of the lost ones fit, else all that is free; else equal.
    """
    declared = {name: manager.qsg_spread for name, manager in members.items()}
    free = {member: _room(facts, lost, member, USED_MAX_PCT) for member in members}
    if sum(count or 0.0 for count in free.values()) < _most_channels(facts, lost):
        free = {member: _room(facts, lost, member, 100) for member in members}
    if any(weight is not None for weight in declared.values()):
        weights = {name: weight or 0.0 for name, weight in declared.items()}
        how = "as qsg_spread of the estate says"
    elif any(free.values()) and None not in free.values():
        weights = {name: count or 0.0 for name, count in free.items()}
        how = (
            "by the channels that their channel initiators have room for (ours; qsg_spread sets it)"
        )
    else:
        weights, how = dict.fromkeys(members, 1.0), "in equal parts (ours; qsg_spread sets it)"
    total = sum(weights.values())
    ratios = {name: weight / total for name, weight in weights.items() if weight and total}
    if len(ratios) < 2:
        return Shares(ratios, "")
    names = ", ".join(f"{Subject(name).name} {percent(ratio)}" for name, ratio in ratios.items())
    return Shares(ratios, f"{names}, {how}")


def _most_channels(facts: DayFacts, member: str) -> float:
    return facts.observed.highest(COUNTS[0], chinit_of(member), Statistic.peak)


def _room(facts: DayFacts, lost: str, member: str, most_pct: float) -> float | None:
    """Return how many arriving channels a share of its storage holds; ``None``: not known."""
    chinit = chinit_of(member)
    total = total_of(facts, chinit, "chinit_31bit_used_mib", "chinit_31bit_used_pct")
    each = arriving(facts, chinit_of(lost), chinit, "31bit")
    if total is None or each is None:
        return None
    used_mib = facts.observed.highest("chinit_31bit_used_mib", chinit, Statistic.peak)
    free_mib = total * most_pct / 100 - used_mib
    limits = facts.observed.days("channels_current_limit_count", chinit)
    more = limits[-1].peak - _most_channels(facts, member) if limits else inf
    return max(min(free_mib * KIB_BYTES / each.kib, more), 0.0)
