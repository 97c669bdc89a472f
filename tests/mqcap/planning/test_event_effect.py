"""What mending the cause of a console event does, and which messages end its state."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from mqcap.domain.console.states import ConsoleState
from mqcap.domain.resource import ResourceKind
from mqcap.judging.observed import Observed
from mqcap.planning.event_effect import effect_of_cause
from tests.factories import DAY, NOON, console_state, finding

FREED = "full active logs are archived and become free"


def failed(message_id: str, **changed: Any) -> ConsoleState:
    return console_state(message_id, resource_kind=ResourceKind.archive, **changed)


def effect(*states: ConsoleState, rule_id: str = "CONSOLE-ARCHIVE", is_event: bool = True) -> str:
    observed = Observed([], DAY, 35, states=states)
    return effect_of_cause(observed, finding(rule_id=rule_id, is_event=is_event))


@pytest.mark.parametrize(
    ("message_id", "words"),
    [
        ("CSQJ115E", f"{FREED}; CSQJ003I, CSQJ033I or CSQJ139I on the console ends the state of"),
        ("CSQJ164I", f"{FREED}; CSQJ139I on the console ends the state of"),
        ("CSQJ124E", f"{FREED}; no message ends the state of"),
        ("CSQJ114I", "no message ends the state of"),
        ("CSQJ999E", "no message ends the state of"),
    ],
)
def test_the_effect_names_what_becomes_free_and_the_messages_that_end_the_state(
    message_id: str, words: str
) -> None:
    assert effect(failed(message_id)).startswith(f"{words} {message_id}")


def test_a_state_that_has_ended_names_the_message_that_ended_it() -> None:
    ended = failed("CSQJ115E", ended_utc=NOON, ended_by="CSQJ139I")
    assert effect(ended) == "CSQJ139I has ended the state of CSQJ115E"
    assert effect(ended, failed("CSQJ128E")).startswith(FREED)


def test_an_end_on_a_later_day_is_not_known_yet() -> None:
    later = DAY + timedelta(days=1)
    ended = failed("CSQJ115E", ended_utc=NOON, ended_by="CSQJ139I", last_date=later)
    assert "has ended" not in effect(ended)


def test_what_several_states_share_is_named_once_and_other_days_not_at_all() -> None:
    earlier = failed(
        "CSQJ128E", site_date=DAY - timedelta(days=9), last_date=DAY - timedelta(days=9)
    )
    words = effect(failed("CSQJ115E"), failed("CSQJ164I"), earlier)
    assert words.count(FREED) == 1
    assert words.count("ends the state") == 2
    assert "CSQJ128E" not in words


def test_messages_of_error_logs_end_in_the_error_log() -> None:
    full = console_state("AMQ7463", resource_kind=ResourceKind.mq_log)
    words = effect(full, rule_id="DST-ERRORLOG-LOG")
    assert words == "AMQ8003 or AMQ8004 in the error log ends the state of AMQ7463"


def test_a_finding_that_is_no_event_has_no_effect_of_this_kind() -> None:
    assert effect(failed("CSQJ115E"), is_event=False) == ""
