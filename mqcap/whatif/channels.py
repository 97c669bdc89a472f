"""Effects of channels on the channel initiator: their number and their storage.

Channels that move away take their growth along: the same share of each later day leaves.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure, percent, quantity
from mqcap.domain.subject import Subject
from mqcap.domain.units import KIB_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.unit_costs.channel_cost import CHANNEL_KINDS, ChannelCost
from mqcap.unit_costs.chinit_storage import CHANNELS
from mqcap.whatif.effects import (
    SeriesEffect,
    calculate,
    effect,
    effects_on,
    last_day,
    number,
    peak_of,
    total_of,
)
from mqcap.whatif.learnt_costs import (
    STORAGE,
    base_without_channels,
    describes_channels,
    mq_level_of,
    todays_channel,
)
from mqcap.whatif.parts import AddedWorkload, Amount, ConfigurationChange, MqLevel

COUNTS: Final = (CHANNELS, "channels_active_count")
MOVED: Final = "channels_moved"
"""Setting of channels that leave: how many of those of today."""
_SIZES: Final = ((KIB_BYTES, "1KB"), (32 * KIB_BYTES, "32KB"), (64 * KIB_BYTES, "64KB"))


def chinit_of(subject: str) -> str:
    """Return the channel initiator of a queue manager, or itself."""
    return subject if subject.endswith("/CHINIT") else Subject.of(subject, "CHINIT")


def channels_of(facts: DayFacts, workload: AddedWorkload) -> Iterator[SeriesEffect]:
    """Yield the effects of added channels on counts and storage; none without channels."""
    if workload.channels is None:
        return
    chinit, channels = chinit_of(workload.subject), number(workload.channels)
    if describes_channels(workload):
        costs = _described(workload, mq_level_of(facts, chinit, workload.mq_level))
    else:
        todays = ((storage, todays_channel(facts, chinit, storage)) for storage in CHANNEL_KINDS)
        costs = {storage: cost for storage, cost in todays if cost is not None}
    yield from _count(facts, chinit, channels)
    for storage, cost in costs.items():
        mib, line = _storage(channels, cost)
        yield from added_storage(facts, chinit, storage, mib, (cost.line, line))


def _storage(channels: float, cost: ChannelCost) -> tuple[float, str]:
    """Return what channels take, in MiB, with the arithmetic."""
    mib = channels * cost.kib / KIB_BYTES
    line = f"{quantity(channels, 'channels')} x {figure(cost.kib)} KB / 1024 = {figure(mib)} MiB"
    return mib, line


def sharing_of(facts: DayFacts, change: ConfigurationChange) -> Iterator[SeriesEffect]:
    """Yield the effects of another SHARECNV, or MQ release, with the same conversations."""
    if change.sharecnv is None or change.sharecnv_from is None:
        return
    chinit = chinit_of(change.subject)
    most = peak_of(facts, CHANNELS, chinit) * max(change.sharecnv_from, 1)
    conversations = min(number(change.client_conversations or 0), most)
    level = mq_level_of(facts, chinit, change.mq_level)
    level_before = change.mq_level_from or level
    count_before, before = _clients(change, level_before, change.sharecnv_from, conversations)
    count_after, after = _clients(change, level, change.sharecnv, conversations)
    yield from _count(facts, chinit, count_after - count_before)
    for storage in CHANNEL_KINDS:
        (old, first), (new, then) = (of.get(storage, (0.0, ())) for of in (before, after))
        if new != old:
            yield from _changed_storage(facts, chinit, storage, new - old, (*first, *then))


def _clients(
    change: ConfigurationChange, level: MqLevel, sharecnv: int, conversations: float
) -> tuple[int, dict[str, tuple[float, tuple[str, ...]]]]:
    """Return the client channels for the conversations; by storage its MiB and arithmetic."""
    current = max(1, min(sharecnv, round(conversations)))
    costs = _client_costs(level, sharecnv, round(number(change.message_bytes or 0)), current)
    channels = math.ceil(conversations / max(sharecnv, 1))
    found: dict[str, tuple[float, tuple[str, ...]]] = {}
    for storage, cost in costs.items():
        mib, line = _storage(channels, cost)
        found[storage] = mib, (cost.line, f"SHARECNV({sharecnv}): {line}")
    return channels, found


def _count(facts: DayFacts, chinit: str, channels: float) -> Iterator[SeriesEffect]:
    last_day(facts, CHANNELS, chinit)
    how = "more, all of them running" if channels >= 0 else "fewer"
    line = f"{quantity(abs(channels), 'channels')} {how}"
    yield from effects_on(facts, COUNTS, chinit, line, addition=channels)


def _described(workload: AddedWorkload, level: MqLevel) -> dict[str, ChannelCost]:
    """Return the 31-bit and, for clients from 9.4, the 64-bit storage of one channel."""
    if workload.channel_kind == "message":
        return {"31bit": _message_channel(workload.message_bytes, tls=workload.tls)}
    size = round(number(workload.message_bytes or KIB_BYTES))
    current = round(number(workload.conversations))
    costs = _client_costs(level, workload.sharecnv, size, current)
    if workload.tls:
        tls, below = calculate("CHI-SSL-30KB", channels=1), costs["31bit"]
        kib = below.kib + float(tls.figures["kb"])
        costs["31bit"] = ChannelCost(kib, f"{below.line}; {tls.line}")
    return costs


def _message_channel(message_bytes: Amount | None, *, tls: bool) -> ChannelCost:
    """Return the storage of a message channel with messages of a size, else of 1 KB."""
    size = round(number(message_bytes or KIB_BYTES))
    size_class = next((name for most, name in _SIZES if size <= most), "4MB")
    each = calculate("CHI-FOOTPRINT-MCA", message_size=size_class, tls=tls)
    return ChannelCost(float(each.figures["kb_per_channel"]), each.line)


def _client_costs(
    level: MqLevel, sharecnv: int, size_bytes: int, current: int
) -> dict[str, ChannelCost]:
    kib = size_bytes / KIB_BYTES
    below = calculate("CHI-SVRCONN-31", mq_level=level, sharecnv=sharecnv, message_kb=kib)
    costs = {"31bit": ChannelCost(float(below.figures["kb_per_channel"]), below.line)}
    if level == "9.4":
        above = calculate(
            "CHI-SVRCONN-64", message_bytes=size_bytes, sharecnv=sharecnv, curshcnv=current
        )
        kib = float(above.figures["bytes_per_channel"]) / KIB_BYTES
        costs["64bit"] = ChannelCost(kib, above.line)
    return costs


def _changed_storage(
    facts: DayFacts, chinit: str, storage: str, mib: float, lines: tuple[str, ...]
) -> Iterator[SeriesEffect]:
    """Yield storage that each of today's channels takes more or less, so that it grows with them.

    Where what does not depend on channels is not known, or less is above it, it is added.
    """
    used = f"chinit_{storage}_used_mib"
    cost = todays_channel(facts, chinit, storage)
    base = base_without_channels(facts, used, chinit, cost)
    above = peak_of(facts, used, chinit) - base.value if base is not None else 0.0
    if base is None or above <= abs(mib):
        yield from added_storage(facts, chinit, storage, mib, lines)
        return
    factor = 1 + mib / above
    line = f"x {figure(factor)} of the storage above the base of {figure(base.value)} MiB"
    for metric in (used, f"chinit_{storage}_used_pct"):
        own = base_without_channels(facts, metric, chinit, cost)
        if own is not None:
            change = {"factor": factor, "addition": own.value * (1 - factor)}
            yield from effects_on(facts, (metric,), chinit, *lines, line, **change)


def added_storage(
    facts: DayFacts, chinit: str, storage: str, mib: float, lines: tuple[str, ...]
) -> Iterator[SeriesEffect]:
    """Yield added storage in MiB and points, or freed (negative), where ``storage`` is measured."""
    used, share = f"chinit_{storage}_used_mib", f"chinit_{storage}_used_pct"
    available = total_of(facts, chinit, used, share)
    if available is None:
        return
    points = 100 * mib / available
    more = f"share = {figure(mib)} MiB / {figure(available)} MiB = {figure(points)} points"
    yield effect(used, chinit, *lines, addition=mib)
    yield effect(share, chinit, *lines, more, addition=points)


class _Share(NamedTuple):
    """Channels of one change as a share of those of today."""

    change: ConfigurationChange
    ratio: float
    line: str


def moved_channels_of(
    facts: DayFacts, configuration: Iterable[ConfigurationChange]
) -> Iterator[SeriesEffect]:
    """Yield the effects of channels that move to another queue manager, with their growth.

    Each takes the storage of one of today's channels with it, or of one of a stated message size.
    A ConfigurationError where more channels move than there are.
    """
    by_chinit: dict[str, list[ConfigurationChange]] = {}
    for change in configuration:
        if number(change.settings.get(MOVED) or 0):
            by_chinit.setdefault(chinit_of(change.subject), []).append(change)
    for chinit, changes in by_chinit.items():
        shares = _shares(facts, chinit, changes)
        stay = 1 - sum(share.ratio for share in shares)
        lines = (*(share.line for share in shares), f"{percent(stay)} stay")
        yield from effects_on(facts, COUNTS, chinit, *lines, factor=stay)
        for metric in STORAGE:
            if facts.observed.days(metric, chinit):
                yield from _leaving_storage(facts, chinit, metric, shares)


def _shares(facts: DayFacts, chinit: str, changes: Sequence[ConfigurationChange]) -> list[_Share]:
    most = peak_of(facts, CHANNELS, chinit)
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


def _leaving_storage(
    facts: DayFacts, chinit: str, metric: str, shares: Sequence[_Share]
) -> Iterator[SeriesEffect]:
    """Yield one change for all shares; nothing where no source has a figure for a channel."""
    ratio = kept = 0.0
    lines: list[str] = []
    for share in shares:
        cost: ChannelCost | None = None
        if not describes_channels(share.change):
            cost = todays_channel(facts, chinit, STORAGE[metric])
        elif STORAGE[metric] == "31bit":
            cost = _message_channel(share.change.message_bytes, tls=False)
        base = base_without_channels(facts, metric, chinit, cost)
        if base is not None:
            ratio += share.ratio
            kept += share.ratio * base.value
            above = f"(used - {figure(base.value)} {base.unit})"
            lines += [share.line, base.line, f"{percent(share.ratio)} x {above} leaves"]
    if lines:
        yield effect(metric, chinit, *lines, factor=1 - ratio, addition=kept)
