"""What the console reported beside a state: before and after it, and on earlier days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from mqcap.domain.console.states import ConsoleState, open_on
from mqcap.domain.numbers import counted, duration
from mqcap.domain.resource import ResourceKind
from mqcap.presentation.dates import short_day

ARCHIVING_STOPPED: Final = MappingProxyType(
    {
        "CSQJ115E": "archiving failed",
        "CSQJ124E": "archiving was suspended",
        "CSQJ128E": "the offload task failed",
        "CSQJ164I": "archiving was delayed",
    }
)
"""Messages after which full active logs stay full, in words."""
ALL_FULL: Final = "CSQJ111A"
LOG_IS_FULL: Final = frozenset({"CSQJ110E", ALL_FULL})
"""Messages of active logs that are full, or all but one."""
EARLIER_DAYS_NAMED: Final = 3
"""Earlier days that a sentence names, the last ones; the others are counted (ours)."""


def clock_words(moment: datetime, begins: date, day: date, zone: str) -> str:
    """Return the time on the clock of the console, with the day where it is another."""
    clock = f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
    return clock if begins == day else f"{clock} on {begins}"


class LogOutage(NamedTuple):
    """Logs that were full since archiving had stopped: cause and effect."""

    cause: ConsoleState
    effect: ConsoleState

    @property
    def lasted_s(self) -> float:
        """Seconds for which the logs lasted without archiving."""
        return (self.effect.first_utc - self.cause.first_utc).total_seconds()


def log_outage(subject: str, every: Sequence[ConsoleState], day: date) -> LogOutage | None:
    """Return how logs of a queue manager became full on a day; ``None`` without a stop before."""
    pairs = _stops_and_full_logs(subject, every, day)
    if not pairs:
        return None
    cause = min((cause for cause, _ in pairs), key=lambda state: state.first_utc)
    effects = [effect for _, effect in pairs]
    effect = max(effects, key=lambda state: (state.message_id == ALL_FULL, state.first_utc))
    return LogOutage(cause, effect)


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
    pairs = _stops_and_full_logs(today[0].subject, every, day)
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


def is_full_without_stop(subject: str, every: Sequence[ConsoleState], day: date) -> bool:
    """Return whether logs of a queue manager were full on a day without a message of archiving.

    That is one of ``ARCHIVING_STOPPED`` before them, of which nothing had ended the state.
    """
    is_full = any(
        state.subject == subject and state.message_id in LOG_IS_FULL
        for state in open_on(every, day)
    )
    return is_full and not _stops_and_full_logs(subject, every, day)


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


def _stops_and_full_logs(
    subject: str, every: Sequence[ConsoleState], day: date
) -> list[tuple[ConsoleState, ConsoleState]]:
    """Return the states of a day after which full logs stay full, each with one that followed."""
    own = [state for state in open_on(every, day) if state.subject == subject]
    stopped = [state for state in own if _is_stop(state)]
    full = [state for state in own if state.message_id in LOG_IS_FULL]
    return [(cause, effect) for cause in stopped for effect in full if _is_before(cause, effect)]


def _is_stop(state: ConsoleState) -> bool:
    return state.resource_kind is ResourceKind.archive and state.message_id in ARCHIVING_STOPPED


def _is_before(cause: ConsoleState, effect: ConsoleState) -> bool:
    """Return whether a state began before another one and had not ended when that began."""
    is_over = cause.ended_utc is not None and cause.ended_utc < effect.first_utc
    return cause.first_utc <= effect.first_utc and not is_over
