"""Effects of channels on the channel initiator: their number and their storage."""

import math
from collections.abc import Iterator
from typing import Any, Final

from mqcap.domain.numbers import figure, quantity
from mqcap.domain.subject import Subject
from mqcap.domain.units import KIB_BYTES, MIB_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.unit_costs.channel_cost import ChannelCost
from mqcap.whatif.effects import (
    CalculatorResult,
    PartEffects,
    SeriesChange,
    SeriesEffect,
    calculate,
    last_day,
    number,
    peak_of,
    total_of,
)
from mqcap.whatif.learnt_costs import (
    base_without_channels,
    describes_channels,
    mq_level_of,
    todays_channel,
)
from mqcap.whatif.parts import AddedWorkload, ConfigurationChange, MqLevel

COUNTS: Final = ("channels_current_count", "channels_active_count")
_SIZES: Final = ((KIB_BYTES, "1KB"), (32 * KIB_BYTES, "32KB"), (64 * KIB_BYTES, "64KB"))


def channels_of(facts: DayFacts, workload: AddedWorkload) -> PartEffects:
    """Return the effects of added channels on counts and storage; none without channels.

    Raises:
        ConfigurationError: the channel initiator is not measured.
    """
    if workload.channels is None:
        return PartEffects()
    chinit = chinit_of(workload.subject)
    channels = number(workload.channels)
    effects = [*_count(facts, chinit, channels)]
    level = mq_level_of(facts, chinit, workload.mq_level)
    each = _footprints(workload, level) if describes_channels(workload) else _todays(facts, chinit)
    return PartEffects((*effects, *_storage_of(facts, chinit, channels, each)))


def sharing_of(facts: DayFacts, change: ConfigurationChange) -> PartEffects:
    """Return the effects of another SHARECNV, or MQ release, with the same conversations.

    Raises:
        ConfigurationError: the channel initiator is not measured.
    """
    if change.sharecnv is None or change.sharecnv_from is None:
        return PartEffects()
    chinit = chinit_of(change.subject)
    most = peak_of(facts, COUNTS[0], chinit) * max(change.sharecnv_from, 1)
    conversations = min(number(change.client_conversations or 0), most)
    level = mq_level_of(facts, chinit, change.mq_level)
    before = _client_storage(
        change, change.mq_level_from or level, change.sharecnv_from, conversations
    )
    after = _client_storage(change, level, change.sharecnv, conversations)
    effects = [*_count(facts, chinit, after.channels - before.channels)]
    for storage in ("31bit", "64bit"):
        mib = after.mib[storage] - before.mib[storage]
        if mib:
            lines = (*before.lines[storage], *after.lines[storage])
            effects += changed_storage(facts, chinit, storage, mib, lines)
    return PartEffects(tuple(effects))


class _ClientChannels:
    """Client channels for the conversations at one SHARECNV, with storage and arithmetic."""

    def __init__(self, channels: int) -> None:
        self.channels = channels
        self.mib: dict[str, float] = {"31bit": 0.0, "64bit": 0.0}
        self.lines: dict[str, tuple[str, ...]] = {"31bit": (), "64bit": ()}


def _client_storage(
    change: ConfigurationChange, level: MqLevel, sharecnv: int, conversations: float
) -> _ClientChannels:
    clients = _ClientChannels(math.ceil(conversations / max(sharecnv, 1)))
    size = round(number(change.message_bytes or 0))
    current = max(1, min(sharecnv, round(conversations)))
    footprints = {"31bit": _client_31(level, sharecnv, size)}
    if level == "9.4":
        footprints["64bit"] = _client_64(size, sharecnv, current)
    for storage, footprint in footprints.items():
        mib = clients.channels * _kib(footprint) / KIB_BYTES
        clients.mib[storage] = mib
        clients.lines[storage] = (
            footprint.line,
            (
                f"SHARECNV({sharecnv}): {quantity(clients.channels, 'channels')} x "
                f"{figure(_kib(footprint))} KB / 1024 = {figure(mib)} MiB"
            ),
        )
    return clients


def chinit_of(subject: str) -> str:
    """Return the channel initiator of a queue manager, or itself."""
    return subject if subject.endswith("/CHINIT") else Subject.of(subject, "CHINIT")


def _count(facts: DayFacts, chinit: str, channels: float) -> Iterator[SeriesEffect]:
    last_day(facts, COUNTS[0], chinit)
    for metric in COUNTS:
        if facts.observed.days(metric, chinit):
            how = "more, all of them running" if channels >= 0 else "fewer"
            line = f"{quantity(abs(channels), 'channels')} {how}"
            yield SeriesEffect(metric, chinit, SeriesChange(addition=channels), (line,))


_Footprints = tuple[CalculatorResult | None, CalculatorResult | None]
"""Storage of one channel below and above the bar; ``None`` where it is not known."""


def _todays(facts: DayFacts, chinit: str) -> _Footprints:
    """Return the storage of one of today's channels."""
    below, above = (todays_channel(facts, chinit, storage) for storage in ("31bit", "64bit"))
    return _footprint(below), _footprint(above)


