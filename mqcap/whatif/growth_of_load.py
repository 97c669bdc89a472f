"""What grows with load: CF busy with requests of structures, and what messages take along."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import counted, figure
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import service_us, structures_in
from mqcap.judging.hours import MeasuredSeries
from mqcap.unit_costs.channel_cost import learnt_line
from mqcap.unit_costs.lines import LearntLine
from mqcap.whatif.effects import SeriesChange, SeriesEffect, known_engines
from mqcap.whatif.learnt_costs import find_used, why_not_learnt

REQUESTS: Final = "structure_requests_per_s"
BUSY: Final = "cf_busy_pct"
_KIND: Final = UnitCostKind.cf_us_per_request
_US_PER_S_OF_POINT: Final = 10_000
"""Microseconds a second of one engine that is 1 % busy."""


class _Part(NamedTuple):
    """Share of a facility's busy time that a structure has, with the arithmetic."""

    ratio: float
    lines: tuple[str, ...]


def busy_of_grown_requests(
    facts: DayFacts, selected: Iterable[MeasuredSeries], factor: float
) -> list[SeriesEffect]:
    """Return CF busy of each measured facility whose structures get so many times the requests.

    A facility whose busy is selected itself grows as one and is left out.

    Args:
        facts: What is known of the day.
        selected: The series that grow, as metric and subject.
        factor: Requests under the scenario as a multiple of today's.
    """
    series = set(selected)
    inside: dict[str, list[str]] = defaultdict(list)
    for metric, subject in series:
        if metric == REQUESTS and (BUSY, Subject(subject).whole) not in series:
            inside[Subject(subject).whole].append(subject)
    return [
        _busy(facts, facility, grown, factor)
        for facility, grown in sorted(inside.items())
        if facts.observed.days(BUSY, facility)
    ]


def _busy(facts: DayFacts, facility: str, grown: list[str], factor: float) -> SeriesEffect:
    parts = [_part(facts, facility, structure) for structure in sorted(grown)]
    known = [part for part in parts if part is not None]
    lines = tuple(line for part in known for line in part.lines)
    if len(known) < len(parts):
        unknown = counted(len(parts) - len(known), "structure")
        lines += (f"the CF time of {unknown} is not known: it is left out",)
    ratio = min(1.0, sum(part.ratio for part in known))
    result = 1 + ratio * (factor - 1)
    share = figure(100 * ratio)
    lines += (f"{share} % of busy x {figure(factor)}, the rest as it is = busy x {figure(result)}",)
    return SeriesEffect(BUSY, facility, SeriesChange(factor=result), lines)


def _part(facts: DayFacts, facility: str, structure: str) -> _Part | None:
    cost = find_used(facts, _KIND, structure)
    engines = known_engines(facts, facility)
    busy = facts.observed.highest(BUSY, facility, Statistic.peak)
    if cost is not None and engines and busy:
        return _busy_learnt(facts, structure, cost, engines, busy)
    every = service_us(facts.observed, structures_in(facts.observed, facility))
    own = service_us(facts.observed, [structure])
    if not every:
        return None
    line = (
        f"{structure}: requests x service time = {figure(own)} of {figure(every)} us/s of all "
        f"structures of {facility} (first estimate, ours)"
        f"{why_not_learnt(facts, _KIND, structure)}"
    )
    return _Part(own / every, (line,))


def _busy_learnt(
    facts: DayFacts, structure: str, cost: UnitCost, engines: float, busy: float
) -> _Part:
    requests = facts.observed.highest(REQUESTS, structure, Statistic.peak)
    points = requests * cost.value / (engines * _US_PER_S_OF_POINT)
    line = (
        f"{structure}: {figure(requests)} requests/s x {figure(cost.value)} us / "
        f"({figure(engines)} engines x {figure(_US_PER_S_OF_POINT)}) = {figure(points)} of "
        f"{figure(busy)} % busy"
    )
    return _Part(points / busy, (learnt_line(cost), line))


