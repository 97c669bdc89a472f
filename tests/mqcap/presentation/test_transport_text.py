"""Channels and their transports as printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqcap.domain.numbers import ABSENT
from mqcap.presentation.transport_text import (
    NO_CHANNELS,
    candidate_listing,
    candidate_rows,
    missing_lines,
    move_listing,
    move_object,
    move_row,
)
from mqcap.transports.channel_move import ChannelMove
from tests.mqcap.transports.builders import HOUR_MESSAGES, channel, machines, moves_of, sysplex

DEARER = "Shared queue is favoured for its throughput and costs more CPU"
MOVED = [channel(messages=100 * HOUR_MESSAGES)]


@pytest.fixture
def known(tmp_path: Path) -> list[ChannelMove]:
    return moves_of(tmp_path, MOVED, sysplex(*machines("CPC1", "CPC2", roce=True, smc=())))


def test_where_no_transport_saves_cpu_none_is_named(tmp_path: Path) -> None:
    plex = sysplex(*machines("CPC1", "CPC1", smc=()))
    row = move_row(moves_of(tmp_path, [channel(receiver="CSQ8")], plex)[0])
    assert (row["favoured"], row["most CPU saved by"]) == ("SMC-D", ABSENT)


def test_a_channel_is_one_row(known: list[ChannelMove]) -> None:
    assert [tuple(move_row(move).values()) for move in known] == [
        (
            "Shared queue", "PLEX1/CSQ1 > CSQ2", "CSQ1.TO.CSQ2", "100", "100", "2,048", "0.1953",
            "0 %", "TCP/IP", "60.45", "-6.134", "-0.0071", "IGQ +5.141",
            DEARER,
        )
    ]  # fmt: skip


def test_a_transport_is_one_row_with_its_figures_or_its_reason(known: list[ChannelMove]) -> None:
    rows = {row["transport"]: row for row in candidate_rows(known)}
    assert tuple(rows["IGQ"].values())[4:] == (
        "59.86",
        "25.55",
        "+5.141",
        "+0.00595",
        "+218.7",
        ABSENT,
        "",
    )
    assert tuple(rows["TCP/IP"].values())[4:] == (
        "60.45",
        "0.235",
        ABSENT,
        ABSENT,
        ABSENT,
        ABSENT,
        "",
    )
    assert rows["SMC-D"]["state"] == "refused"
    assert rows["SMC-D"]["reason"] == "SYS1 is on CPC1, SYS2 on CPC2: not one machine"
    assert rows["SMC-D"]["CPU us/message"] == ABSENT


def test_what_is_missing_is_asked_for_once(tmp_path: Path) -> None:
    moves = moves_of(tmp_path, [channel(), channel("CSQ2", "CSQ1")])
    [line] = missing_lines(moves)
    assert line == (
        "To be set in the estate of PLEX1: systems: SYS1: cpc; systems: SYS1: roce; "
        "systems: SYS1: smc; systems: SYS2: cpc; systems: SYS2: roce; systems: SYS2: smc."
    )
    assert line in candidate_listing(moves).caption
    smc_d = next(row for row in candidate_rows(moves) if row["transport"] == "SMC-D")
    assert smc_d["reason"].endswith("not known: set systems: SYS1: cpc, systems: SYS2: cpc")
    assert {(row["transport now"], row["note"]) for row in map(move_row, moves)} == {
        ("not known", f"compared with TCP/IP; {DEARER}")
    }


def test_nothing_is_asked_for_where_all_is_known(known: list[ChannelMove]) -> None:
    assert missing_lines(known) == []


def test_traffic_unlike_the_table_has_the_reason_in_place_of_figures(tmp_path: Path) -> None:
    moves = moves_of(tmp_path, [channel(message_bytes=8_192)])
    row = move_row(moves[0])
    figures = row["favoured"], row["CPU us/message now"], row["saves CPU s/day"]
    assert figures == (ABSENT, ABSENT, ABSENT)
    assert row["note"].startswith("8,192 bytes a message: SYS-COST is of 2 KB")
    shared = candidate_rows(moves)[-1]
    assert (shared["state"], shared["CPU us/message"]) == ("allowed", ABSENT)
    assert shared["reason"] == row["note"]


def test_the_receiving_end_is_told(tmp_path: Path) -> None:
    row = channel("CSQ1", "CSQ2", qmgr="CSQ2", qcstrqmn="CSQ1", qcstchty=3)
    shown = move_row(moves_of(tmp_path, [row])[0])
    assert shown["note"] == f"compared with TCP/IP; {DEARER}; measured at the receiving end, CSQ2"


def test_the_load_of_a_facility_is_before_after_and_limit(known: list[ChannelMove]) -> None:
    shared = known[0].candidates[-1]
    effect = {"facility": "CF02", "busy_pct": 12, "after_pct": 12.8, "limit_pct": 60}
    document = shared.model_dump() | {"facility": effect | {"breach": False}}
    move = known[0].model_copy(update={"candidates": (type(shared).model_validate(document),)})
    full = move.model_copy(update={"candidates": (*known[0].candidates[:1], *move.candidates)})
    assert candidate_rows([full])[1]["CF busy"] == "CF02 12 to 12.8 %, limit 60 %"


def test_an_object_has_counts_rates_and_candidates(known: list[ChannelMove]) -> None:
    document = json.loads(json.dumps(move_object(known[0]), allow_nan=False))
    assert document["traffic"]["messages_per_s"] == 100
    assert document["traffic"]["bytes_per_message"] == 2_048
    assert (document["now"], document["move_to"]) == ("TCP/IP", "Shared queue")
    assert [each["state"] for each in document["candidates"]] == [
        "now", "allowed", "refused", "allowed", "allowed",
    ]  # fmt: skip
    assert document["missing_keys"] == []


def test_an_empty_list_says_which_records_it_takes() -> None:
    assert move_listing([], "Channels").caption == NO_CHANNELS
