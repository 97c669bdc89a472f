"""What mending the cause of a console event does, and which messages end its state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from types import MappingProxyType
from typing import Final

from mqcap.domain.console.message import where_written
from mqcap.domain.console.states import ConsoleState, open_on, states_on
from mqcap.domain.finding import Finding
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.error_log.catalogue import error_log_catalogue
from mqcap.judging.console_links import ARCHIVING_STOPPED
from mqcap.judging.observed import Observed
from sizing.rulebook.registry import all_rules

LOGS_BECOME_FREE: Final = "full active logs are archived and become free"
_EFFECTS: Final = MappingProxyType(dict.fromkeys(ARCHIVING_STOPPED, LOGS_BECOME_FREE))
"""What it does by the message of the state, beside the end of the state."""


def effect_of_cause(observed: Observed, finding: Finding) -> str:
    """Return the effect of mending what a console event reported; empty for other findings.

    Each message that reported a state of the day is named with the messages that end it (those of
    the catalogue), or with the one that has ended it.
    """
    if not finding.is_event:
        return ""
    kind = all_rules()[finding.rule_id].traits.resource
    states = open_on(states_on(observed.states, kind, finding.subject), observed.last)
    parts = [*_effects(states, observed.last), *_ends(states, observed.last)]
    return "; ".join(dict.fromkeys(parts))


def _effects(states: Iterable[ConsoleState], day: date) -> Iterator[str]:
    for state in states:
        if state.message_id in _EFFECTS and not _is_over(state, day):
            yield _EFFECTS[state.message_id]


def _is_over(state: ConsoleState, day: date) -> bool:
    return state.ended_utc is not None and state.last_date <= day


def _ends(states: Iterable[ConsoleState], day: date) -> Iterator[str]:
    for state in states:
        if _is_over(state, day):
            yield f"{state.ended_by} has ended the state of {state.message_id}"
            continue
        ends = _ended_by(state.message_id)
        if not ends:
            yield f"no message ends the state of {state.message_id}, which counts on its own day"
            continue
        *most, last = ends
        named = f"{', '.join(most)} or {last}" if most else last
        yield f"{named} {where_written(last)} ends the state of {state.message_id}"


def _ended_by(message_id: str) -> tuple[str, ...]:
    """Return the messages that end a state; empty too where the catalogues no longer have it."""
    entry = catalogue().get(message_id) or error_log_catalogue().get(message_id)
    return entry.ended_by if entry is not None else ()
