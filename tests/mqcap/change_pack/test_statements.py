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

QMGR = "PLEX1/CSQ1"
CHINIT = f"{QMGR}/CHINIT"


def new(topic: str, value: int, *names: str) -> NewValue:
    return NewValue(Target("PLEX1", names or ("CSQ1", "CHINIT"), topic), value)


@pytest.mark.parametrize(
    ("subject", "settings", "line"),
    [
        (f"{QMGR}/BP01", {"buffers": 60_000}, "ALTER BUFFPOOL(1) BUFFERS(60000)"),
        (f"{QMGR}/PS03", {"pages": 180}, "     CYLINDERS(1 ++SECONDARY++)) -"),
        (f"{QMGR}/PS03", {"pages": 181}, "     CYLINDERS(2 ++SECONDARY++)) -"),
        ("PLEX1/CF01/QSG1APPL1", {"structure_size_mib": 4_000}, "      SIZE(4096000K)"),
        (CHINIT, {"memlimit_gib": 3}, "//PROCSTEP EXEC PGM=CSQXJST,REGION=0M,MEMLIMIT=3G"),
        (CHINIT, {"maxchl": 900}, "ALTER QMGR MAXCHL(900)"),
        (CHINIT, {"adapters": 60}, "ALTER QMGR CHIADAPS(60)"),
        (CHINIT, {"dispatchers": 20}, "ALTER QMGR CHIDISPS(20)"),
        (CHINIT, {"ssltasks": 8}, "ALTER QMGR SSLTASKS(8)"),
        (CHINIT, {"omvs_maxprocuser": 90}, "SETOMVS MAXPROCUSER=90"),
        (CHINIT, {"sharecnv": 0, "sharecnv_from": 1}, "  SHARECNV(0)"),
        (QMGR, {"maxarch": 800}, "SET LOG MAXARCH(800)"),
        (QMGR, {"smds_buffers": 200}, "  DSBUFS(200)"),
        (QMGR, {"smds_size_pct": 150}, "  DSEXPAND(YES)"),
    ],
)
def test_each_setting_of_a_plan_has_its_statement(
    subject: str, settings: dict[str, float], line: str
) -> None:
    lines = lines_of(subject, **settings)
    assert line in lines
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize(
    ("topic", "value", "line"),
    [
        ("outbuff_kb", 4_000, "         CSQ6LOGP ++OTHER-PARAMETERS++,OUTBUFF=4000"),
        ("log_compression", 0, "SET LOG COMPLOG(RLE)"),
        ("batch_interval_ms", 100, "ALTER CHANNEL(++CHANNEL++) CHLTYPE(++SDR-SVR++) BATCHINT(100)"),
    ],
)
def test_what_a_finding_alone_changes_has_its_statement(topic: str, value: int, line: str) -> None:
    assert line in list(statements(new(topic, value)))


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


QLOCAL = ["ALTER QLOCAL('a/b%') +"]
SVRCONN = ["ALTER CHANNEL('APP/A') CHLTYPE(SVRCONN) +"]
LONG = "A" * 48
PLAIN = [name for name, each in TOPICS.items() if each.lines and "{number}" not in each.lines]


def lines_of(subject: str, **settings: float) -> list[str]:
    [new] = values_of_plan([change(subject, None, **settings)])
    return list(statements(new))


@pytest.mark.parametrize(
    ("subject", "settings", "expected"),
    [
        ("EAST/PAY%2FQM", {"log_primary_files": 10}, ["Log:", "   LogPrimaryFiles=10"]),
        ("EAST/PAY%2FQM", {"max_channels": 890}, ["Channels:", "   MaxChannels=890"]),
        ("WEST/ORD1/a%2Fb%25", {"max_depth": 180_000}, [*QLOCAL, "  MAXDEPTH(180000)"]),
        ("WEST/ORD1/a%2Fb%25", {"max_file_mib": 200}, [*QLOCAL, "  MAXFSIZE(200)"]),
        ("WEST/ORD1/CHANNEL/APP%2FA", {"max_instances": 160}, [*SVRCONN, "  MAXINST(160)"]),
        ("WEST/ORD1/CHANNEL/APP%2FA", {"max_client_instances": 9}, [*SVRCONN, "  MAXINSTC(9)"]),
    ],
)
def test_settings_of_sites_are_lines_of_qm_ini_or_mqsc_with_true_names(
    subject: str, settings: dict[str, float], expected: list[str]
) -> None:
    first, *lines = lines_of(subject, **settings)
    assert lines[-len(expected) :] == expected
    is_file = subject.startswith("EAST/")
    assert first.startswith("# qm.ini of PAY/QM; in force from" if is_file else "* MQSC of ORD1")


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
