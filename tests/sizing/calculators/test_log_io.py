"""Devices of the log: MP16, "Upper bound on persistent message capacity - DASD log data rate"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import log_io as registered
from tests.sizing.builders import refusal

log_io: Any = registered  # a registered function has the return type of all


def test_half_of_the_measured_rate_is_for_planning() -> None:
    figures = log_io.dasd_ceiling("ESS 800", 5_120)
    assert figures == {"max_mb_per_s": 16.5, "planning_limit_mb_per_s": 8.25}


def test_the_rate_between_1_and_5_kb_is_linear_and_ends_with_the_table() -> None:
    # ESS 800: 10.0 at 1 KB, 16.5 at 5 KB, 24 at 1 MB.
    assert log_io.dasd_ceiling("ESS 800", 3_072)["max_mb_per_s"] == approx(13.25)
    assert log_io.dasd_ceiling("ESS 800", 1)["max_mb_per_s"] == 10
    assert log_io.dasd_ceiling("ESS 800", 9_999_999)["max_mb_per_s"] == 24


def test_an_unknown_device_names_the_measured_ones() -> None:
    text = refusal("LOG-DASD-CEILING", dasd_type="DS9999", message_bytes=1)
    assert text.startswith("the document has no such row in log_dasd_ceiling; found DS9999")
    assert "DS8900F (RAID 5) 4 stripes + zHPF" in text


@pytest.mark.parametrize(("rate", "breach"), [(0, False), (50, False), (50.1, True), (120, True)])
def test_exactly_half_of_what_the_devices_carry_is_allowed(rate: float, breach: bool) -> None:
    figures = log_io.half_of_ceiling(100, rate)
    assert figures["planning_limit_mb_per_s"] == 50
    assert figures["used_pct"] == approx(rate)
    assert figures["breach"] is breach


def test_the_logger_task_warns_above_half_busy() -> None:
    assert log_io.logger_busy(50)["warn"] is False
    assert log_io.logger_busy(50.5) == {
        "warn": True, "headroom_pct": 49.5, "io_busy_meaningful": True,
    }  # fmt: skip
    assert log_io.logger_busy(10, zhyperlink=True)["io_busy_meaningful"] is False


@pytest.mark.parametrize(
    ("filled", "partial", "dual", "ios"),
    [(0, False, False, 0), (0, True, False, 1), (0, True, True, 2), (1, False, True, 1),
     (128, True, False, 2), (129, False, False, 2), (256, True, True, 4)],
)  # fmt: skip
def test_128_buffers_are_an_io_and_a_partial_one_is_written_apart(
    filled: int, partial: bool, dual: bool, ios: int
) -> None:
    assert log_io.write_ios(filled, partial, dual) == {"log_ios": ios}


def test_full_pages_need_one_io_for_each_128_begun() -> None:
    assert [log_io.ios_for_pages(pages)["log_ios"] for pages in (0, 1, 128, 129)] == [0, 1, 1, 2]


def test_bulk_writes_and_commits_follow_one_another() -> None:
    # "What is the maximum message rate for 100 000-byte messages?", in round figures:
    # 266 - 10 = 256 buffers are 2 bulk I/Os of 5 ms; 10 commits of 2 I/Os of 2 ms are 40 ms.
    times = log_io.BatchTimes(
        put_buffers_per_100=266, current_buffers_per_100=10, bulk_io_ms=5, current_io_ms=2,
        commits_per_100=10, series_ios=2,
    )  # fmt: skip
    assert log_io.rate_from_io_times(times) == {
        "bulk_ios": 2, "bulk_ms": 10, "current_ms": 40, "total_ms": 50, "messages_per_s": 2_000,
    }  # fmt: skip


def test_fewer_commits_and_larger_ios_give_more_messages() -> None:
    rates = [
        log_io.rate_from_io_times(
            log_io.BatchTimes(
                put_buffers_per_100=2_600, current_buffers_per_100=40, buffers_per_io=per_io,
                bulk_io_ms=5, current_io_ms=2, commits_per_100=commits, series_ios=1,
            )
        )["messages_per_s"]
        for per_io, commits in ((15, 100), (128, 100), (128, 10), (128, 1))
    ]  # fmt: skip
    assert rates == sorted(rates)


def test_a_two_phase_commit_forces_the_log_twice() -> None:
    assert log_io.log_forces() == {"log_forces": 0}
    assert log_io.log_forces(1, 2, 4) == {"log_forces": 11}


@pytest.mark.parametrize(
    ("active", "archive", "mirrored", "factor"),
    [(1, 0, False, 1), (2, 0, False, 2), (2, 2, False, 4), (2, 2, True, 6), (1, 1, True, 3)],
)
def test_each_copy_is_written_and_the_active_ones_mirrored(
    active: int, archive: int, mirrored: bool, factor: int
) -> None:
    figures = log_io.amplification(10, active, archive, mirrored)
    assert figures == {"io_mb_per_s": 10 * factor, "factor": factor}


def test_one_per_cent_of_ios_may_bypass_the_cache() -> None:
    assert log_io.fast_write_bypass(1, 100) == {"dfwbp_pct": 1, "breach": False}
    assert log_io.fast_write_bypass(1.5, 100)["breach"] is True
    assert "io_rate: Input should be greater than 0" in refusal(
        "LOG-DFWBP", dfwbp_rate=0, io_rate=0
    )
