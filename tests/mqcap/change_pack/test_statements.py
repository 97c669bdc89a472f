"""Statements and commands of change packs."""

import pytest

from mqcap.change_pack.pack import WIDTH
from mqcap.change_pack.statements import (
    PAGE_SET_SIMPLE_MAX_CYLINDERS,
    NewValue,
    Target,
    needs_of,
    statements,
    values_of_plan,
)
from mqcap.operands.declared import TOPICS
from tests.mqcap.change_pack.builders import change


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


LONG = "A" * 48
PLAIN = [name for name, each in TOPICS.items() if each.lines and "{number}" not in each.lines]


def lines_of(subject: str, **settings: float) -> list[str]:
    [new] = values_of_plan([change(subject, None, **settings)])
    return list(statements(new))


@pytest.mark.parametrize(
    ("settings", "stanza", "line"),
    [
        ({"log_primary_files": 10}, "Log:", "   LogPrimaryFiles=10"),
        ({"max_channels": 890}, "Channels:", "   MaxChannels=890"),
    ],
)
def test_settings_of_qm_ini_are_lines_of_their_stanza(
    settings: dict[str, float], stanza: str, line: str
) -> None:
    lines = lines_of("EAST/PAY%2FQM", **settings)
    assert lines[0].startswith("# qm.ini of PAY/QM; in force from its next start on")
    assert lines[-2:] == [stanza, line]


@pytest.mark.parametrize(
    ("settings", "operand"),
    [({"max_depth": 180_000}, "MAXDEPTH(180000)"), ({"max_file_mib": 200}, "MAXFSIZE(200)")],
)
def test_limits_of_a_queue_are_mqsc_with_its_true_name(
    settings: dict[str, float], operand: str
) -> None:
    assert lines_of("WEST/ORD1/a%2Fb%25", **settings) == [
        "* MQSC of ORD1",
        "ALTER QLOCAL('a/b%') +",
        f"  {operand}",
    ]


@pytest.mark.parametrize(
    ("settings", "operand"),
    [({"max_instances": 160}, "MAXINST(160)"), ({"max_client_instances": 9}, "MAXINSTC(9)")],
)
def test_limits_of_a_channel_are_mqsc_with_its_type(
    settings: dict[str, float], operand: str
) -> None:
    assert lines_of("WEST/ORD1/CHANNEL/APP%2FA", **settings) == [
        "* MQSC of ORD1",
        "ALTER CHANNEL('APP/A') CHLTYPE(SVRCONN) +",
        f"  {operand}",
    ]


@pytest.mark.parametrize("key", ["log_file_system_size_pct", "data_file_system_size_pct"])
def test_a_file_system_has_the_command_of_an_appliance(key: str) -> None:
    lines = lines_of("EAST/QM1", **{key: 180})
    assert lines[0] == "# QM1: file system of 180 % of its size of today,"
    assert lines[-1] == "setmqsize -m QM1 -s ++180-PERCENT-OF-TODAY++M"


@pytest.mark.parametrize("topic", PLAIN)
def test_every_line_fits_with_the_longest_names(topic: str) -> None:
    new = NewValue(Target.of(f"SITE/{LONG}/{LONG}", topic), 999_999_999)
    lines = list(statements(new))
    assert lines
    assert (
        max(map(len, [line for line in lines if "setmqsize" not in line and LONG not in line]))
        <= WIDTH
    )
