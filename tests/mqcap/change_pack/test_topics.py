from __future__ import annotations

from typing import Final

import pytest

from mqcap.change_pack.operands import looked_up_in, operands_of, operands_page
from mqcap.change_pack.statements import statements
from mqcap.change_pack.targets import NewValue, Target, values_of_plan
from mqcap.operands.declared import SETTINGS, TOPICS, Topic
from sizing.sources import mp16
from tests.mqcap.change_pack.builders import change

OPERANDS: Final = [operand for topic in TOPICS.values() for operand in topic.operands]
WITHOUT_VALUE: Final = {"log_compression", "smds_size_pct"}
"""Statements that switch something on."""


def typed(topic: str, value: int) -> list[str]:
    return list(statements(NewValue(Target("PLEX1", ("CSQ1",), topic), value)))


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_every_kind_of_change_has_operands_checks_steps_and_back_out(topic: Topic) -> None:
    assert all((topic.name, topic.operands, topic.when))
    assert all((topic.checks, topic.steps, topic.back_out))


@pytest.mark.parametrize("topic", sorted(TOPICS.keys() - {"logs", *WITHOUT_VALUE}))
def test_every_statement_carries_its_value(topic: str) -> None:
    assert "4321" in "\n".join(typed(topic, 4_321))


@pytest.mark.parametrize(
    "key", [key for topic in TOPICS.values() for key in topic.keys if topic.lines]
)
def test_every_setting_of_a_plan_with_lines_is_typed(key: str) -> None:
    [new] = values_of_plan([change("PLEX1/CSQ1", None, **{key: 1_000})])
    assert list(statements(new)) == typed(new.target.topic, new.value)


@pytest.mark.parametrize(
    ("topic", "lines"),
    [
        ("maxchl", ["* MQSC", "ALTER QMGR MAXCHL(900)"]),
        ("adapters", ["* MQSC", "ALTER QMGR CHIADAPS(900)"]),
        (
            "smds_buffers",
            [
                "* MQSC; an override for this queue manager only",
                "ALTER SMDS(CSQ1) CFSTRUCT(++STRUCTURE++) +",
                "  DSBUFS(900)",
            ],
        ),
        (
            "log_compression",
            [
                "* MQSC until the next restart; COMPLOG in CSQ6LOGP to keep it",
                "SET LOG COMPLOG(RLE)",
            ],
        ),
        (
            "memlimit_gib",
            [
                "//* started task of the channel initiator, usually CSQ1CHIN",
                "//PROCSTEP EXEC PGM=CSQXJST,REGION=0M,MEMLIMIT=900G",
            ],
        ),
    ],
)
def test_a_command_names_the_queue_manager_and_the_value(topic: str, lines: list[str]) -> None:
    assert typed(topic, 900) == lines


@pytest.mark.parametrize("topic", ["outbuff_kb", "maxarch", "processes", "log_compression"])
def test_what_lasts_until_a_restart_only_says_how_to_keep_it(topic: str) -> None:
    text = "\n".join(typed(topic, 100))
    assert "CSQ6LOGP" in text or "BPXPRMxx" in text


def test_only_a_page_set_needs_the_queue_manager_stopped() -> None:
    stopped = {name for name, each in TOPICS.items() if each.when.startswith("with the queue")}
    assert stopped == {"page_set"}


def test_what_no_document_says_is_asked_for() -> None:
    asked = {
        name for name, each in TOPICS.items() if any(not item.source for item in each.operands)
    }
    assert asked == {"memlimit_gib", "mqm_mb", "processes", "ssltasks"}


def test_the_page_lists_every_operand_with_its_source() -> None:
    lines = list(operands_page())
    statements = lines[: lines.index("## Settings of a what-if scenario")]
    table = [line for line in statements if line.startswith("| ")][2:]
    assert len(table) == len(OPERANDS)
    to_check = [line for line in table if "**to be checked**" in line]
    assert len(to_check) == sum(not operand.source for operand in OPERANDS)


def test_the_page_lists_every_setting_of_a_scenario_with_its_range() -> None:
    lines = list(operands_page())
    table = [
        line
        for line in lines[lines.index("## Settings of a what-if scenario") :]
        if line.startswith("| ")
    ][2:]
    assert len(table) == sum(len(setting.of) for setting in SETTINGS.values())
    assert (
        "| buffer pool | `buffers` | `ALTER BUFFPOOL BUFFERS` | whole number, 100 to 999,999,999 "
        "buffers | 1000 | none | A | IBM MQ 9.2 and 10.0, DEFINE BUFFPOOL | 500,000 with "
        "LOCATION(BELOW) |"
    ) in table
    assert sum("**to be checked**" in line for line in table) == 2


def test_an_operand_names_its_range_and_its_source_or_that_it_is_to_be_checked() -> None:
    [adapters] = operands_of("adapters")
    assert adapters.startswith("ALTER QMGR CHIADAPS(n): up to 9,999, 8 by default;")
    assert "(IBM MQ reference: ChinitAdapters" in adapters
    [processes] = operands_of("processes")
    assert processes.startswith("SETOMVS MAXPROCUSER=n: 3 to 32,767 by ")
    assert processes.endswith("(in no document: to be checked).")


def test_the_sentence_on_when_to_format_a_log_is_cited() -> None:
    [formatting] = [item for item in operands_of("logs") if item.startswith("CSQJUFMT")]
    assert "only run the CSQJUFMT program before starting the queue manager" in formatting
    assert "that no BSDS lists yet" in formatting


def test_operands_cite_mp16_with_its_edition_as_rules_do() -> None:
    sources = [text for operand in OPERANDS if "MP16" in (text := looked_up_in(operand))]
    assert f"IBM MQ reference: FORMAT, COPYPAGE; {mp16('IBM MQ Utilities: CSQUTIL')}" in sources
    assert [source for source in sources if 'MP16 (14), "' not in source] == []
