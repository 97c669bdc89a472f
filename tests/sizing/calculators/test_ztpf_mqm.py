"""Memory for messages on z/TPF: Deep Dive into 64-Bit Support for IBM MQ."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import ztpf_mqm as registered
from tests.sizing.builders import refusal

ztpf_mqm: Any = registered  # a registered function has the return type of all


def test_a_thousand_work_blocks_are_a_megabyte_of_which_five_are_defined() -> None:
    assert ztpf_mqm.mqm_from_swbs(1_000) == {"swb_mb": 1, "mqm_mb": 5}
    assert ztpf_mqm.mqm_from_swbs(1_000, 10) == {"swb_mb": 1, "mqm_mb": 10}
    assert ztpf_mqm.mqm_from_swbs(0) == {"swb_mb": 0, "mqm_mb": 0}


def test_the_rate_of_a_queue_counts_persistent_and_other_messages() -> None:
    assert ztpf_mqm.queue_rate(1_000, 1_000, 0, 0) == {"mb_per_s": 1}
    assert ztpf_mqm.queue_rate(1_000, 1_000, 500, 4_000) == {"mb_per_s": 3}


def test_all_queues_are_held_for_ten_seconds_and_growth() -> None:
    # "Determining How Much MQM to Define with Data Reduction".
    assert ztpf_mqm.mqm_from_rates([1, 3]) == {
        "total_mb_per_s": 4, "minimum_mb": 40, "recommended_mb": 200,
    }  # fmt: skip
    assert ztpf_mqm.mqm_from_rates([1, 3], 20, 10)["recommended_mb"] == 800
    assert ztpf_mqm.mqm_from_rates([])["recommended_mb"] == 0


def test_the_printed_queues_add_up_to_4175_mb() -> None:
    figures = ztpf_mqm.mqm_from_rates([83.51])  # F-49: printed 4.17 GB, 4,175.5 MB
    assert figures["recommended_mb"] == approx(4_175.5)


def test_sweeping_starts_at_its_level_and_ends_at_its_target() -> None:
    assert ztpf_mqm.sweep_level(10) == {"sweep_at_gb": 8}
    assert ztpf_mqm.sweep_target(10) == {"target_gb": 2}
    assert ztpf_mqm.sweep_level(10, 50) == {"sweep_at_gb": 5}
    assert ztpf_mqm.sweep_target(10, 50, 20) == {"target_gb": 3}


@pytest.mark.parametrize(
    ("in_use", "warn", "breach"),
    [(0, False, False), (59.9, False, False), (60, True, False), (79.9, True, False),
     (80, True, True), (100, True, True)],
)  # fmt: skip
def test_reaching_the_target_warns_and_reaching_the_level_breaches(
    in_use: float, warn: bool, breach: bool
) -> None:
    assert ztpf_mqm.sweeping(in_use) == {"warn": warn, "breach": breach}


@pytest.mark.parametrize(
    ("used", "swept", "oversized"),
    [
        (0, False, True),
        (10, False, True),
        (11, False, False),
        (79, False, False),
        (80, True, False),
    ],
)
def test_the_high_water_mark_shows_a_sweep_or_an_oversized_allocation(
    used: int, swept: bool, oversized: bool
) -> None:
    figures = ztpf_mqm.high_water(100, used)
    assert figures == {"hw_pct": used, "sweeper_has_run": swept, "oversized": oversized}


@pytest.mark.parametrize(
    ("sweeps", "warn", "breach"),
    [(0, False, False), (9, False, False), (10, True, False), (99, True, False), (100, True, True)],
)
def test_tens_of_sweeps_a_day_warn_and_hundreds_breach(
    sweeps: int, warn: bool, breach: bool
) -> None:
    assert ztpf_mqm.sweeps(sweeps) == {"warn": warn, "breach": breach}


@pytest.mark.parametrize(
    ("size", "blocks", "swbs"),
    [(1, 1, 1), (960, 1, 1), (961, 1, 2), (3_840, 1, 4), (3_841, 2, 5), (38_400, 10, 40)],
)
def test_a_message_takes_full_blocks_less_their_overhead(size: int, blocks: int, swbs: int) -> None:
    assert ztpf_mqm.blocks(size) == {"mqm_blocks": blocks, "swbs": swbs}


def test_pool_records_are_reserved_for_the_subsystem_and_each_queue() -> None:
    assert ztpf_mqm.limits(0)["reserved_records"] == 88_000
    assert ztpf_mqm.limits(100)["reserved_records"] == 88_000 + 44_100
    fixed = ztpf_mqm.limits(0)
    assert (fixed["checkpoint_io_31bit"], fixed["checkpoint_io_64bit"]) == (175, 250)
    assert (fixed["sweep_ecbs"], fixed["unsweep_ecbs"]) == (10, 20)
    assert fixed["pool_records_per_index"] == 440


def test_the_control_record_comes_on_top_of_the_queues() -> None:
    assert ztpf_mqm.control_records(0) == {"records": 1}  # F-22
    assert ztpf_mqm.control_records(99) == {"records": 100}


def test_no_memory_no_bytes_and_more_than_all_are_refused() -> None:
    assert "mqm_gb: Input should be greater than 0" in refusal("TPF-SWEEP-TARGET", mqm_gb=0)
    assert "message_bytes: Input should be greater than 0" in refusal("TPF-BLOCKS", message_bytes=0)
    assert "mqmswpl_pct: Input should be less than or equal to 100" in refusal(
        "TPF-SWEEP-TARGET", mqm_gb=1, mqmswpl_pct=101
    )
