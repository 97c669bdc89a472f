"""What grows with load: CF busy with requests of structures, and what messages take along."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import counted, figure
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import service_us, structures_in
from mqcap.judging.hours import MeasuredSeries
from mqcap.unit_costs.channel_cost import learnt_line
from mqcap.whatif.effects import SeriesEffect, effect, known_engines
from mqcap.whatif.learnt_costs import find_used, why_not_learnt

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
