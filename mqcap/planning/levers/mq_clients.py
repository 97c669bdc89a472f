"""Channels of a distributed queue manager: MaxChannels up to 65,535, and instances of one channel.

Where the error log says that all of them were in use and no sample comes near, a burst or leak
between two samples did it: growth does not explain it, and no value can be sized for it.
"""

from dataclasses import replace
from typing import Final

from mqcap.domain.console.states import open_on, states_on
from mqcap.domain.numbers import duration, figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.planning.context import PlanContext, State
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import (
    declared,
    measured_count,
    several_changes,
    several_grids,
    several_today,
)
from mqcap.whatif.sizes import COUNTS

KEY: Final = "max_channels"
_CONNECTIONS: Final = "mq_connection_count"
_WHO_CONNECTS: Final = (
    "find who connects so often (DISPLAY CHSTATUS, CONNAME), and bound it by MAXINST or MAXINSTC "
    "of its channel"
)


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
    site = Subject(context.resource.owner_subject).sysplex
    places = (each for each in context.facts.estate.places if each.site == site)
    place = next(places, None)
    return "" if place is None else f" (one every {duration(place.scrape_seconds)})"


_CHANNELS: Final = declared(
    KEY, today=lambda context: measured_count(context, COUNTS[KEY])
).settable()
MQ_CHANNELS: Final = register(replace(_CHANNELS, cause=_cause, notes=_notes))


_INSTANCES: Final = ("max_instances", "max_client_instances")
_WHO_OF_CHANNEL: Final = (
    "look who connects so often (DISPLAY CHSTATUS: CONNAME, RAPPLTAG); a higher limit helps only "
    "where so many instances are meant"
)


def _channel_cost(context: PlanContext, today: State, after: State) -> PlanCost:
    changed = sum(after[key] != value for key, value in today.items())
    return PlanCost(work_hours=changed * context.facts.settings.plan.change_hours)


MQ_CHANNEL: Final = register(
    Settable(
        kind=ResourceKind.mq_channel,
        today=lambda context: several_today(context, _INSTANCES),
        needs=("MAXINST of the channel (DISPLAY CHANNEL)",),
        grids=several_grids,
        cost=_channel_cost,
        each_change=several_changes,
        rises=True,
        cause=lambda _: _WHO_OF_CHANNEL,
        ways_out="fewer connections of the application, or a channel of its own for each",
    )
)
