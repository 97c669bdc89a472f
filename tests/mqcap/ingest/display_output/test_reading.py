"""Pasted answers become facts, whatever log they were cut from."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.domain.errors import InputError
from mqcap.ingest.display_output.reading import LOG_NAME, facts_of, read_displays
from tests.mqcap.ingest.display_output import samples


def found(text: str, thing: str = "") -> dict[str, Any]:
    return {
        fact.key: fact.value
        for fact in facts_of(text.splitlines(), "pasted.txt")
        if fact.thing == thing
    }


def test_display_log_gives_what_holds_now() -> None:
    facts = found(samples.DISPLAY_LOG)
    assert facts["dual_logging"] is True
    assert facts["outbuff_kb"] == 4_000
    assert facts["maxarch"] == 500
    assert facts["complog"] == "RLE"
    assert facts["active_logs_all_copies"] == 16


def test_every_fact_says_where_it_was_read() -> None:
    facts = list(facts_of(samples.DISPLAY_LOG.splitlines(), "pasted.txt"))
    assert {fact.queue_manager for fact in facts} == {"CSQ1"}
    [outbuff] = [fact for fact in facts if fact.key == "outbuff_kb"]
    assert outbuff.source == "DISPLAY LOG (CSQJ322I), pasted.txt line 6"


LOG_SWITCH = (
    "CSQJ001I +CSQ1 CURRENT COPY 2 ACTIVE LOG DATA SET IS\n"
    "DSNAME=CSQ1.LOGCOPY2.DS02, STARTRBA=00000003C0000000\nENDRBA=00000003DFFFFFFF"
)
WITHOUT_INTERVAL = samples.DISPLAY_SYSTEM.replace("STATIME     30", "STATIME     0")


@pytest.mark.parametrize(
    ("text", "thing", "expected"),
    [
        (samples.DISPLAY_SYSTEM, "",
         {"logload": 4_000_000, "interval_minutes": 30.0, "qsg": "QSG1"}),
        (WITHOUT_INTERVAL, "", {"logload": 4_000_000, "qsg": "QSG1"}),  # that of SMF
        (samples.DISPLAY_USAGE, "page set 3", {"total_pages": 268_542, "buffer_pool": 1}),
        (samples.DISPLAY_USAGE, "buffer pool 1", {"buffers": 20_000}),
        (samples.DISPLAY_QMGR, "",
         {"qsg": "QSG1", "maxchl": 3_000, "actchl": 2_500, "chiadaps": 30, "chidisps": 20}),
        (samples.DISPLAY_CFSTATUS, "", {}),
        (samples.DISPLAY_CFSTATUS, "structure CSQ_ADMIN",
         {"size_kib": 20_480, "entries_max": 20_638}),
        (LOG_SWITCH, "", {"active_log_size_mib": 512, "dual_logging": True}),
        (samples.STORAGE, "", {"chinit_31bit_limit_mib": 1_588}),
    ],
)  # fmt: skip
def test_a_response_gives_what_it_says_of_each_object(
    text: str, thing: str, expected: dict[str, Any]
) -> None:
    assert found(text, thing) == expected


def test_a_print_of_the_bsds_gives_number_size_and_copies() -> None:
    facts = list(facts_of(samples.BSDS_PRINT.splitlines(), "bsds.txt"))
    names = [fact.value for fact in facts if fact.key == LOG_NAME]
    assert names == [
        *(f"MQM.CSQ1.LOGCOPY1.DS0{number}" for number in (1, 2, 3)),
        *(f"MQM.CSQ1.LOGCOPY2.DS0{number}" for number in (1, 2)),
    ]
    facts = [fact for fact in facts if fact.key != LOG_NAME]
    values = [(fact.queue_manager, fact.key, fact.value) for fact in facts]
    assert values == [
        ("CSQ1", "active_logs", 3),
        ("CSQ1", "dual_logging", True),
        ("CSQ1", "active_log_size_mib", 2_048),
    ]
    assert facts[2].source == "print log map, bsds.txt line 7"


def test_logs_cut_short_or_never_used_do_not_give_the_size() -> None:
    cut = "\n".join(
        line for line in samples.BSDS_PRINT.splitlines()
        if "FFFFFFFF" not in line and "AAB3C3FFF" not in line
    )  # fmt: skip
    assert "active_log_size_mib" not in found(cut)


def test_logs_of_two_sizes_are_both_reported() -> None:
    text = samples.BSDS_PRINT.replace("0000001AAB3C3FFF", "0000001B2B3C3FFF")
    sizes = [
        fact.value
        for fact in facts_of(text.splitlines(), "bsds.txt")
        if fact.key == "active_log_size_mib"
    ]
    assert sizes == [2_048, 4_096]


HARDCOPY = "N 0000000 PRD1     2026069 08:30:00.17 STC04712 00000090  "
JOB_LOG = " 08.30.00 STC04712  "
PREFIXES = [
    ("hardcopy log", HARDCOPY, "S                                        "),
    ("hardcopy block", HARDCOPY, "D                                           214 00000090  "),
    ("job log", JOB_LOG, "    11              "),
    ("carriage control", "1", " "),
    ("attention", "*", ""),
]


@pytest.mark.parametrize(
    ("first", "more"), [prefix[1:] for prefix in PREFIXES], ids=[prefix[0] for prefix in PREFIXES]
)
@pytest.mark.parametrize("sample", sorted(samples.ALL))
def test_whatever_the_log_puts_before_a_line_does_not_matter(
    sample: str, first: str, more: str
) -> None:
    plain = samples.ALL[sample]
    lines = [
        f"{first if line.startswith(('CSQ', '+')) else more}{line.removeprefix('1')}"
        for line in plain.splitlines()
    ]
    before = [fact[:4] for fact in facts_of(plain.splitlines(), "a")]
    assert [fact[:4] for fact in facts_of(lines, "a")] == before


@settings(max_examples=40)
@given(text=st.text(alphabet="CSQJ32I+ ()0123456789ABCDEF\nDN=ACTIVELOGCOPY.", max_size=400))
def test_anything_else_gives_nothing_and_no_error(text: str) -> None:
    for fact in facts_of(text.splitlines(), "a"):
        assert fact.line <= text.count("\n") + 1


@settings(max_examples=40)
@given(rows=st.lists(st.sampled_from(samples.BSDS_PRINT.splitlines()), max_size=30))
def test_a_torn_print_is_read_as_far_as_it_goes(rows: list[str]) -> None:
    for fact in facts_of(rows, "a"):
        assert fact.key in {"active_logs", "dual_logging", "active_log_size_mib", LOG_NAME}
        assert fact.key != "active_log_size_mib" or float(fact.value) > 0


@pytest.mark.parametrize("prefix", ["+CSQ1", "!CSQ1", "CSQ1", "%CSQ1"])
def test_any_command_prefix_is_understood(prefix: str) -> None:
    text = samples.DISPLAY_LOG.replace("+CSQ1", prefix)
    assert {fact.queue_manager for fact in facts_of(text.splitlines(), "a")} == {"CSQ1"}


def test_a_file_without_any_answer_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear colleague", encoding="utf-8")
    with pytest.raises(InputError, match=r"no output of a DISPLAY .*'Dear colleague'"):
        read_displays(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_displays(tmp_path / "none.txt")


LOG_MAP = """ACTIVE LOG COPY 1 DATA SETS
000000000000 00000FFFFFFF  2025.069 08:30:00.1
  DSN=CSQ1.LOGCOPY1.DS01
  STATUS=REUSABLE
000010000000 00001FFFFFFF DSN=CSQ1.LOGCOPY1.DS02 STATUS=TRUNCATED, REUSABLE
ARCHIVE LOG COPY 1 DATA SETS
000000000000 00000FFFFFFF DSN=CSQ1.ARCHIVE.A1
COPY 2 ACTIVE LOG
00000000000000000000 no range
0000000000000000 000000000FFFFFFF DSN=CSQ1.LOGCOPY2.DS01 STATUS=NOTREUSABLE
"""


def test_active_logs_of_both_copies_are_read_and_archives_are_not() -> None:
    facts = facts_of(LOG_MAP.splitlines(), "map.txt")
    assert [(fact.thing, fact.value, fact.line) for fact in facts if fact.key == LOG_NAME] == [
        ("copy 1", "CSQ1.LOGCOPY1.DS01", 2),
        ("copy 1", "CSQ1.LOGCOPY1.DS02", 5),
        ("copy 2", "CSQ1.LOGCOPY2.DS01", 10),
    ]
