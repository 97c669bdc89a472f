from __future__ import annotations

import pytest

from mqcap.change_pack.operands import OPERANDS, operands_page, unverified
from mqcap.change_pack.statements import WRITTEN
from mqcap.domain.finding import Finding
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.store.database import Store
from sizing.operands import operand_ranges
from sizing.sources import mp16
from tests.mqcap.change_pack.builders import finding, pack


def test_every_statement_has_its_operands_looked_up_or_says_that_it_has_not() -> None:
    assert {operand.topic for operand in OPERANDS} == {*WRITTEN, "logs"}
    asked = {operand.topic for operand in OPERANDS if not operand.source}
    assert asked == {"memlimit_gib", "processes"}


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (
            finding("CHI-80-64BIT", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.memlimit_gib, 3)),
            "step name PROCSTEP",
        ),
        (
            finding("CHI-OMVS", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.processes, 90)),
            "SETOMVS MAXPROCUSER=n",
        ),
        (finding("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.maxchl, 900)), ""),
    ],
    ids=["memlimit", "processes", "known"],
)
def test_a_pack_names_the_operands_that_were_found_in_no_document(
    engine: Store, made: Finding, line: str
) -> None:
    text = pack(engine, made)
    assert ("operands to be checked, found in no document" in text) is bool(line)
    assert line in text


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


def test_an_operand_that_was_looked_up_is_not_asked_for_again() -> None:
    assert list(unverified("buffers")) == []
    [line] = unverified("processes")
    assert line.startswith("SETOMVS MAXPROCUSER=n: 3 to 32,767 by ")


def test_operands_cite_mp16_with_its_edition_as_rules_do() -> None:
    sources = [operand.source for operand in OPERANDS if "MP16" in operand.source]
    assert f"IBM MQ reference: FORMAT, COPYPAGE; {mp16('IBM MQ Utilities: CSQUTIL')}" in sources
    assert [source for source in sources if 'MP16 (14), "' not in source] == []
