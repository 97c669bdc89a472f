"""Records of error logs and the catalogue of their messages."""

import json
from datetime import UTC, datetime

import pytest

from mqcap.domain.console.states import (
    CatalogueEntry,
    ConsoleMessage,
    MessageKind,
    TextCertainty,
    states_of,
)
from mqcap.domain.finding import Severity
from mqcap.domain.resource import ResourceKind
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.error_log.records import LogRecord, error_log_catalogue, json_records
from mqcap.ingest.error_log.records import line_records as records_of
from mqcap.ingest.json_documents import documents
from mqcap.ingest.text_reading import Omissions

TEXT = """14/06/2026 04:08:52 - Process(4000.4) User(mqm) Program(amqzxma0)
                      Host(mq1) Installation(Installation1)
                      VRMF(9.3.0.5) QMgr(PAY.QM)
                      Time(2026-06-14T04:08:52.545Z)
                      ArithInsert1(41.06)
                      CommentInsert1(/var/mqm (shared))

AMQ5782I: File system containing '/var/mqm' is 41.06% used, 38627MB
free.

EXPLANATION:
AMQ7463E: would be another matter.
ACTION:
None.
----- amqqmlog.c : 402 --------------------------------------------------------
"""
ENTRIES = list(error_log_catalogue().values())
BREACHES = [entry for entry in ENTRIES if entry.begins_state]
AT = datetime(2026, 6, 10, 18, tzinfo=UTC)


def line_records(lines: list[str]) -> list[LogRecord]:
    return list(records_of(lines, Omissions()))


@pytest.mark.parametrize("end", ["-" * 79, "----- amqxxx.cpp : 7 " + "-" * 40, None])
def test_a_record_ends_with_dashes_or_where_the_next_one_begins(end: str | None) -> None:
    lines = TEXT.splitlines()
    ended = lines[:-1] + ([end] if end else [])
    assert [record.message_id for record in line_records(ended * 3)] == ["AMQ5782"] * 3


def test_a_record_without_message_has_no_id() -> None:
    lines = TEXT.splitlines()
    found = line_records([*lines[:5], *lines[:7], lines[-1]])
    assert [record.message_id for record in found] == ["", ""]


def test_lines_of_a_container_are_found_among_others_and_behind_another_stamp() -> None:
    line = (
        "2026-03-14T03:00:11.501Z AMQ7490I: 125 created. [ArithInsert1(125), CommentInsert1(6 (x))]"
    )
    lines = [
        "2026-03-14T03:00:02Z Image tag: x",
        line,
        f"2026-03-14T03:00:12.9Z {line}",
        "AMQ7490I: x",
    ]
    found = line_records(lines)
    assert [record.line_number for record in found] == [2, 3]
    assert {record.time for record in found} == {"2026-03-14T03:00:11.501Z"}
    assert found[0].inserts == {"ArithInsert1": "125", "CommentInsert1": "6 (x)"}


def test_a_value_that_is_null_or_of_a_collector_is_not_there() -> None:
    nothing = dict.fromkeys(("ibm_serverName", "ibm_sequence", "ibm_arithInsert1"))
    document = {"ibm_messageId": "AMQ7463E", "ibm_datetime": "", "host": {"name": "n"}, **nothing}
    [record] = json_records(documents(iter([json.dumps(document)])))
    assert record == LogRecord("AMQ7463", "", 1)


def test_a_text_record_may_have_lost_its_indentation() -> None:
    [whole], [bare] = (
        line_records(text.splitlines())
        for text in (TEXT, "".join(line.lstrip() + "\n" for line in TEXT.splitlines()))
    )
    assert bare == whole


def test_an_id_within_the_text_is_not_that_of_the_record() -> None:
    lines = TEXT.replace("AMQ5782I: File", "Without an id: File").splitlines()
    assert [record.message_id for record in line_records(lines)] == ["none"]


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


def test_a_message_is_known_by_its_id_and_says_how_sure_that_is() -> None:
    for entry in ENTRIES:
        assert entry.id not in catalogue()
        assert entry.pattern == entry.capacity_only == entry.reader == ""
        assert entry.state
        assert entry.certainty in {TextCertainty.A, TextCertainty.B}
        assert set(entry.ended_by) <= error_log_catalogue().keys()


@pytest.mark.parametrize("entry", BREACHES, ids=lambda entry: entry.id)
def test_a_state_counts_on_its_own_day_and_a_start_or_an_end_is_its_end(
    entry: CatalogueEntry,
) -> None:
    [alone] = states_of([message(entry.id, 1)], error_log_catalogue(), lambda at, _: at.date())
    assert (alone.site_date, alone.last_date, alone.ended_by) == (AT.date(), AT.date(), "")
    is_warning = entry.kind is MessageKind.near_exhaustion
    for end in ("AMQ8003", "AMQ8004"):
        both = [message(entry.id, 1), message(end, 2)]
        [ended] = states_of(both, error_log_catalogue(), lambda at, _: at.date())
        assert ended.ended_by == ("" if is_warning else end)
