"""Sizes and counts of logs: MP16, "How large should the active logs be?"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import log_size as registered
from tests.sizing.builders import refusal

log_size: Any = registered  # a registered function has the return type of all


def test_a_log_filled_in_half_an_hour_fills_twice_in_an_hour() -> None:
    figures = log_size.max_rate(1_800)
    assert figures == {"max_rate_mib_per_s": 1, "max_rate_mib_per_hour": 3_600}
    assert log_size.max_rate(1_800, 900)["max_rate_mib_per_s"] == 2


@pytest.mark.parametrize(
    ("rate", "size", "feasible"), [(0, 0, True), (1, 1_800, True), (2.5, 4_096, False)]
)
def test_the_size_for_a_rate_ends_at_4_gib(rate: float, size: float, feasible: bool) -> None:
    figures = log_size.size_for_rate(rate)
    assert (figures["log_size_mib"], figures["feasible"]) == (size, feasible)


def test_the_size_is_given_in_full_cylinders_as_long_as_there_are_any() -> None:
    # 45 cylinders of 737,280 bytes are 31.640625 MiB exactly.
    assert log_size.size_for_rate(31.640625, 1)["cylinders_3390"] == 45
    assert log_size.size_for_rate(31.65, 1)["cylinders_3390"] == 46
    assert log_size.size_for_rate(4_097, 1)["cylinders_3390"] is None
    assert log_size.bytes_of_cylinders(45) == {"log_bytes": 45 * 737_280}


def test_310_logs_of_4_gb_are_the_largest_capacity() -> None:
    assert log_size.active_capacity(2, 0.5) == {"active_capacity_gb": 1}
    assert "less than or equal to 310" in refusal(
        "LOG-ACTIVE-CAPACITY", active_logs=311, log_size_gb=1
    )
    assert "greater than or equal to 2" in refusal(
        "LOG-ACTIVE-CAPACITY", active_logs=1, log_size_gb=1
    )
    assert "log_size_gb: Input should be less than or equal to 4" in refusal(
        "LOG-ACTIVE-CAPACITY", active_logs=2, log_size_gb=4.1
    )


def test_only_archives_on_dasd_before_8_0_held_a_log_below_4_gb() -> None:
    # "How large can your active logs be?": 65,535 tracks of 56,664 bytes.
    limited = log_size.largest_log("before 8.0", "DASD")
    assert limited["tracks"] == 65_535
    assert limited["log_size_gib"] == approx(3.458, abs=0.0005)
    assert log_size.largest_log("before 8.0", "tape")["log_size_gib"] == 4
    assert log_size.largest_log("8.0+", "DASD")["tracks"] is None


@pytest.mark.parametrize(
    ("logs", "copies", "volumes"), [(2, 1, 2), (3, 1, 3), (4, 2, 4), (5, 2, 6), (310, 1, 2)]
)
def test_an_even_number_of_logs_alternates_on_two_volumes(
    logs: int, copies: int, volumes: int
) -> None:
    assert log_size.placement(logs, copies) == {"min_volumes": volumes}


def test_a_stripe_asks_for_its_part_rounded_up() -> None:
    assert log_size.striped_space(100, 10, 4) == {"priqty_cyl": 25, "secqty_cyl": 3}
    assert log_size.striped_space(100, 10, 1) == {"priqty_cyl": 100, "secqty_cyl": 10}


def test_maxarch_logs_can_be_recovered_and_the_active_ones_are_among_them() -> None:
    # F-11: MP16's formula counts the archived active logs twice.
    assert log_size.recoverable(1_000, 4) == {"max_recoverable_gb": 4_000}
    printed = log_size.printed_range(1_000, 310, 4, "printed_formula")
    assert printed["storage_for_backup_gb"] == 5_240
    parts = log_size.split_of_archived_logs(1_000, 310)
    assert parts == {"current_active": 1, "active_also_in_archive": 309, "archive_only": 691}


@pytest.mark.parametrize(
    ("maxarch", "also_active", "archive_only"), [(309, 309, 0), (310, 309, 1), (10, 10, 0)]
)
def test_no_fewer_than_none_are_only_in_the_archive(
    maxarch: int, also_active: int, archive_only: int
) -> None:
    parts = log_size.split_of_archived_logs(maxarch, 310)
    assert parts["active_also_in_archive"] == also_active
    assert parts["archive_only"] == archive_only


@pytest.mark.parametrize(
    ("needed_mib", "cylinders"), [(4_095, 5_824), (4_095.7, 5_825), (4_095.8, None), (4_096, None)]
)
def test_a_size_is_feasible_where_full_cylinders_hold_it(
    needed_mib: float, cylinders: int | None
) -> None:
    figures = log_size.size_for_rate(needed_mib, 1)
    assert (figures["cylinders_3390"], figures["feasible"]) == (cylinders, cylinders is not None)


@pytest.mark.parametrize(("interval", "breach"), [(9, False), (10, False), (10.5, True)])
def test_a_backup_may_be_exactly_as_old_as_the_log_reaches(interval: float, breach: bool) -> None:
    figures = log_size.days_covered(100, 1, 10, interval)
    assert figures == {"days_covered": 10, "breach": breach}


def test_the_hourly_volume_is_the_size_by_the_hours_that_filled_it() -> None:
    assert log_size.mb_per_hour(1_000, 0.5) == {"log_mb_per_hour": 2_000}


def test_logs_are_read_at_the_published_rate_of_the_operation() -> None:
    assert log_size.read_rate("structure recovery from active logs") == {"mb_per_s": 370}
    text = refusal("LOG-READ-RATES", operation="restart")
    assert "found restart" in text
    assert "restart active log backwards, restart active log forwards" in text
