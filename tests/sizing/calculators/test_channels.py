"""Channels: MP16, "Channel option BATCHSZ" and "Channel start/stop rates and costs"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import channels as registered
from tests.sizing.builders import refusal

channels: Any = registered  # a registered function has the return type of all


@pytest.mark.parametrize(
    ("rate", "interval_ms", "achieved", "breach"),
    [(0, 100, 1, True), (100, 0, 1, True), (19, 100, 1.9, True), (20, 100, 2, False),
     (500, 100, 50, False), (9_999, 100, 50, False)],
)  # fmt: skip
def test_a_batch_holds_what_arrives_within_batchint_and_batchsz_at_most(
    rate: float, interval_ms: float, achieved: float, breach: bool
) -> None:
    figures = channels.achieved_batch(rate, interval_ms, 50)
    assert figures["achieved_batch"] == approx(achieved)
    assert figures["breach"] is breach


def test_the_batch_is_the_smallest_that_both_ends_allow() -> None:
    assert channels.largest_batch(50, 40, 1_000, 1_000) == {"max_batch": 40}
    assert channels.largest_batch(50, 50, 30, 1_000) == {"max_batch": 27}
    assert channels.largest_batch(50, 50, 1_000, 30, platform="other") == {"max_batch": 30}


def test_a_batch_has_at_least_one_message_however_small_maxumsgs_is() -> None:
    assert channels.largest_batch(50, 50, 3, 3) == {"max_batch": 1}
    assert channels.largest_batch(50, 50, 1, 9_999) == {"max_batch": 1}


@pytest.mark.parametrize(
    ("cost", "empty", "thousand"),
    [
        # "Non-persistent messages - NPMSPEED(FAST)", "Persistent messages": constant and slope.
        (channels.fast_single, 38.53, 39.23),
        (channels.fast_batched, 22.16, 22.74),
        (channels.persistent_single, 223, 226),
    ],
)
def test_a_message_costs_a_constant_and_its_bytes_half_at_each_end(
    cost: Any, empty: float, thousand: float
) -> None:
    assert cost(0)["cpu_us"] == approx(empty)
    figures = cost(1_000)
    assert figures["cpu_us"] == approx(thousand)
    assert figures["sender_us"] == figures["receiver_us"] == approx(thousand / 2)


def test_a_batch_of_50_is_cheaper_and_persistence_dearer_at_every_size() -> None:
    for size in (0, 1_024, 65_536, 4_194_304):
        batched, single, persistent = (
            cost(size)["cpu_us"]
            for cost in (channels.fast_batched, channels.fast_single, channels.persistent_single)
        )
        assert batched < single < persistent


def test_compression_by_software_costs_most() -> None:
    assert channels.compression_cost("None") == {"us_per_request": 5}
    assert channels.compression_cost("ZLIBFAST (hardware)") == {"us_per_request": 12}
    assert channels.compression_cost("ZLIBHIGH (software)") == {"us_per_request": 105}


def test_starts_become_slower_with_the_channels_in_syncq() -> None:
    figures = channels.start_and_stop(3_000)
    assert figures["start_per_s"] == (552 + 428) / 2
    assert figures["start_cpu_ms"] == approx((0.27 + 0.38) / 2)
    assert figures["stop_per_s"] == (800 + 630) / 2
    assert figures["stop_cpu_ms"] == approx((0.25 + 0.33) / 2)


def test_outside_the_measured_channels_the_nearest_row_holds() -> None:
    assert channels.start_and_stop(0) == channels.start_and_stop(1_000)
    assert channels.start_and_stop(9_999) == channels.start_and_stop(4_000)


def test_the_restart_of_channels_takes_their_number_by_the_rate() -> None:
    assert channels.restart_time(0, 1_000) == {"seconds": 0}
    assert channels.restart_time(649, 1_000) == {"seconds": 1}
    seconds = [channels.restart_time(1_000, n)["seconds"] for n in (1_000, 2_000, 3_000, 4_000)]
    assert seconds == sorted(seconds)


def test_a_batch_size_of_0_and_an_unknown_compression_are_refused() -> None:
    assert "sender_batchsz: Input should be greater than 0" in refusal(
        "CH-BATCH-MAX", sender_batchsz=0, receiver_batchsz=1, sender_maxumsgs=1, receiver_maxumsgs=1
    )
    assert "compression: Input should be 'None'" in refusal("CH-COMPRESS", compression="RLE")
