"""Active logs that were full since archiving had stopped: cause and effect."""

from collections.abc import Sequence
from datetime import date
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.domain.console.states import ConsoleState, open_on
from mqcap.domain.resource import ResourceKind

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
    pairs = stops_and_full_logs(subject, every, day)
    if not pairs:
        return None
    cause = min((cause for cause, _ in pairs), key=lambda state: state.first_utc)
    effects = [effect for _, effect in pairs]
    effect = max(effects, key=lambda state: (state.message_id == ALL_FULL, state.first_utc))
    return LogOutage(cause, effect)


def is_full_without_stop(subject: str, every: Sequence[ConsoleState], day: date) -> bool:
    """Return whether logs of a queue manager were full on a day without a message of archiving.

    That is one of ``ARCHIVING_STOPPED`` before them, of which nothing had ended the state.
    """
    is_full = any(
        state.subject == subject and state.message_id in LOG_IS_FULL
        for state in open_on(every, day)
    )
    return is_full and not stops_and_full_logs(subject, every, day)


def stops_and_full_logs(
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
