"""Channels of a distributed queue manager: MaxChannels up to 65,535, and instances of one channel.

Where the error log says that all of them were in use and no sample comes near, a burst or leak
between two samples did it: growth does not explain it, and no value can be sized for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mqcap.domain.console.states import open_on, states_on
from mqcap.domain.metric import SubjectKind, sysplex_of
from mqcap.domain.numbers import duration, figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.planning.context import PlanContext, State
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import (
    SingleSetting,
    amount,
    change_cost,
    measured_count,
    round_values,
)
from mqcap.whatif.sizes import COUNTS
from sizing.operands import highest

KEY: Final = "max_channels"
_CONNECTIONS: Final = "mq_connection_count"
_WHO_CONNECTS: Final = (
    "find who connects so often (DISPLAY CHSTATUS, CONNAME), and bound it by MAXINST or MAXINSTC "
    "of its channel"
)
MAX_CHANNELS_MAX: Final = highest(SubjectKind.distributed_queue_manager, KEY)


def _refused(context: PlanContext) -> list[str]:
    """Return the messages of the day that say that no channel was left."""
    observed = context.facts.observed
    states = states_on(observed.states, ResourceKind.mq_channels, context.resource.owner_subject)
    return [state.message_id for state in open_on(states, context.site_date)]


def _cause(context: PlanContext) -> str:
    return _WHO_CONNECTS if _refused(context) else ""


def _notes(context: PlanContext, _: State) -> tuple[str, ...]:
    """Return that message and samples of the day contradict each other, where they do."""
    messages, subject = _refused(context), context.resource.owner_subject
    today = [
        day.peak
        for day in context.facts.observed.days(_CONNECTIONS, subject)
        if day.site_date == context.site_date
    ]
    limit = measured_count(context, COUNTS[KEY])
    if not messages or not today or limit is None or today[0] >= limit:
        return ()
    sentence = (
        f"{messages[0]} says that all {figure(limit)} were in use, and the highest sample of that "
        f"day{_each(context)} is {figure(today[0])}: a burst or a leak between samples, which "
        "growth does not explain and no value here is sized for"
    )
    return (sentence,)


def _each(context: PlanContext) -> str:
    """Return how often the site is sampled, in brackets; empty where it has no entry."""
    site = sysplex_of(context.resource.owner_subject)
    places = (each for each in context.facts.estate.places if each.site == site)
    place = next(places, None)
    return "" if place is None else f" (one every {duration(place.scrape_seconds)})"


_CHANNELS: Final = SingleSetting(
    kind=ResourceKind.mq_channels,
    key=KEY,
    today=lambda context: measured_count(context, COUNTS[KEY]),
    needs=("MaxChannels (qm.ini)",),
    values=lambda _, today: round_values(today, MAX_CHANNELS_MAX),
    cost=change_cost(queue_manager_restarts=1),
    text=lambda _, before, after: (
        f"Allow {figure(after)} current channels instead of {figure(before)}."
    ),
    typed=amount(TypedKind.max_channels),
    ways_out="spread the clients over more queue managers, or let them share connections",
    side_effects="MaxActiveChannels must allow as many where it is set; so must the limits of "
    "processes, threads and files of the host (mqconfig)",
).settable()
MQ_CHANNELS: Final = register(replace(_CHANNELS, cause=_cause, notes=_notes))


ALL: Final = "max_instances"
OF_CLIENT: Final = "max_client_instances"
_TYPED: Final = {ALL: TypedKind.max_instances, OF_CLIENT: TypedKind.max_client_instances}
_WORDS: Final = {
    ALL: "Allow {after} instances of the channel instead of {before}.",
    OF_CLIENT: "Allow {after} instances from one network address instead of {before}.",
}
_EFFECTS: Final = "more instances count for MaxActiveChannels and MaxChannels of the queue manager"
_WHO_OF_CHANNEL: Final = (
    "look who connects so often (DISPLAY CHSTATUS: CONNAME, RAPPLTAG); a higher limit helps only "
    "where so many instances are meant"
)


def _today(context: PlanContext) -> State | None:
    measured = {key: measured_count(context, COUNTS[key]) for key in _TYPED}
    return {key: value for key, value in measured.items() if value is not None} or None


def _grids(context: PlanContext, today: State) -> Grids:
    del context
    return {
        key: [value, *round_values(int(value), highest(SubjectKind.distributed_channel, key))]
        for key, value in today.items()
    }


def _channel_cost(context: PlanContext, today: State, after: State) -> PlanCost:
    changed = sum(after[key] != value for key, value in today.items())
    return PlanCost(work_hours=changed * context.facts.settings.plan.change_hours)


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
                side_effects=_EFFECTS,
            )


MQ_CHANNEL: Final = register(
    Settable(
        kind=ResourceKind.mq_channel,
        today=_today,
        needs=("MAXINST of the channel (DISPLAY CHANNEL)",),
        grids=_grids,
        cost=_channel_cost,
        changes=_changes,
        rises=True,
        cause=lambda _: _WHO_OF_CHANNEL,
        ways_out="fewer connections of the application, or a channel of its own for each",
    )
)
