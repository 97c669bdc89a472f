"""Queue of a distributed queue manager: MAXDEPTH and MAXFSIZE, each where it is known.

More messages take more of the file system of the queues: as many bytes as those that are put have
on average, of the queue where its puts are known, else of its queue manager (ours). Headers and
unused blocks of the queue file come on top.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.planning.context import PlanContext, State
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import measured_count, round_values
from mqcap.whatif.sizes import COUNTS
from sizing.operands import highest

DEPTH: Final = "max_depth"
FILE: Final = "max_file_mib"
_TYPED: Final = {DEPTH: TypedKind.max_depth, FILE: TypedKind.max_file_mib}
_WORDS: Final = {
    DEPTH: "Let {after} messages wait on the queue instead of {before}.",
    FILE: "Let the file of the queue grow to {after} MiB instead of {before}.",
}
FULL_PCT: Final = 100
_WATCH: Final = Severity.watch.rank
_OF_DEPTH: Final = "DST-DEPTH"
_DEPTH_USED: Final = "mq_queue_depth_used_pct"
_PUTS: Final = (
    ("mq_queue_put_mib_per_s", "mq_queue_put_per_s"),
    ("mq_put_mib_per_s", "mq_put_per_s"),
)
"""MiB and number of messages put: of the queue, of its queue manager."""
_WHO: Final = (
    "look for what should get the messages (DISPLAY QSTATUS: IPPROCS, MSGAGE); a larger "
    "queue helps only where so many are meant to wait"
)
_EFFECTS: Final = {
    DEPTH: "more messages take more of the queue file and of its file system",
    FILE: "where the block size changes the queue must be empty once (AMQ7493)",
}


def _today(context: PlanContext) -> State | None:
    measured = {key: measured_count(context, COUNTS[key]) for key in _TYPED}
    return {key: value for key, value in measured.items() if value is not None} or None


def _grids(context: PlanContext, today: State) -> Grids:
    del context
    return {
        key: [value, *round_values(int(value), highest(SubjectKind.distributed_queue, key))]
        for key, value in today.items()
    }


def _cost(context: PlanContext, today: State, after: State) -> PlanCost:
    changed = sum(after[key] != value for key, value in today.items())
    more = int(after[DEPTH]) - int(today[DEPTH]) if DEPTH in today else 0
    return PlanCost(
        work_hours=changed * context.facts.settings.plan.change_hours,
        file_system_mib=ceil(more * (_message_mib(context) or 0)),
    )


def _message_mib(context: PlanContext) -> float | None:
    """Return the mean size of the messages put in the window; ``None`` where it is not known."""
    subjects = (context.resource.path, context.resource.owner_subject)
    for (volume, count), subject in zip(_PUTS, subjects, strict=True):
        mib, puts = (
            sum(day.mean for day in context.facts.observed.days(metric, subject))
            for metric in (volume, count)
        )
        if mib and puts:
            return mib / puts
    return None


def _cause(context: PlanContext) -> str:
    """Return what to look for where the depth of the queue, not its file, is near its limit."""
    ids = {v.finding.rule_id for v in context.verdicts if v.finding.severity.rank >= _WATCH}
    return _WHO if _OF_DEPTH in ids else ""


def _notes(context: PlanContext, _: State) -> tuple[str, ...]:
    """Return that the figures end at MAXDEPTH, and that its disk is not known, where so."""
    days = context.facts.observed.whole_series(_DEPTH_USED, context.resource.path)
    full = [day.site_date for day in days if day.peak >= FULL_PCT]
    notes = []
    if full:
        notes.append(
            f"The queue was full on {figure(len(full))} of {figure(len(days))} days, and what it "
            "refused is in no figure: the forecast, and the size here, are lower bounds"
        )
    if measured_count(context, COUNTS[DEPTH]) is not None and _message_mib(context) is None:
        notes.append("The disk for more messages is not known without puts in number and bytes")
    return tuple(notes)


def _changes(context: PlanContext, today: State, after: State) -> tuple[PlanChange, ...]:
    return tuple(_each_change(context, today, after))


def _each_change(context: PlanContext, today: State, after: State) -> Iterator[PlanChange]:
    for key, before in today.items():
        value = int(after[key])
        if value != before:
            yield PlanChange(
                subject=context.resource.path,
                text=_WORDS[key].format(after=figure(value), before=figure(int(before))),
                typed=TypedAmount.of(_TYPED[key], value).text,
                settings={key: value},
                before={key: before},
                side_effects=_EFFECTS[key],
            )


MQ_QUEUE: Final = register(
    Settable(
        kind=ResourceKind.mq_queue,
        today=_today,
        needs=("MAXDEPTH of the queue (DISPLAY QLOCAL)",),
        grids=_grids,
        cost=_cost,
        changes=_changes,
        rises=True,
        cause=_cause,
        notes=_notes,
        ways_out="more or faster consumers, or expiry of messages",
    )
)
