from __future__ import annotations

from mqcap.change_pack.operands import OPERANDS, operands_of, operands_page
from mqcap.change_pack.statements import WRITTEN
from sizing.operands import operand_ranges
from sizing.sources import mp16


def test_every_statement_has_its_operands_looked_up_or_says_that_it_has_not() -> None:
    assert {operand.topic for operand in OPERANDS} == {*WRITTEN, "logs"}
    asked = {operand.topic for operand in OPERANDS if not operand.source}
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
    assert len(table) == len(operand_ranges())
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
    sources = [operand.source for operand in OPERANDS if "MP16" in operand.source]
    assert f"IBM MQ reference: FORMAT, COPYPAGE; {mp16('IBM MQ Utilities: CSQUTIL')}" in sources
    assert [source for source in sources if 'MP16 (14), "' not in source] == []
