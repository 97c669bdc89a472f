"""SMDS and storage class memory: MP16, "Tuning SMDS", "DSBLOCK" and "Example use cases"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import smds_scm as registered
from tests.sizing.builders import refusal

smds_scm: Any = registered  # a registered function has the return type of all


def test_buffers_take_their_number_by_the_block_for_each_structure() -> None:
    assert smds_scm.buffer_storage() == {"mib": 25}
    assert smds_scm.buffer_storage(200, 512, 3) == {"mib": 300}
    assert smds_scm.buffer_storage(1, 1, 1) == {"mib": 1 / 1_024}


@pytest.mark.parametrize(
    ("free", "waits", "warn", "breach", "buffers"),
    [(1, 5, False, False, 100), (0, 0, True, False, 100), (0, 1, True, True, 100),
     (-20, 1, True, True, 120), (-20, 0, True, False, 120)],
)  # fmt: skip
def test_a_negative_lowest_free_says_how_many_buffers_were_missing(
    free: int, waits: float, warn: bool, breach: bool, buffers: int
) -> None:
    assert smds_scm.buffer_shortage(free, waits, 100) == {
        "warn": warn, "breach": breach, "recommended_dsbufs": buffers,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("dsblock_kb", "in_flight"),
    [(8, 10), (256, 10), (409, 10), (410, 9), (512, 8), (1_024, 4), (4_096, 1)],
)
def test_ten_ios_or_4_mb_are_in_flight(dsblock_kb: int, in_flight: int) -> None:
    assert smds_scm.overlapped(dsblock_kb) == {"max_overlapped_io": in_flight}


def test_a_message_fits_when_its_blocks_can_all_be_in_flight() -> None:
    assert smds_scm.buffers_of_message(80, 8) == {"buffers": 10, "fits_overlap": True}
    assert smds_scm.buffers_of_message(80.5, 8) == {"buffers": 11, "fits_overlap": False}
    assert smds_scm.buffers_of_message(4_096, 512) == {"buffers": 8, "fits_overlap": True}
    assert smds_scm.buffers_of_message(1, 256)["buffers"] == 1


def test_larger_blocks_gave_more_transactions_at_a_lower_cost() -> None:
    measured = [
        smds_scm.block_effect(block) for block in ("DSBLOCK 8K", "DSBLOCK 16K", "DSBLOCK 128K")
    ]
    assert [item["transactions_per_s"] for item in measured] == [1_103, 2_713, 3_439]
    assert [item["us_per_transaction"] for item in measured] == [544, 377, 240]
    assert [item["maximum_used_blocks"] for item in measured] == [151, 51, 7]
    assert [item["channel_path_busy_pct"] for item in measured] == [34.2, 47.34, 31.5]


def test_a_group_keeps_16_tb_for_each_queue_manager_and_structure() -> None:
    # "Backup CFSTRUCT limit": 16 TB x 32 members x 63 structures.
    assert smds_scm.most_data() == {"per_structure_tb": 512, "qsg_pb": 31.5}
    assert smds_scm.most_data(2, 4, 128) == {"per_structure_tb": 8, "qsg_pb": 1}


@pytest.mark.parametrize(
    ("used", "warn", "breach"),
    [(0, False, False), (79, False, False), (80, True, False), (89, True, False), (90, True, True)],
)
def test_a_data_set_warns_at_80_per_cent_and_breaches_at_90(
    used: int, warn: bool, breach: bool
) -> None:
    figures = smds_scm.data_set_fullness(used, 100)
    assert figures == {"used_pct": used, "warn": warn, "breach": breach}


def test_augmented_space_follows_the_published_share_and_a_fixed_part() -> None:
    # "How do I know I am using SCM and how much?": 77,455 MB for 1,048,576 MB, 3 MB fixed.
    assert smds_scm.augmented_space(1_048_576) == {"augmented_mib": 77_458}
    assert smds_scm.augmented_space(524_288)["augmented_mib"] == 77_455 / 2 + 3
    assert smds_scm.augmented_share(100, 7)["augmented_fraction"] == approx(0.07)
    assert smds_scm.augmented_share(100, 0)["augmented_fraction"] == 0


def test_elements_end_first_when_their_ratio_is_above_the_frozen_maximum() -> None:
    # 2 million elements for 1,000 thousand entries: two for each entry.
    equal = smds_scm.exhausted_first(1_000, 2, 10, 20)
    assert equal == {"max_ratio": 2, "current_ratio": 2, "elements_exhaust_first": False}
    assert smds_scm.exhausted_first(1_000, 2, 10, 21)["elements_exhaust_first"] is True


def test_staging_starts_at_90_per_cent() -> None:
    assert smds_scm.staging_starts(89.9) == {"staging": False}
    assert smds_scm.staging_starts(90) == {"staging": True}


def test_a_tib_holds_1431_million_messages_on_smds_not_the_printed_14310() -> None:
    assert smds_scm.scm_messages(1, 768)["messages_million"] == approx(1_431, abs=1)  # F-17
    assert smds_scm.scm_messages(1, 2**20) == {"messages": 2**20, "messages_million": 1.048576}


def test_transfer_rates_are_linear_between_the_measured_sizes() -> None:
    assert smds_scm.transfer_rate(5) == {
        "write_mb_per_s": (228 + 463) / 2, "read_mb_per_s": (177 + 382) / 2,
    }  # fmt: skip
    assert smds_scm.transfer_rate(1) == {"write_mb_per_s": 228, "read_mb_per_s": 177}
    assert smds_scm.transfer_rate(100) == {"write_mb_per_s": 868, "read_mb_per_s": 608}


def test_a_block_of_no_size_and_one_not_measured_are_refused() -> None:
    assert "dsblock_kb: Input should be greater than 0" in refusal("SMDS-OVERLAP", dsblock_kb=0)
    assert "'DSBLOCK 16K' or 'DSBLOCK 128K'" in refusal("SMDS-PERF", dsblock="DSBLOCK 64K")
