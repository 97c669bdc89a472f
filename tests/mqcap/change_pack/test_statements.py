from __future__ import annotations

import pytest

from mqcap.change_pack.pack import WIDTH
from mqcap.change_pack.statements import PAGE_SET_SIMPLE_MAX_CYLINDERS, needs_of, statements
from mqcap.change_pack.targets import RequestedChange, Target
from mqcap.domain.finding import Finding
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.store.database import Store
from tests.mqcap.change_pack.builders import finding, pack
from tests.mqcap.rulebook.builders import (
    QUEUE_MANAGER,
)


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (
            finding("BP-FREE-15", "PLEX1/CSQ1/BP01", TypedAmount.of(TypedKind.buffers, 60_000)),
            "ALTER BUFFPOOL(1) BUFFERS",
        ),
        (
            finding("PS-EXPAND-90", "PLEX1/CSQ1/PS03", TypedAmount.of(TypedKind.cylinders, 700)),
            "//CSQP0003 DD",
        ),
        (
            finding("PS-EXPAND-90", "PLEX1/CSQ1/PS03", TypedAmount.of(TypedKind.cylinders, 9_000)),
            "EXTENDED-ADDRESSABILITY",
        ),
        (
            finding("CHI-80-64BIT", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.memlimit_gib, 3)),
            "MEMLIMIT=3G",
        ),
        (
            finding("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.maxchl, 900)),
            "ALTER QMGR MAXCHL(900)",
        ),
        (
            finding("LOG-OUTBUFF-WTB", QUEUE_MANAGER, TypedAmount.of(TypedKind.outbuff_kb, 4_000)),
            "OUTBUFF=4000",
        ),
        (
            finding("LOG-FILL-30MIN", QUEUE_MANAGER, TypedAmount.of(TypedKind.log_compression)),
            "SET LOG COMPLOG(RLE)",
        ),
        (
            finding("LOG-MAXARCH", QUEUE_MANAGER, TypedAmount.of(TypedKind.maxarch, 800)),
            "SET LOG MAXARCH(800)",
        ),
        (
            finding(
                "CHI-ADAPTER-UNUSED", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.adapters, 60)
            ),
            "CHIADAPS(60)",
        ),
        (
            finding("SMDS-BUFS-WAIT", QUEUE_MANAGER, TypedAmount.of(TypedKind.smds_buffers, 200)),
            "ALTER SMDS(CSQ1) CFSTRUCT",
        ),
        (
            finding(
                "CH-BATCH-ACHIEVED",
                "PLEX1/CSQ1/CHINIT",
                TypedAmount.of(TypedKind.batch_interval_ms, 100),
            ),
            "BATCHINT(100)",
        ),
        (
            finding("CHI-OMVS", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.processes, 90)),
            "SETOMVS MAXPROCUSER=90",
        ),
        (
            finding("CF-BUSY-1", "PLEX1/CF01", TypedAmount.of(TypedKind.engines, 2)),
            "no statement is typed",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value.rule_id,
)
def test_each_kind_of_change_has_its_statement(engine: Store, made: Finding, line: str) -> None:
    text = pack(engine, made)
    assert line in text
    assert max(len(one) for one in text.splitlines()) <= WIDTH


def test_a_structure_in_two_facilities_is_one_entry_of_the_policy(engine: Store) -> None:
    text = pack(
        engine,
        finding(
            "CFS-FULL", "PLEX1/CF01/QSG1APPL1", TypedAmount.of(TypedKind.structure_kib, 4_096_000)
        ),
        finding(
            "CFS-FULL-ELEMENTS",
            "PLEX1/CF02/QSG1APPL1",
            TypedAmount.of(TypedKind.structure_kib, 5_000_001),
        ),
    )
    assert text.count("STRUCTURE NAME(QSG1APPL1)") == 1
    assert "      SIZE(5000001K)\n      INITSIZE(2500001K)" in text


def requested(subject: str, amount: TypedAmount) -> tuple[Target, list[RequestedChange]]:
    made = finding("MADE-UP", subject, amount)
    target = Target.of(subject, amount)
    return target, [RequestedChange(target, made, change) for change in made.changes]


@pytest.mark.parametrize(
    ("subject", "amount", "needs"),
    [
        (
            "PLEX1/CSQ1/BP01",
            TypedAmount.of(TypedKind.buffers, 60_000),
            "Real storage: 60,000 buffers x 4 KiB = 234.4 MiB in all.",
        ),
        (
            "PLEX1/CF01/QSG1APPL1",
            TypedAmount.of(TypedKind.structure_kib, 2_048_000),
            "CF storage: 2,000 MiB; as much again when duplexed.",
        ),
        (
            "PLEX1/CSQ1/CHINIT",
            TypedAmount.of(TypedKind.memlimit_gib, 3),
            "Up to 3 GiB of 64-bit storage, and a restart of the channel initiator.",
        ),
        (
            "PLEX1/CSQ1/PS03",
            TypedAmount.of(TypedKind.cylinders, 1_456),
            "DASD: 1,456 cylinders (0.9998 GiB), besides the old data set.",
        ),
    ],
)
def test_a_change_says_what_it_takes(subject: str, amount: TypedAmount, needs: str) -> None:
    assert needs_of(*requested(subject, amount))[0] == needs


def test_a_change_without_storage_of_its_own_takes_nothing() -> None:
    assert needs_of(*requested("PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.maxchl, 900))) == ()


def test_a_page_set_below_four_gibibytes_needs_no_extended_addressability() -> None:
    amount = TypedAmount.of(TypedKind.cylinders, PAGE_SET_SIMPLE_MAX_CYLINDERS)
    lines = list(statements(*requested("PLEX1/CSQ1/PS03", amount)))
    assert "     CYLINDERS(5825 ++SECONDARY++)) -" in lines
    assert not any("DATACLASS" in line for line in lines)
    assert "    (NAME(++HLQ++.CSQ1.NEW.PSID03) -" in lines


def test_the_initial_size_of_a_structure_is_half_of_its_size_rounded_up() -> None:
    amount = TypedAmount.of(TypedKind.structure_kib, 4_097)
    lines = list(statements(*requested("PLEX1/CF01/QSG1APPL1", amount)))
    assert "      INITSIZE(2049K)" in lines


def test_a_change_by_hand_has_no_statement() -> None:
    [line] = statements(*requested("PLEX1/CF01", TypedAmount.of(TypedKind.engines, 2)))
    assert line.startswith("//* no statement is typed")
