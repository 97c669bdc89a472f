"""Lines for queue managers that are not on z/OS."""

from __future__ import annotations

import pytest

from mqcap.change_pack.pack import WIDTH
from mqcap.change_pack.statements import statements
from mqcap.change_pack.targets import NewValue, Target, values_of_plan
from mqcap.change_pack.topics import TOPICS
from tests.mqcap.change_pack.builders import change

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