PUTS: Final = "mq_put_per_s"
QUEUE_PUTS: Final = "mq_queue_put_per_s"
_IN_STEP: Final = {
    PUTS: ("mq_put_mib_per_s",),
    QUEUE_PUTS: ("mq_queue_put_mib_per_s",),
}
_WRITTEN: Final = frozenset(
    {
        "mq_log_written_mib_per_s",
        "mq_log_primary_used_pct",
        "mq_log_total_used_pct",
        "mq_log_workload_pct",
    }
)
_LEARNT: Final = {
    PUTS: (*sorted(_WRITTEN), "mq_log_fs_used_pct", "mq_qmgr_fs_used_pct"),
    QUEUE_PUTS: (
        "mq_queue_depth_count",
        "mq_queue_depth_used_pct",
        "mq_queue_file_mib",
        "mq_queue_file_used_pct",
    ),
}
_OURS: Final = "first estimate, ours"


def effects_of_messages(
    facts: DayFacts, selected: Iterable[MeasuredSeries], factor: float
) -> list[SeriesEffect]:
    """Return what follows from more puts of queue managers and queues.

    A series that is selected itself grows as such and is left out.

    Args:
        facts: What is known of the day.
        selected: The series that grow, as metric and subject.
        factor: Messages under the scenario as a multiple of today's.
    """
    series = set(selected)
    grown = [each for each in sorted(series) if each[0] in _LEARNT]
    queues = [
        (QUEUE_PUTS, queue)
        for metric, subject in grown
        if metric == PUTS
        for queue in _queues(facts, subject)
        if (QUEUE_PUTS, queue) not in series
    ]
    line = f"x {figure(factor)}, as the messages of its queue manager ({_OURS})"
    follow = [SeriesEffect(*each, SeriesChange(factor=factor), (line,)) for each in queues]
    follow += [
        effect
        for metric, subject in (*grown, *queues)
        for effect in _of_puts(facts, metric, subject, factor)
    ]
    return [each for each in follow if (each.metric, each.subject) not in series]


def _queues(facts: DayFacts, qmgr: str) -> list[str]:
    measured = facts.observed.series
    return sorted(
        subject
        for metric, subject in measured
        if metric == QUEUE_PUTS and Subject(subject).is_part_of(qmgr)
    )


def _of_puts(facts: DayFacts, puts: str, subject: str, factor: float) -> Iterator[SeriesEffect]:
    measured = facts.observed.series
    for metric in _IN_STEP[puts]:
        if (metric, subject) in measured:
            line = f"x {figure(factor)}: messages of the same size ({_OURS})"
            yield SeriesEffect(metric, subject, SeriesChange(factor=factor), (line,))
    for metric in _LEARNT[puts]:
        if (metric, subject) in measured:
            yield _messages_learnt(facts, (metric, subject), (puts, subject), factor)


def _messages_learnt(
    facts: DayFacts, series: MeasuredSeries, puts: MeasuredSeries, factor: float
) -> SeriesEffect:
    costs = facts.observed.unit_costs
    line = costs.line(series, puts) if costs else None
    if line is None or line.why_not:
        return _unlearnt(series, factor, line)
    least = min((day.mean for day in facts.observed.days(*series)), default=0.0)
    base = min(max(line.base, 0.0), least)
    text = f"learnt for each put/s: {line.sample_text}"
    words = f"base {figure(base)} + (value - base) x {figure(factor)}"
    change = SeriesChange(factor=factor, addition=base * (1 - factor))
    return SeriesEffect(*series, change, (text, words))


def _unlearnt(series: MeasuredSeries, factor: float, line: LearntLine | None) -> SeriesEffect:
    reason = line.why_not if line else "one of them does not vary, or has no days"
    why = f"how much follows the puts is not certain ({reason})"
    if series[0] in _WRITTEN:
        words = f"x {figure(factor)}: {why}, so all of it grows; it can be less"
        return SeriesEffect(*series, SeriesChange(factor=factor), (words,))
    return SeriesEffect(*series, SeriesChange(), (f"{why}: as it is; it can be more",))
