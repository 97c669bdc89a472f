"""Rates of a channel, and the candidates that stand out."""

from __future__ import annotations

import pytest

from mqcap.transports.channel_move import (
    CandidateState,
    ChannelMove,
    MoveFigures,
    Transport,
    TransportCandidate,
)
from tests.mqcap.transports.builders import traffic


def candidate(transport: Transport, saved: float | None, *keys: str) -> TransportCandidate:
    figures = saved is not None and MoveFigures(
        cpu_us_per_message=60,
        cf_us_per_message=0,
        saved_cpu_s_per_day=saved,
        saved_engine_pct=0,
        added_cf_s_per_day=0,
    )
    return TransportCandidate(
        transport=transport,
        state=CandidateState.allowed,
        missing_keys=keys,
        figures=figures or None,
    )


def move(*candidates: TransportCandidate, move_to: Transport | None = None) -> ChannelMove:
    return ChannelMove(
        traffic=traffic(),
        mib_per_s=0,
        now=None,
        compared_with=Transport.tcp_ip,
        figures_refused=(),
        candidates=candidates,
        move_to=move_to,
    )


def test_rates_are_over_the_measured_time() -> None:
    made = traffic(messages=200, persistent_messages=50, message_bytes=1_000, measured_seconds=10)
    assert made.pair == "PLEX1/CSQ1 > CSQ2"
    assert (made.messages_per_s, made.bytes_per_message, made.persistent_pct) == (20, 5, 25)


@pytest.mark.parametrize(("saved", "named"), [(-0.1, False), (0.0, False), (0.1, True)])
def test_only_a_transport_that_saves_cpu_is_the_most_saving(saved: float, named: bool) -> None:
    made = move(candidate(Transport.smc_d, -5), candidate(Transport.igq, saved))
    assert (made.most_saving == made.candidates[1]) is named
    assert (made.most_saving is None) is not named


def test_without_figures_nothing_saves() -> None:
    assert move(candidate(Transport.igq, None)).most_saving is None


def test_the_favoured_candidate_is_that_of_the_choice() -> None:
    made = move(candidate(Transport.smc_d, 1), candidate(Transport.igq, 2), move_to=Transport.smc_d)
    assert made.favoured == made.candidates[0]
    assert move(candidate(Transport.igq, 2)).favoured is None


def test_missing_keys_are_named_once() -> None:
    made = move(candidate(Transport.smc_d, 1, "a", "b"), candidate(Transport.smc_r, 1, "b", "c"))
    assert made.missing_keys == ("a", "b", "c")
