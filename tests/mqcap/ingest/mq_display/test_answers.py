"""Captures and their records."""

from __future__ import annotations

import pytest

from mqcap.ingest.mq_display.answers import NATIVE_HA, captures

STAMP = "QMNAME(QM1)       STATUS(RUNNING) NOW(2026-07-09T00:15:00-0500)"


def values(*lines: str) -> dict[str, str]:
    [capture] = captures([STAMP, "AMQ8409I: Details.", *lines])
    [record] = capture.records
    return record.values


def test_a_stamp_begins_a_capture() -> None:
    first, second = captures(["5724-H72", STAMP, "", STAMP.replace("QM1", "qm1 ")])
    assert (first.qmgr, first.status, first.now, first.line_number) == (
        "QM1",
        "RUNNING",
        "2026-07-09T00:15:00-0500",
        2,
    )
    assert second.qmgr == "qm1"


def test_a_stamp_without_time_is_one_without_time() -> None:
    [capture] = captures(["QMNAME(QM1)   STATUS(ENDED UNEXPECTEDLY)"])
    assert (capture.status, capture.now) == ("ENDED UNEXPECTEDLY", None)


def test_a_record_has_the_keys_of_all_its_columns() -> None:
    assert values("   QUEUE(A.B)              TYPE(QLOCAL)", "   MAXDEPTH(5) CURRENT USAGE( )") == {
        "QUEUE": "A.B",
        "TYPE": "QLOCAL",
        "MAXDEPTH": "5",
        "USAGE": "",
    }


def test_brackets_within_a_value_belong_to_it() -> None:
    text = "   DESCR(a (nested) text, with KEY(VALUE) in it)  MAXDEPTH(7)"
    assert values(text, "   CONNAME(peer(1414))   QTIME( , )") == {
        "DESCR": "a (nested) text, with KEY(VALUE) in it",
        "MAXDEPTH": "7",
        "CONNAME": "peer(1414)",
        "QTIME": ",",
    }


def test_a_value_whose_brackets_do_not_match_ends_with_its_line() -> None:
    assert values("   DESCR(a ( b)", "   USAGE(NORMAL)") == {"DESCR": "a ( b", "USAGE": "NORMAL"}


def test_messages_are_known_with_and_without_their_letter_in_any_language() -> None:
    lines = [STAMP, "AMQ8450: Details zum Status", "   CURDEPTH(1)", "AMQ8450I: x", "Fertig."]
    [capture] = captures(lines)
    assert [record.message for record in capture.records] == ["AMQ8450", "AMQ8450"]


def test_instances_of_native_ha_are_records_of_their_own_line() -> None:
    lines = [
        "AMQ8705I: x",
        "   CONNS(4)",
        " INSTANCE(inst-2) ROLE(REPLICA) BACKLOG(0) INSYNC(YES) SYNCTIME(2026-07-09T05:14:59.1Z)",
        " GRPNAME(Rome) GRPROLE(Recovery) INSYNC(NO)",
        "   INSTANCE(inst-3) ROLE(Unknown) INSYNC(NO)",
    ]
    for copy in (lines, [line.strip() for line in lines]):
        [capture] = captures([STAMP, *copy])
        assert [record.message for record in capture.records] == ["AMQ8705", NATIVE_HA, NATIVE_HA]
        assert capture.records[0].values == {"CONNS": "4"}
        assert [record.values["INSYNC"] for record in capture.records[1:]] == ["YES", "NO"]


def test_a_role_with_a_time_begins_a_capture_of_native_ha_alone() -> None:
    text = "QMNAME(QM1) ROLE(ACTIVE) INSTANCE(inst-1) INSYNC(YES)"
    [plain] = captures([STAMP, text])
    assert not plain.is_native_ha
    _, role = captures([STAMP, f"{text} NOW(2026-07-09T00:15:00-0500)"])
    assert (role.is_native_ha, role.status) == (True, "ACTIVE")
    assert list(captures([text])) == []


@pytest.mark.parametrize(
    "text", ["sad :-( face", "glad :-) face", ") (", "a (B) C(D)", "(", ":-) KEY IT", "a ) b ( c ("]
)
def test_a_text_with_single_brackets_ends_where_the_next_key_begins(text: str) -> None:
    line = f"   DESCR({text})".ljust(43)
    assert values(f"{line} MAXDEPTH(7)")["MAXDEPTH"] == "7"
    assert values(line.rstrip(), "   MAXDEPTH(7)") == {"DESCR": text, "MAXDEPTH": "7"}
