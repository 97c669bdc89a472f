"""The golden change packs and their topics."""

import os
from pathlib import Path
from typing import Any, Final

import pytest

from mqcap.change_pack.pack import WIDTH
from mqcap.change_pack.statements import (
    NewValue,
    Target,
    looked_up_in,
    operands_page,
    statements,
    values_of_plan,
)
from mqcap.domain.estate import QueueManager
from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan, PlanCost
from mqcap.operands.declared import SETTINGS, TOPICS, Topic
from sizing.sources import mp16
from tests.mqcap.change_pack.builders import change, estate_of, pack, plan_of
from tests.mqcap.rulebook.builders import new_store
from tests.plan_factories import plan_change

GOLDEN: Final = Path(__file__).with_name("golden")
NAMES: Final = tuple(
    f"MQM.CSQ1.LOGCOPY{copy}.DS{number:02}" for copy in (1, 2) for number in (1, 2, 3, 4)
)
ESTATE: Final = estate_of(
    QueueManager(
        name="CSQ1", active_log_size_mib=2_048, active_logs=4, dual_logging=True,
        active_log_names=NAMES,
    ),
    QueueManager(name="CSQ2", active_log_size_mib=4_095.7, active_logs=4, dual_logging=False),
)  # fmt: skip
OPERANDS: Final = [operand for topic in TOPICS.values() for operand in topic.operands]


def log_plans() -> list[Plan]:
    larger = plan_change(
        text="Define 5 active logs of CYL(5825) in each of the two copies instead of 4 of "
        "2,048 MiB.",
        typed="5 x CYL(5825)",
        settings={"active_log_size_mib": 4_095.7, "active_logs": 5},
        before={"active_log_size_mib": 2_048.0, "active_logs": 4},
        side_effects="a larger log can lengthen restart after a failure",
    )
    more = plan_change(
        subject="PLEX1/CSQ2",
        text="Define 2 more active logs of CYL(5825) in the one copy, 6 instead of 4.",
        typed="2 x CYL(5825)",
        settings={"active_logs": 6},
        before={"active_logs": 4},
    )
    cost = PlanCost(cylinders=34_946, dasd_mib=24_571, work_hours=4.5)
    return [
        plan_of(larger, label="CSQ1 active logs", cost=cost),
        plan_of(
            more,
            label="CSQ2 active logs",
            resource="PLEX1/CSQ2/active_log",
            severity=Severity.watch,
            cost=PlanCost(cylinders=11_650, dasd_mib=8_191, work_hours=2.5),
        ),
    ]


def other(label: str, subject: str, cost: PlanCost, **settings: Any) -> Plan:
    return plan_of(change(subject, **settings), label=label, resource=label, cost=cost)


PACKS: Final = {
    "logs": log_plans(),
    "page_set_and_pool": [
        other("CSQ1 page set PS03", "PLEX1/CSQ1/PS03", PlanCost(cylinders=1_000), pages=360_000),
        other(
            "CSQ1 buffer pool BP01",
            "PLEX1/CSQ1/BP01",
            PlanCost(real_storage_mib=118),
            buffers=60_000,
        ),
    ],
    "structure_and_storage": [
        other(
            "structure QSG1APPL1",
            "PLEX1/CF01/QSG1APPL1",
            PlanCost(cf_storage_mib=96),
            structure_size_mib=4_096,
        ),
        other(
            "CSQ1 64-bit storage",
            "PLEX1/CSQ1/CHINIT",
            PlanCost(real_storage_mib=1_024, chinit_restarts=1),
            memlimit_gib=3,
        ),
        other("CSQ1 tasks", "PLEX1/CSQ1/CHINIT", PlanCost(), dispatchers=20, omvs_maxprocuser=90),
        other("CSQ1 recovery", "PLEX1/CSQ1", PlanCost(work_hours=2), page_set_backup_hours=24),
    ],
}


@pytest.mark.parametrize("name", PACKS)
def test_the_golden_pack_is_the_one_that_a_reviewer_has_read(name: str, tmp_path: Path) -> None:
    text = pack(new_store(tmp_path), PACKS[name], estate=ESTATE) + "\n"
    assert max(len(line) for line in text.splitlines()) <= WIDTH
    golden = GOLDEN / f"change_pack_{name}.txt"
    if os.environ.get("MQCAP_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_names_of_the_console_are_used_and_the_contradiction_is_told_once(tmp_path: Path) -> None:
    names = tuple(name.removeprefix("MQM.") for name in NAMES)
    console = {"PLEX1/CSQ1": names}
    text = pack(new_store(tmp_path), PACKS["logs"], estate=ESTATE, log_names=console)
    assert text.count("CONTRADICTION") == 1
    assert "DEFINE LOG('CSQ1.LOGCOPY1.DS05') COPY(1)" in text
    assert "DELETE DSNAME=CSQ1.LOGCOPY2.DS04" in text
    assert text.count("MQM.") == 1


def typed(topic: str, value: int) -> list[str]:
    return list(statements(NewValue(Target("PLEX1", ("CSQ1",), topic), value)))


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_every_kind_of_change_has_operands_checks_steps_and_back_out(topic: Topic) -> None:
    assert all((topic.name, topic.operands, topic.when))
    assert all((topic.checks, topic.steps, topic.back_out))


@pytest.mark.parametrize(
    "key", [key for topic in TOPICS.values() for key in topic.keys if topic.lines]
)
def test_every_setting_of_a_plan_with_lines_is_typed(key: str) -> None:
    [new] = values_of_plan([change("PLEX1/CSQ1", None, **{key: 1_000})])
    assert list(statements(new)) == typed(new.target.topic, new.value)


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


def test_operands_cite_mp16_with_its_edition_as_rules_do() -> None:
    sources = [text for operand in OPERANDS if "MP16" in (text := looked_up_in(operand))]
    assert f"IBM MQ reference: FORMAT, COPYPAGE; {mp16('IBM MQ Utilities: CSQUTIL')}" in sources
    assert [source for source in sources if 'MP16 (14), "' not in source] == []
