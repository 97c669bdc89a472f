from __future__ import annotations

import pytest

from mqcap.change_pack.pack import WIDTH
from mqcap.change_pack.statements import (
    PAGE_SET_SIMPLE_MAX_CYLINDERS,
    needs_of,
    statements,
)
from mqcap.change_pack.targets import NewValue, Target
from mqcap.change_pack.topics import TOPICS


def new(topic: str, value: int, *names: str) -> NewValue:
    return NewValue(Target("PLEX1", names or ("CSQ1", "CHINIT"), topic), value)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (new("buffers", 60_000, "CSQ1", "BP01"), "ALTER BUFFPOOL(1) BUFFERS(60000)"),
        (new("page_set", 700, "CSQ1", "PS03"), "     CYLINDERS(700 ++SECONDARY++)) -"),
        (new("structure_kib", 4_096, "QSG1APPL1"), "      SIZE(4096K)"),
        (new("memlimit_gib", 3), "//PROCSTEP EXEC PGM=CSQXJST,REGION=0M,MEMLIMIT=3G"),
        (new("maxchl", 900), "ALTER QMGR MAXCHL(900)"),
        (new("adapters", 60), "ALTER QMGR CHIADAPS(60)"),
        (new("dispatchers", 20), "ALTER QMGR CHIDISPS(20)"),
        (new("ssltasks", 8), "ALTER QMGR SSLTASKS(8)"),
        (new("outbuff_kb", 4_000), "         CSQ6LOGP ++OTHER-PARAMETERS++,OUTBUFF=4000"),
        (new("log_compression", 0), "SET LOG COMPLOG(RLE)"),
        (new("maxarch", 800), "SET LOG MAXARCH(800)"),
        (new("smds_buffers", 200), "  DSBUFS(200)"),
        (new("smds_size_pct", 150), "  DSEXPAND(YES)"),
        (new("sharecnv", 0), "  SHARECNV(0)"),
        (new("batch_interval_ms", 100),
         "ALTER CHANNEL(++CHANNEL++) CHLTYPE(++SDR-SVR++) BATCHINT(100)"),
        (new("processes", 90), "SETOMVS MAXPROCUSER=90"),
    ],
    ids=lambda value: "" if isinstance(value, str) else value.target.topic,
)  # fmt: skip
def test_each_kind_of_change_has_its_statement(given: NewValue, line: str) -> None:
    lines = list(statements(given))
    assert line in lines
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("topic", sorted(TOPICS.keys() - {"logs"}))
def test_only_a_page_set_needs_more_than_its_plan_counts(topic: str) -> None:
    needs = needs_of(new(topic, 1_456, "CSQ1", "PS03"))
    assert bool(needs) is (topic == "page_set")


def test_a_page_set_takes_space_beside_the_old_one_and_time_while_it_is_copied() -> None:
    space, time = needs_of(new("page_set", 1_456, "CSQ1", "PS03"))
    assert space == "New: 1,456 cylinders (0.9998 GiB), besides the old data set."
    assert time.startswith("Time: FORMAT about ")


@pytest.mark.parametrize(
    ("cylinders", "is_extended"),
    [
        (PAGE_SET_SIMPLE_MAX_CYLINDERS - 1, False),
        (PAGE_SET_SIMPLE_MAX_CYLINDERS, False),
        (PAGE_SET_SIMPLE_MAX_CYLINDERS + 1, True),
    ],
)
def test_a_page_set_from_four_gibibytes_on_needs_extended_addressability(
    cylinders: int, is_extended: bool
) -> None:
    lines = list(statements(new("page_set", cylinders, "CSQ1", "PS03")))
    assert any("DATACLASS" in line for line in lines) is is_extended
    assert "    (NAME(++HLQ++.CSQ1.NEW.PSID03) -" in lines
    assert "//CSQP0003 DD DISP=OLD,DSN=++HLQ++.CSQ1.NEW.PSID03" in lines


def test_the_initial_size_of_a_structure_is_half_of_its_size_rounded_up() -> None:
    lines = list(statements(new("structure_kib", 4_097, "QSG1APPL1")))
    assert "      INITSIZE(2049K)" in lines
    assert lines.count("    STRUCTURE NAME(QSG1APPL1)") == 1
