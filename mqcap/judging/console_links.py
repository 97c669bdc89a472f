"""What the console reported beside a state: before and after it, and on earlier days."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from mqcap.domain.console.log_outage import ARCHIVING_STOPPED, log_outage, stops_and_full_logs
from mqcap.domain.console.states import ConsoleState
from mqcap.domain.numbers import counted, duration
from mqcap.domain.resource import ResourceKind
from mqcap.presentation.dates import short_day

EARLIER_DAYS_NAMED: Final = 3
"""Earlier days that a sentence names, the last ones; the others are counted (ours)."""


def clock_words(moment: datetime, begins: date, day: date, zone: str) -> str:
    """Return the time on the clock of the console, with the day where it is another."""
    clock = f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
    return clock if begins == day else f"{clock} on {begins}"


def incident_words(
    today: Sequence[ConsoleState], every: Sequence[ConsoleState], day: date, zone: str
) -> str:
    """Return cause, effect and how long the logs lasted between them; empty for other events.

    Args:
        today: The states of one resource that count on the day, the gravest first.
        every: All states of the window, of all resources.
        day: The day.
        zone: Time zone of the console.
    """
    if today[0].resource_kind is not ResourceKind.active_log:
        return ""
    outage = log_outage(today[0].subject, every, day)
    if outage is None:
        return ""
    cause, effect = outage
    at = clock_words(cause.first_utc, cause.site_date, day, zone)
    full = clock_words(effect.first_utc, effect.site_date, day, zone)
    until = ""
    if effect.ended_utc is not None and effect.last_date <= day:
        until = f" to {clock_words(effect.ended_utc, effect.last_date, day, zone)}"
    return (
        f"{ARCHIVING_STOPPED[cause.message_id]} at {at} ({cause.message_id}); the logs lasted "
        f"{duration(outage.lasted_s)}: {effect.state} from {full}{until} ({effect.message_id})."
    )


def linked_words(
    today: Sequence[ConsoleState], every: Sequence[ConsoleState], day: date, zone: str
) -> str:
    """Return what archiving and active logs of a queue manager have to do with each other.

    Args:
        today: The states of one resource that count on the day, the gravest first.
        every: All states of the window, of all resources.
        day: The day.
        zone: Time zone of the console.
    """
    pairs = stops_and_full_logs(today[0].subject, every, day)
    if not pairs:
        return ""
    if today[0].resource_kind is ResourceKind.active_log:
        cause = min((cause for cause, _ in pairs), key=lambda state: state.first_utc)
        since = clock_words(cause.first_utc, cause.site_date, day, zone)
        words = ARCHIVING_STOPPED[cause.message_id]
        return f"Before it, {words} from {since} ({cause.message_id})."
    if today[0].resource_kind is ResourceKind.archive:
        effect = pairs[0][1]
        at = clock_words(effect.first_utc, effect.site_date, day, zone)
        return f"After it: {effect.state} at {at} ({effect.message_id})."
    return ""


def earlier_words(today: Sequence[ConsoleState], own: Sequence[ConsoleState], day: date) -> str:
    """Return the earlier days on which the same messages began a state; empty without any."""
    messages = {state.message_id for state in today}
    begun = {state.site_date for state in own if state.message_id in messages}
    days = sorted(date_ for date_ in begun if date_ < day)
    if not days:
        return ""
    named = [short_day(date_) for date_ in days[-EARLIER_DAYS_NAMED:]]
    rest = len(days) - EARLIER_DAYS_NAMED
    if rest > 0:
        named.insert(0, counted(rest, "earlier day"))
    *most, last = named
    return f"Also on {', '.join(most)} and {last}." if most else f"Also on {last}."
