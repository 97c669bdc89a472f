"""Limits of a distributed queue manager: of a queue, of channels, and of instances of a channel.

MAXDEPTH and MAXFSIZE of a queue, each where it is known. More messages take more of the file system
of the queues: as many bytes as those that are put have on average, of the queue where its puts are
known, else of its queue manager (ours). Headers and unused blocks of the queue file come on top.

MaxChannels goes up to 65,535. Where the error log says that all of them were in use and no sample
comes near, a burst or leak between two samples did it: growth does not explain it, and no value can
be sized for it.
"""

from math import ceil
from typing import Final

from mqcap.domain.console.states import open_on, states_on
from mqcap.domain.finding import Severity
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.planning.context import PlanContext, State
from mqcap.planning.settable import measured_count, operand, register

_DEPTH: Final = "max_depth"
_FULL_PCT: Final = 100
_WATCH: Final = Severity.watch.rank
_PUTS: Final = (
    ("mq_queue_put_mib_per_s", "mq_queue_put_per_s"),
    ("mq_put_mib_per_s", "mq_put_per_s"),
)
"""MiB and number of messages put: of the queue, of its queue manager."""
_WHO: Final = (
    "look for what should get the messages (DISPLAY QSTATUS: IPPROCS, MSGAGE); a larger "
    "queue helps only where so many are meant to wait"
)


def _message_mib(context: PlanContext) -> float | None:
    """Return the mean size of the messages put in the window; ``None`` where it is not known."""
    subjects = (context.resource.path, context.owner_subject)
    for (volume, count), subject in zip(_PUTS, subjects, strict=True):
        mib, puts = (
            sum(day.mean for day in context.facts.observed.days(metric, subject))
            for metric in (volume, count)
        )
        if mib and puts:
            return mib / puts
    return None


def _cause_of_queue(context: PlanContext) -> str:
    """Return what to look for where the depth of the queue, not its file, is near its limit."""
    ids = {v.finding.rule_id for v in context.verdicts if v.finding.severity.rank >= _WATCH}
    return _WHO if "DST-DEPTH" in ids else ""


def _notes_of_queue(context: PlanContext, _: State) -> tuple[str, ...]:
    """Return that the figures end at MAXDEPTH, and that its disk is not known, where so."""
    days = context.facts.observed.whole_series("mq_queue_depth_used_pct", context.resource.path)
    full = [day.site_date for day in days if day.peak >= _FULL_PCT]
    notes = []
    if full:
        notes.append(
            f"The queue was full on {figure(len(full))} of {figure(len(days))} days, and what it "
            "refused is in no figure: the forecast, and the size here, are lower bounds"
        )
    if measured_count(context, _DEPTH) is not None and _message_mib(context) is None:
        notes.append("The disk for more messages is not known without puts in number and bytes")
    return tuple(notes)


MQ_QUEUE: Final = register(
    operand(
        _DEPTH,
        cost=lambda context, before, after: {
            "file_system_mib": ceil((after - before) * (_message_mib(context) or 0))
        },
    ),
    operand("max_file_mib"),
    rises=True,
    cause=_cause_of_queue,
    notes=_notes_of_queue,
)


_LIMIT: Final = "max_channels"
_WHO_CONNECTS: Final = (
    "find who connects so often (DISPLAY CHSTATUS, CONNAME), and bound it by MAXINST or MAXINSTC "
    "of its channel"
)


def _refused(context: PlanContext) -> list[str]:
    observed = context.facts.observed
    states = states_on(observed.states, ResourceKind.mq_channels, context.owner_subject)
    return [state.message_id for state in open_on(states, context.site_date)]


def _notes_of_channels(context: PlanContext, _: State) -> tuple[str, ...]:
    """Return that message and samples of the day contradict each other, where they do."""
    messages, subject = _refused(context), context.owner_subject
    today = [
        day.peak
        for day in context.facts.observed.days("mq_connection_count", subject)
        if day.site_date == context.site_date
    ]
    limit = measured_count(context, _LIMIT)
    places = {place.site: place for place in context.facts.estate.places}
    place = places.get(subject.sysplex)
    each = "" if place is None else f" (one every {duration(place.scrape_seconds)})"
    if not messages or not today or limit is None or today[0] >= limit:
        return ()
    sentence = (
        f"{messages[0]} says that all {figure(limit)} were in use, and the highest sample of that "
        f"day{each} is {figure(today[0])}: a burst or a leak between samples, which "
        "growth does not explain and no value here is sized for"
    )
    return (sentence,)


MQ_CHANNELS: Final = register(
    operand(_LIMIT),
    cause=lambda context: _WHO_CONNECTS if _refused(context) else "",
    notes=_notes_of_channels,
)


_WHO_OF_CHANNEL: Final = (
    "look who connects so often (DISPLAY CHSTATUS: CONNAME, RAPPLTAG); a higher limit helps only "
    "where so many instances are meant"
)
MQ_CHANNEL: Final = register(
    operand("max_instances"),
    operand("max_client_instances"),
    rises=True,
    cause=lambda _: _WHO_OF_CHANNEL,
)
