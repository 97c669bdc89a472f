"""What grows with load, at the cost of one unit of work: learnt where certain, else MP16's.

A learnt cost is of today's mix: what a scenario describes itself is computed with MP16.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from pydantic import BaseModel

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import counted, figure, quantity
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.domain.units import KIB_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import service_us, structures_in
from mqcap.judging.hours import MeasuredSeries
from mqcap.unit_costs.channel_cost import (
    CHANNEL_KINDS,
    ChannelCost,
    arriving_cost,
    channel_cost,
    learnt_line,
    why_not,
)
from mqcap.unit_costs.chinit_storage import CHANNELS
from mqcap.whatif.effects import SeriesEffect, effect, known_engines, total_of
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


REQUESTS: Final = "structure_requests_per_s"
BUSY: Final = "cf_busy_pct"
_US_PER_S_OF_POINT: Final = 10_000
"""Microseconds a second of one engine that is 1 % busy."""
PUTS: Final = "mq_put_per_s"
QUEUE_PUTS: Final = "mq_queue_put_per_s"
_IN_STEP: Final = {PUTS: "mq_put_mib_per_s", QUEUE_PUTS: "mq_queue_put_mib_per_s"}
_WRITTEN: Final = (
    "mq_log_primary_used_pct",
    "mq_log_total_used_pct",
    "mq_log_workload_pct",
    "mq_log_written_mib_per_s",
)
_LEARNT: Final = {
    PUTS: (*_WRITTEN, "mq_log_fs_used_pct", "mq_qmgr_fs_used_pct"),
    QUEUE_PUTS: (
        "mq_queue_depth_count",
        "mq_queue_depth_used_pct",
        "mq_queue_file_mib",
        "mq_queue_file_used_pct",
    ),
}
_OURS: Final = "first estimate, ours"


def busy_of_grown_requests(
    facts: DayFacts, selected: Iterable[MeasuredSeries], factor: float
) -> list[SeriesEffect]:
    """Return CF busy of the facilities whose structures get ``factor`` times the requests."""
    series = set(selected)
    inside: dict[str, list[str]] = defaultdict(list)
    for metric, subject in series:
        if metric == REQUESTS and (BUSY, Subject(subject).whole) not in series:
            inside[Subject(subject).whole].append(subject)
    return [
        _busy(facts, facility, sorted(grown), factor)
        for facility, grown in sorted(inside.items())
        if facts.observed.days(BUSY, facility)
    ]


def _busy(facts: DayFacts, facility: str, grown: list[str], factor: float) -> SeriesEffect:
    known = [
        part for series in grown if (part := _part_of_busy(facts, facility, series)) is not None
    ]
    lines = [line for _, own in known for line in own]
    if len(known) < len(grown):
        unknown = counted(len(grown) - len(known), "structure")
        lines.append(f"the CF time of {unknown} is not known: it is left out")
    ratio = min(1.0, sum(share for share, _ in known))
    result = 1 + ratio * (factor - 1)
    share = figure(100 * ratio)
    lines.append(
        f"{share} % of busy x {figure(factor)}, the rest as it is = busy x {figure(result)}"
    )
    return effect(BUSY, facility, *lines, factor=result)


def _part_of_busy(
    facts: DayFacts, facility: str, structure: str
) -> tuple[float, tuple[str, ...]] | None:
    """Return a structure's share of the busy time with its arithmetic; ``None``: not known."""
    observed, kind = facts.observed, UnitCostKind.cf_us_per_request
    cost = find_used(facts, kind, structure)
    engines = known_engines(facts, facility)
    busy = observed.highest(BUSY, facility, Statistic.peak)
    if cost is not None and engines and busy:
        requests = observed.highest(REQUESTS, structure, Statistic.peak)
        points = requests * cost.value / (engines * _US_PER_S_OF_POINT)
        line = (
            f"{structure}: {figure(requests)} requests/s x {figure(cost.value)} us / "
            f"({figure(engines)} engines x {figure(_US_PER_S_OF_POINT)}) = {figure(points)} of "
            f"{figure(busy)} % busy"
        )
        return points / busy, (learnt_line(cost), line)
    every = service_us(observed, structures_in(observed, facility))
    own = service_us(observed, [structure])
    if not every:
        return None
    line = (
        f"{structure}: requests x service time = {figure(own)} of {figure(every)} us/s of all "
        f"structures of {facility} ({_OURS}){why_not_learnt(facts, kind, structure)}"
    )
    return own / every, (line,)


def effects_of_messages(
    facts: DayFacts, selected: Iterable[MeasuredSeries], factor: float
) -> list[SeriesEffect]:
    """Return what follows from ``factor`` times the puts; what is selected itself is left out."""
    series = set(selected)
    grown = [name for name in sorted(series) if name[0] in _LEARNT]
    every_queue = sorted(name for metric, name in facts.observed.series if metric == QUEUE_PUTS)
    queues = [
        (QUEUE_PUTS, queue)
        for metric, subject in grown
        for queue in every_queue
        if metric == PUTS
        and Subject(queue).is_part_of(subject)
        and (QUEUE_PUTS, queue) not in series
    ]
    line = f"x {figure(factor)}, as the messages of its queue manager ({_OURS})"
    follow = [effect(*queue, line, factor=factor) for queue in queues]
    for puts in (*grown, *queues):
        follow += _of_puts(facts, puts, factor)
    return [name for name in follow if (name.metric, name.subject) not in series]


def _of_puts(facts: DayFacts, puts: MeasuredSeries, factor: float) -> Iterator[SeriesEffect]:
    metric, subject = puts
    if (in_step := (_IN_STEP[metric], subject)) in facts.observed.series:
        line = f"x {figure(factor)}: messages of the same size ({_OURS})"
        yield effect(*in_step, line, factor=factor)
    for learnt in _LEARNT[metric]:
        if (learnt, subject) in facts.observed.series:
            yield _learnt(facts, (learnt, subject), puts, factor)


def _learnt(
    facts: DayFacts, series: MeasuredSeries, puts: MeasuredSeries, factor: float
) -> SeriesEffect:
    costs = facts.observed.unit_costs
    line = costs.line(series, puts) if costs else None
    if line is not None and not line.why_not:
        least = min((day.mean for day in facts.observed.days(*series)), default=0.0)
        base = min(max(line.base, 0.0), least)
        text = f"learnt for each put/s: {line.sample_text}"
        words = f"base {figure(base)} + (value - base) x {figure(factor)}"
        return effect(*series, text, words, factor=factor, addition=base * (1 - factor))
    reason = line.why_not if line else "one of them does not vary, or has no days"
    why = f"how much follows the puts is not certain ({reason})"
    if series[0] in _WRITTEN:
        words = f"x {figure(factor)}: {why}, so all of it grows; it can be less"
        return effect(*series, words, factor=factor)
    return effect(*series, f"{why}: as it is; it can be more")
