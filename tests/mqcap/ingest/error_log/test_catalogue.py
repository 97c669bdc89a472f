"""The catalogue of messages of error logs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mqcap.domain.console.message import ConsoleMessage, MessageKind, TextCertainty
from mqcap.domain.console.states import states_of
from mqcap.domain.finding import Severity
from mqcap.domain.resource import ResourceKind
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.error_log.catalogue import error_log_catalogue, outcome_messages

ENTRIES = list(error_log_catalogue().values())
BREACHES = [entry for entry in ENTRIES if entry.begins_state]
AT = datetime(2026, 6, 10, 18, tzinfo=UTC)


def message(message_id: str, hour: int) -> ConsoleMessage:
    entry = error_log_catalogue()[message_id]
    return ConsoleMessage(
        message_id=message_id,
        at_utc=AT.replace(hour=hour),
        resource_kind=entry.resource,
        subject="EAST/QM1",
        owner="EAST/QM1",
        text=message_id,
        file_name="AMQERR01.LOG",
        line_number=hour,
    )


def test_the_breaches_of_a_resource_are_those_that_the_error_log_tells() -> None:
    assert {entry.id: entry.resource for entry in BREACHES} == {
        "AMQ6708": ResourceKind.mq_log_file_system,
        "AMQ6709": ResourceKind.mq_log,
        "AMQ7463": ResourceKind.mq_log,
        "AMQ7465": ResourceKind.mq_log,
        "AMQ7466": ResourceKind.mq_log,
        "AMQ7469": ResourceKind.mq_log,
        "AMQ9513": ResourceKind.mq_channels,
    }
    assert {entry.severity for entry in BREACHES} == {Severity.act}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_a_message_is_known_by_its_id_and_says_how_sure_that_is(entry: object) -> None:
    assert entry in ENTRIES
    known = error_log_catalogue()[getattr(entry, "id", "")]
    assert known.id not in catalogue()
    assert known.pattern == known.capacity_only == known.reader == ""
    assert known.state
    assert known.certainty in {TextCertainty.A, TextCertainty.B}
    assert set(known.ended_by) <= error_log_catalogue().keys()


@pytest.mark.parametrize("entry", BREACHES, ids=lambda entry: entry.id)
def test_a_state_counts_on_its_own_day_and_a_start_or_an_end_is_its_end(entry: object) -> None:
    own = error_log_catalogue()[getattr(entry, "id", "")]
    [alone] = states_of([message(own.id, 1)], error_log_catalogue(), lambda at, _: at.date())
    assert (alone.site_date, alone.last_date, alone.ended_by) == (AT.date(), AT.date(), "")
    for end in ("AMQ8003", "AMQ8004"):
        both = [message(own.id, 1), message(end, 2)]
        [ended] = states_of(both, error_log_catalogue(), lambda at, _: at.date())
        is_warning = own.kind is MessageKind.near_exhaustion
        assert ended.ended_by == ("" if is_warning else end)


def test_outcomes_are_the_messages_that_begin_or_end_a_state() -> None:
    assert outcome_messages() == {entry.id for entry in BREACHES} | {"AMQ8003", "AMQ8004"}
    assert {"AMQ5782", "AMQ7490"}.isdisjoint(outcome_messages())
