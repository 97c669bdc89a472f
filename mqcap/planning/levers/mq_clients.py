"""Channels of a distributed queue manager: MaxChannels up to 65,535, and instances of one channel.

Where the error log says that all of them were in use and no sample comes near, a burst or leak
between two samples did it: growth does not explain it, and no value can be sized for it.
"""

from typing import Final

from mqcap.domain.console.states import open_on, states_on
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.planning.context import PlanContext, State
from mqcap.planning.settable import measured_count, operand, register

_LIMIT: Final = "max_channels"
_CONNECTIONS: Final = "mq_connection_count"
_WHO_CONNECTS: Final = (
    "find who connects so often (DISPLAY CHSTATUS, CONNAME), and bound it by MAXINST or MAXINSTC "
    "of its channel"
)


def _refused(context: PlanContext) -> list[str]:
    observed = context.facts.observed
    states = states_on(observed.states, ResourceKind.mq_channels, context.owner_subject)
    return [state.message_id for state in open_on(states, context.site_date)]


def _notes(context: PlanContext, _: State) -> tuple[str, ...]:
    """Return that message and samples of the day contradict each other, where they do."""
    messages, subject = _refused(context), context.owner_subject
    today = [
        day.peak
        for day in context.facts.observed.days(_CONNECTIONS, subject)
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
    notes=_notes,
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