def _footprint(cost: ChannelCost | None) -> CalculatorResult | None:
    return CalculatorResult({"kb_per_channel": cost.kib}, cost.line) if cost else None


def _storage_of(
    facts: DayFacts, chinit: str, channels: float, each: _Footprints
) -> Iterator[SeriesEffect]:
    for storage, footprint in zip(("31bit", "64bit"), each, strict=True):
        if footprint is not None:
            yield from _storage(facts, chinit, storage, channels, footprint)


def _footprints(workload: AddedWorkload, level: MqLevel) -> _Footprints:
    """Return the 31-bit and, for clients from 9.4, the 64-bit storage of one channel."""
    size = round(number(workload.message_bytes or KIB_BYTES))
    if workload.channel_kind == "message":
        size_class = _size_class(size)
        return calculate("CHI-FOOTPRINT-MCA", message_size=size_class, tls=workload.tls), None
    below = _client_31(level, workload.sharecnv, size)
    if workload.tls:
        tls = calculate("CHI-SSL-30KB", channels=1)
        below = CalculatorResult(
            {"kb_per_channel": _kib(below) + float(tls.figures["kb"])}, f"{below.line}; {tls.line}"
        )
    if level != "9.4":
        return below, None
    return below, _client_64(size, workload.sharecnv, round(number(workload.conversations)))


def message_channel(change: ConfigurationChange) -> CalculatorResult:
    """Return the storage of a message channel with messages of the stated size, without TLS."""
    size = round(number(change.message_bytes or KIB_BYTES))
    return calculate("CHI-FOOTPRINT-MCA", message_size=_size_class(size), tls=False)


def _size_class(size_bytes: int) -> str:
    return next((name for most, name in _SIZES if size_bytes <= most), "4MB")


def _client_31(mq_level: str, sharecnv: int, size_bytes: int) -> CalculatorResult:
    return calculate(
        "CHI-SVRCONN-31", mq_level=mq_level, sharecnv=sharecnv, message_kb=size_bytes / KIB_BYTES
    )


def _client_64(size_bytes: int, sharecnv: int, current: int) -> CalculatorResult:
    return calculate(
        "CHI-SVRCONN-64", message_bytes=size_bytes, sharecnv=sharecnv, curshcnv=current
    )


def _kib(result: CalculatorResult) -> float:
    figures: dict[str, Any] = result.figures
    if "bytes_per_channel" in figures:
        return float(figures["bytes_per_channel"]) / KIB_BYTES
    return float(figures["kb_per_channel"])


def _storage(
    facts: DayFacts, chinit: str, storage: str, channels: float, each: CalculatorResult
) -> Iterator[SeriesEffect]:
    mib = channels * _kib(each) * KIB_BYTES / MIB_BYTES
    line = f"{quantity(channels, 'channels')} x {figure(_kib(each))} KB / 1024 = {figure(mib)} MiB"
    yield from added_storage(facts, chinit, storage, mib, (each.line, line))


def changed_storage(
    facts: DayFacts, chinit: str, storage: str, mib: float, lines: tuple[str, ...]
) -> Iterator[SeriesEffect]:
    """Yield storage that each of today's channels takes more or less, so that it grows with them.

    ``mib`` is that of today, of the storage above what does not depend on channels. Where that is
    not known, or smaller, it is added as it is.
    """
    used = f"chinit_{storage}_used_mib"
    cost = todays_channel(facts, chinit, storage)
    base = base_without_channels(facts, used, chinit, cost) if cost is not None else None
    above = peak_of(facts, used, chinit) - base.value if base is not None else 0.0
    if base is None or above <= abs(mib):
        yield from added_storage(facts, chinit, storage, mib, lines)
        return
    factor = 1 + mib / above
    line = f"x {figure(factor)} of the storage above the base of {figure(base.value)} MiB"
    for metric in (used, f"chinit_{storage}_used_pct"):
        own = base_without_channels(facts, metric, chinit, cost) if cost is not None else None
        if own is not None and facts.observed.days(metric, chinit):
            change = SeriesChange(factor, own.value * (1 - factor))
            yield SeriesEffect(metric, chinit, change, (*lines, line))


def added_storage(
    facts: DayFacts, chinit: str, storage: str, mib: float, lines: tuple[str, ...]
) -> Iterator[SeriesEffect]:
    """Yield added storage in MiB and in percentage points; nothing where it is not measured.

    Args:
        facts: What is known of the day.
        chinit: The channel initiator.
        storage: ``31bit`` or ``64bit``.
        mib: Storage added; negative when it is freed.
        lines: Arithmetic behind it.
    """
    used, share = f"chinit_{storage}_used_mib", f"chinit_{storage}_used_pct"
    available = total_of(facts, chinit, used, share)
    if available is None:
        return
    points = 100 * mib / available
    more = f"share = {figure(mib)} MiB / {figure(available)} MiB = {figure(points)} points"
    yield SeriesEffect(used, chinit, SeriesChange(addition=mib), lines)
    yield SeriesEffect(share, chinit, SeriesChange(addition=points), (*lines, more))
