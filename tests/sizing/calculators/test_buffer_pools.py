"""Buffer pools: MP16, "Interpretation of MQ statistics" and "Buffer pool usage"."""

from __future__ import annotations

from typing import Any

import pytest

from sizing.calculators import buffer_pools as registered
from tests.sizing.builders import refusal

buffer_pools: Any = registered  # a registered function has the return type of all


@pytest.mark.parametrize(
    ("free", "warn", "breach"), [(6, False, False), (5, True, False), (4, True, True)]
)
def test_exactly_5_per_cent_free_is_the_warning_and_less_is_the_breach(
    free: int, warn: bool, breach: bool
) -> None:
    figures = buffer_pools.synchronous_writes(free, 100)  # misprint F-14
    assert figures == {"free_pct": free, "warn": warn, "breach": breach}


@pytest.mark.parametrize("counts", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_each_of_the_three_shortage_counters_is_a_breach(counts: tuple[int, int, int]) -> None:
    assert buffer_pools.short_on_storage(*counts)["breach"] is True
    assert buffer_pools.short_on_storage(0, 0, 0)["breach"] is False


@pytest.mark.parametrize(
    ("writes", "reads", "after_restart", "breach"),
    [(0, 0, False, False), (1, 0, False, True), (0, 1, False, True), (0, 1, True, False),
     (1, 0, True, True)],
)  # fmt: skip
def test_a_restart_excuses_reads_but_not_deferred_writes(
    writes: int, reads: int, after_restart: bool, breach: bool
) -> None:
    assert buffer_pools.deferred_writes(writes, reads, after_restart)["breach"] is breach


def test_the_io_rate_is_divided_by_the_interval_that_the_print_leaves_out() -> None:
    figures = buffer_pools.io_rate(600, 60, 300)  # misprint F-13
    assert figures == {"reads_per_s": 10, "ios_per_s": 15}
    assert buffer_pools.io_rate(600, 60)["ios_per_s"] == 10


def test_rereads_and_contention_are_allowed_up_to_their_limit() -> None:
    assert buffer_pools.rereads(2, 1) == {"reread_ratio": 2, "breach": False}
    assert buffer_pools.rereads(201, 100)["breach"] is True
    assert buffer_pools.contention(1, 2) == {"contention_fraction": 0.5, "breach": False}
    assert buffer_pools.contention(51, 100)["breach"] is True


def test_a_pool_never_more_than_half_used_may_shrink() -> None:
    assert buffer_pools.oversized(50)["reduce_candidate"] is True
    assert buffer_pools.oversized(50.1)["reduce_candidate"] is False


@pytest.mark.parametrize(("pages", "buffers"), [(1, 2), (20, 21), (100, 105), (101, 107)])
def test_a_pool_that_ends_steal_writes_has_5_per_cent_more_buffers_than_pages(
    pages: int, buffers: int
) -> None:
    assert buffer_pools.larger_than_page_set(pages) == {"buffers": buffers}


@pytest.mark.parametrize(("pool", "buffers"), [(0, 50_000), (1, 20_000), (2, 50_000), (3, 20_000)])
def test_pools_start_at_the_defaults_of_mp16(pool: Any, buffers: int) -> None:
    name: Any = f"BUFFPOOL {pool}"
    assert buffer_pools.starting_size(name) == {"buffers": buffers}
    assert buffer_pools.starting_size(name, "test") == {"buffers": 1_050}


def test_pool_0_has_half_a_page_for_an_object_or_a_fifth_more_than_those_in_use() -> None:
    assert [buffer_pools.pool_0(n)["buffers_crude"] for n in (0, 1, 2, 3)] == [0, 1, 1, 2]
    assert [buffer_pools.pool_0_active(n)["buffers"] for n in (0, 1, 10)] == [0, 2, 12]


def test_a_deferred_write_process_has_4_mib_in_flight_and_1_mib_before_8_0() -> None:
    assert buffer_pools.in_flight() == {"pages": 1_024, "mib": 4}
    assert buffer_pools.in_flight(4) == {"pages": 256, "mib": 1}


def test_a_checkpoint_writes_the_changed_share_of_a_pool() -> None:
    assert buffer_pools.pool_volume(1, 1) == {"pages": 262_144}
    assert buffer_pools.pool_volume(1) == {"pages": 222_822}
    assert buffer_pools.pool_volume(1, 0) == {"pages": 0}


def test_messages_of_a_quarter_page_change_four_pages_for_a_page_of_log() -> None:
    figures = buffer_pools.volume_by_log(2, 1_024)
    assert figures == {"messages_per_4kb_of_log": 4, "buffer_pool_gb": 8}
    assert buffer_pools.volume_by_log(2, 1_025)["messages_per_4kb_of_log"] == 3


def test_a_slower_device_writes_the_same_burst_for_longer() -> None:
    seconds = [buffer_pools.burst_time(1, rate)["seconds"] for rate in (1_024, 512, 128)]
    assert seconds == [1, 2, 8]


def test_a_share_above_1_and_an_unknown_pool_are_refused() -> None:
    assert "fraction: Input should be less than or equal to 1" in refusal(
        "BP-DWP-VOLUME", buffer_pool_gib=1, fraction=1.1
    )
    assert "'BUFFPOOL 2' or 'BUFFPOOL 3'" in refusal("BP-SIZES", buffer_pool="BUFFPOOL 4")
