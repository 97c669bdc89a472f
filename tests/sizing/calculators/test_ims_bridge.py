"""IMS bridge: MP16, "When do I need more message processing regions?" and "More TPIPEs?"."""

from __future__ import annotations

from typing import Any

import pytest

from sizing.calculators import ims_bridge as registered
from tests.sizing.builders import refusal

ims_bridge: Any = registered  # a registered function has the return type of all


@pytest.mark.parametrize(("occupancy", "add"), [(0, False), (72, False), (94.9, False), (95, True)])
def test_a_region_is_added_from_95_per_cent_occupancy(occupancy: float, add: bool) -> None:
    # MP16 calls 72 % no constraint and names "near 100 %"; 95 is ours.
    assert ims_bridge.regions(occupancy) == {"add_mpr": add}


def test_the_gain_of_a_bridge_queue_may_be_a_loss() -> None:
    assert ims_bridge.tpipe_gain(100, 150) == {"increase_pct": 50}
    assert ims_bridge.tpipe_gain(100, 100) == {"increase_pct": 0}
    assert ims_bridge.tpipe_gain(100, 75) == {"increase_pct": -25}


@pytest.mark.parametrize(
    ("idle", "full", "depth", "add"),
    [
        (True, False, 1, True),
        (True, False, 0, False),
        (False, False, 1, False),
        (True, True, 1, False),
    ],
)
def test_a_bridge_queue_is_needed_when_requests_wait_for_neither_region_nor_processor(
    idle: bool, full: bool, depth: int, add: bool
) -> None:
    assert ims_bridge.tpipe_needed(idle, full, depth) == {"add_tpipe": add}


@pytest.mark.parametrize(
    ("minutes", "warn", "breach"),
    [(9.9, True, True), (10, True, False), (19.9, True, False), (20, False, False)],
)
def test_a_checkpoint_in_10_minutes_is_a_warning_and_more_often_a_breach(
    minutes: float, warn: bool, breach: bool
) -> None:
    assert ims_bridge.checkpoint_gap(minutes) == {"warn": warn, "breach": breach}


def test_the_first_wait_for_a_buffer_is_a_breach() -> None:
    assert ims_bridge.queue_buffers(0, 10, 5)["breach"] is False
    assert ims_bridge.queue_buffers(1, 10, 5)["breach"] is True


def test_there_are_as_many_buffers_as_regions_and_never_fewer_than_now() -> None:
    assert ims_bridge.queue_buffers(0, 10, 5)["qbuf"] == 10
    assert ims_bridge.queue_buffers(0, 5, 10)["qbuf"] == 10


def test_times_and_shares_out_of_range_are_refused() -> None:
    assert "occupancy_pct: Input should be less than or equal to 100" in refusal(
        "IMS-MPR", occupancy_pct=101
    )
    assert "minutes_between: Input should be greater than 0" in refusal(
        "IMS-CKPT", minutes_between=0
    )
