from __future__ import annotations

import pytest

from mqcap.change_pack.operands import OPERANDS
from mqcap.change_pack.statements import COMMANDS


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
    assert list(COMMANDS[topic]("CSQ1", 900)) == lines


@pytest.mark.parametrize("topic", sorted(COMMANDS))
def test_every_command_carries_its_value_and_has_its_operand_listed(topic: str) -> None:
    text = "\n".join(COMMANDS[topic]("CSQ1", 4_321))
    assert "4321" in text or topic in {"log_compression", "smds_size_pct"}
    assert topic in {operand.topic for operand in OPERANDS}


@pytest.mark.parametrize("topic", ["outbuff_kb", "maxarch", "processes", "log_compression"])
def test_what_lasts_until_a_restart_only_says_how_to_keep_it(topic: str) -> None:
    text = "\n".join(COMMANDS[topic]("CSQ1", 100))
    assert "CSQ6LOGP" in text or "BPXPRMxx" in text
