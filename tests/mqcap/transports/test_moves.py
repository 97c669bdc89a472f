"""Channels with the transports that they could move to, one by one and in order."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest import approx

from mqcap.domain.estate import CouplingFacility
from mqcap.domain.metric import SubjectKind
from mqcap.transports.channel_move import (
    ChannelMove,
    MoveFigures,
    Transport,
    TransportCandidate,
)
from mqcap.transports.moves import Facility, channel_moves, facilities, most_room, overload_text
from mqcap.unit_costs.learning_data import LearningData
from tests.mqcap.rulebook.builders import DAY, observe
from tests.mqcap.transports.builders import (
    HOUR_MESSAGES,
    channel,
    data_of,
    machines,
    moves_of,
    sysplex,
    traffic,
)

LARGEST_IN_FACILITY = 63 * 1_024


def states(move: ChannelMove) -> dict[Transport, str]:
    return {candidate.transport: str(candidate.state) for candidate in move.candidates}


def test_small_messages_within_a_group_move_to_shared_queues(tmp_path: Path) -> None:
    plex = sysplex(*machines("CPC1", "CPC1", roce=False, smc=()))
    [move] = moves_of(tmp_path, [channel(messages=100 * HOUR_MESSAGES)], plex)
    assert (move.now, move.move_to) == (Transport.tcp_ip, Transport.shared_queue)
    assert states(move) == {
        Transport.tcp_ip: "now",
        Transport.smc_r: "refused",
        Transport.smc_d: "allowed",
        Transport.igq: "allowed",
        Transport.shared_queue: "allowed",
    }
    by_name = {candidate.transport: candidate.figures for candidate in move.candidates}
    igq = by_name[Transport.igq]
    assert igq is not None
    # (120.91 - 119.72) / 2 us x 100 messages/s x 86,400 s
    assert igq.saved_cpu_s_per_day == approx(5.1408)
    assert by_name[Transport.smc_r] is None
    assert move.mib_per_s == approx(100 * 2 / 1_024)


def test_without_any_fact_the_keys_of_the_settings_are_asked_for(tmp_path: Path) -> None:
    [move] = moves_of(tmp_path, [channel()])
    assert (move.now, move.compared_with) == (None, Transport.tcp_ip)
    assert move.missing_keys == tuple(
        f"systems: SYS{number}: {key}" for key in ("smc", "roce", "cpc") for number in (1, 2)
    )


def test_what_the_rules_favour_is_no_move_where_it_is_in_use(tmp_path: Path) -> None:
    plex = sysplex(*machines("CPC1", "CPC1", smc=("SMC-D",)))
    [move] = moves_of(tmp_path, [channel(receiver="CSQ8")], plex)
    assert (move.now, move.move_to) == (Transport.smc_d, None)
    tcp_ip = move.candidates[0]
    assert tcp_ip.figures is not None
    assert tcp_ip.figures.saved_cpu_s_per_day == approx(86_400 * (132.6 - 120.91) / 2e6)


@pytest.mark.parametrize(
    ("size", "persistent", "move_to"),
    [
        (LARGEST_IN_FACILITY, 0, None),
        (LARGEST_IN_FACILITY + 1, 0, Transport.smc_d),
        (LARGEST_IN_FACILITY + 1, 1, None),
        (8_192, 0, None),
    ],
)
def test_large_messages_move_to_smc_and_no_cost_is_given(
    tmp_path: Path, size: int, persistent: int, move_to: Transport | None
) -> None:
    plex = sysplex(*machines("CPC1", "CPC1", smc=()))
    [move] = moves_of(tmp_path, [channel(message_bytes=size, qcstnpmg=persistent)], plex)
    assert move.move_to == move_to
    assert move.figures_refused
    assert all(candidate.figures is None for candidate in move.candidates)
    assert all(candidate.facility is None for candidate in move.candidates)


def test_channels_are_ranked_by_cpu_saved_then_by_rate_then_those_without_figures(
    tmp_path: Path,
) -> None:
    rows = [
        channel("CSQ1", "CSQ8", messages=500 * HOUR_MESSAGES),
        channel("CSQ1", "CSQ2", messages=50 * HOUR_MESSAGES),
        channel("CSQ2", "CSQ1", messages=90 * HOUR_MESSAGES),
        channel("CSQ1", "CSQ3", messages=900 * HOUR_MESSAGES),
    ]
    moves = moves_of(tmp_path, rows)
    assert [move.traffic.channel for move in moves] == [
        "CSQ2.TO.CSQ1", "CSQ1.TO.CSQ2", "CSQ1.TO.CSQ8", "CSQ1.TO.CSQ3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("subject", "channels"),
    [
        ("", {"CSQ1.TO.CSQ2", "CSQ3.TO.CSQ8"}),
        ("PLEX1", {"CSQ1.TO.CSQ2", "CSQ3.TO.CSQ8"}),
        ("PLEX1/CSQ2", {"CSQ1.TO.CSQ2"}),
        ("PLEX1/CSQ3", {"CSQ3.TO.CSQ8"}),
        ("PLEX2", set()),
        ("PLEX1/CSQ9", set()),
    ],
)
def test_a_subject_has_the_channels_of_either_end(
    tmp_path: Path, subject: str, channels: set[str]
) -> None:
    rows: list[dict[str, Any]] = [channel(), channel("CSQ3", "CSQ8")]
    moves = moves_of(tmp_path, rows, subject=subject)
    assert {move.traffic.channel for move in moves} == channels


def test_without_channel_accounting_the_list_is_empty(tmp_path: Path) -> None:
    assert moves_of(tmp_path, []) == []


@pytest.mark.parametrize(
    ("busy_pct", "moved"),
    [
        (10.0, [Transport.shared_queue, Transport.shared_queue]),
        (59.6, [Transport.shared_queue, Transport.smc_d]),
        (59.9, [Transport.smc_d, Transport.smc_d]),
    ],
)
def test_moves_to_a_facility_are_judged_together_from_the_top_down(
    tmp_path: Path, busy_pct: float, moved: list[Transport]
) -> None:
    """Each adds 0.24 %; what is left above 59.76 % is for none."""
    plex = sysplex(*machines("CPC1", "CPC1", smc=()))
    rate = 200 * HOUR_MESSAGES
    both = [channel(messages=rate), channel("CSQ2", "CSQ3", messages=rate)]
    data = data_of(tmp_path, both, plex)
    kind = SubjectKind.coupling_facility
    observe(data.engine, "cf_busy_pct", "PLEX1/CF01", {DAY: busy_pct}, kind=kind, unit="%")
    moves = channel_moves(data)
    assert [move.move_to for move in moves] == moved
    effects = [move.candidates[-1].facility for move in moves]
    assert [effect and effect.counted_moves for effect in effects] == [
        0,
        int(moved[0] is Transport.shared_queue),
    ]
    assert ("1 channel further up" in moves[1].candidates[-1].reason) is (moved[0] != moved[1])


def candidate(transport: Transport, saved: float) -> TransportCandidate:
    figures = MoveFigures(
        cpu_us_per_message=60,
        cf_us_per_message=0,
        saved_cpu_s_per_day=saved,
        saved_engine_pct=0,
        added_cf_s_per_day=0,
    )
    return TransportCandidate(transport=transport, figures=figures)


@pytest.mark.parametrize(("saved", "named"), [(-0.1, False), (0.0, False), (0.1, True)])
def test_only_a_transport_that_saves_cpu_is_the_most_saving(saved: float, named: bool) -> None:
    made = ChannelMove(
        traffic=traffic(),
        mib_per_s=0,
        now=None,
        compared_with=Transport.tcp_ip,
        figures_refused=(),
        candidates=(candidate(Transport.smc_d, -5), candidate(Transport.igq, saved)),
        move_to=None,
    )
    assert (made.most_saving == made.candidates[1]) is named
    assert (made.most_saving is None) is not named


KIND = SubjectKind.coupling_facility


def busy(data: LearningData, subject: str, *peaks: float, days_back: int = 0) -> None:
    days = {DAY - timedelta(days=days_back + back): peak for back, peak in enumerate(peaks)}
    observe(data.engine, "cf_busy_pct", subject, days, kind=KIND, unit="%")


def test_the_highest_load_of_the_days_and_the_engines_of_the_estate(tmp_path: Path) -> None:
    data = data_of(tmp_path, [])
    busy(data, "PLEX1/CF01", 20, 31, 25)
    busy(data, "PLEX2/CF11", 90)
    assert facilities(data, "PLEX1") == [Facility("CF01", 31, 2)]


def test_engines_are_measured_where_the_estate_has_none(tmp_path: Path) -> None:
    data = data_of(tmp_path, [], sysplex(cfs=(CouplingFacility(name="CF01"),)))
    busy(data, "PLEX1/CF01", 20)
    assert facilities(data, "PLEX1") == []
    engines = {DAY - timedelta(days=1): 2.0, DAY: 3.0}
    observe(data.engine, "cf_engine_count", "PLEX1/CF01", engines, kind=KIND, unit="count")
    assert facilities(data, "PLEX1") == [Facility("CF01", 20, 3)]


def test_a_facility_measured_long_ago_is_not_known(tmp_path: Path) -> None:
    data = data_of(tmp_path, [])
    busy(data, "PLEX1/CF01", 20, days_back=data.settings.rules.peak_days)
    assert facilities(data, "PLEX1") == []


@pytest.mark.parametrize(("rate", "breach"), [(4_150, False), (4_165, False), (4_180, True)])
def test_a_facility_with_one_engine_takes_queues_up_to_30_pct(rate: float, breach: bool) -> None:
    # 10 % + 100 x 4,165 x 48.01 us / 1,000,000 us = 29.996 %
    effect = most_room([Facility("CF01", 10, 1)], Transport.shared_queue, rate)
    assert effect is not None
    assert effect.after_pct == approx(10 + rate * 48.01e-4)
    assert (effect.limit_pct, effect.breach) == (30, breach)


def test_the_facility_farthest_below_its_limit_is_chosen() -> None:
    known = [Facility("CF01", 15, 1), Facility("CF02", 20, 3)]
    effect = most_room(known, Transport.igq, 100)
    assert effect is not None
    assert (effect.facility, effect.breach) == ("CF02", False)
    assert effect.after_pct == approx(20 + 100 * 100 * 51.1 / 3e6)
    assert most_room([], Transport.igq, 100) is None


def test_the_text_names_facility_load_and_limit() -> None:
    effect = most_room([Facility("CF01", 29, 1)], Transport.igq, 1_000)
    assert effect is not None
    assert "with 2 channels further up moved too; the limit" in overload_text(
        effect.model_copy(update={"counted_moves": 2})
    )
    assert overload_text(effect) == (
        "CF01, which has most room, would be 34.11 % busy in the busiest interval; the limit is "
        "30 % (SYS-CF-CHECK)"
    )
