"""What more messages of a distributed queue manager take with them, at the same mix of messages.

Bytes, and the puts of each queue, grow as the messages do. Log, file systems, depth and queue
files grow with the part that rises with the puts from day to day, which is learnt from the site's
own days. Where that is not certain all of the log grows, which is the most that it can be, and what
is not written at the rate of the puts stays as it is (ours); the arithmetic says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.numbers import figure
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.hours import MeasuredSeries
from mqcap.unit_costs.lines import LearntLine
from mqcap.whatif.effects import SeriesChange, SeriesEffect

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
    below = f"{qmgr}{SERIES_SEPARATOR}"
    measured = facts.observed.series
    return sorted(
        subject
        for metric, subject in measured
        if metric == QUEUE_PUTS and subject.startswith(below)
    )


def _of_puts(facts: DayFacts, puts: str, subject: str, factor: float) -> Iterator[SeriesEffect]:
    measured = facts.observed.series
    for metric in _IN_STEP[puts]:
        if (metric, subject) in measured:
            line = f"x {figure(factor)}: messages of the same size ({_OURS})"
            yield SeriesEffect(metric, subject, SeriesChange(factor=factor), (line,))
    for metric in _LEARNT[puts]:
        if (metric, subject) in measured:
            yield _learnt(facts, (metric, subject), (puts, subject), factor)


def _learnt(
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
