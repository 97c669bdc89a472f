"""Encrypted data sets: MP16, "Active and Archive log encryption" and "Page set encryption"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import encryption as registered
from tests.sizing.builders import refusal

encryption: Any = registered  # a registered function has the return type of all


def test_a_mb_has_256_pages() -> None:
    assert encryption.page_to_mb(1) == {"us_per_mb": 256}
    assert encryption.page_to_mb(0) == {"us_per_mb": 0}


def test_active_logs_cost_their_copies_and_the_read_for_the_archive() -> None:
    # 180 us a MB: one copy written and decrypted once, or two copies and decrypted once.
    assert encryption.log_cost_of_copies(1, 1, 0)["cpu_us"] == 2 * 180
    assert encryption.log_cost_of_copies(1, 2, 0)["cpu_us"] == 3 * 180
    assert encryption.log_cost_of_copies(1, 1, 1)["cpu_us"] == 2 * 180 + 154


def test_copies_and_factors_agree() -> None:
    by_copies = encryption.log_cost_of_copies(1_024, 2, 2)
    assert by_copies == encryption.log_cost(1_024, archive_factor=2, active_factor=3)
    assert encryption.log_cost(1_024)["cpu_us"] == 0


def test_the_cost_is_given_in_microseconds_milliseconds_and_seconds() -> None:
    figures = encryption.log_cost(1_000, archive_us_per_mb=2_000, archive_factor=1)
    assert figures == {"cpu_us": 2_000_000, "cpu_ms": 2_000, "cpu_s": 2}


def test_page_set_operations_add_up() -> None:
    assert encryption.page_set_cost(get_pages=10)["cpu_us"] == approx(7)
    assert encryption.page_set_cost(get_pages=10, imw_pages=10)["cpu_us"] == approx(14)
    assert encryption.page_set_cost()["cpu_us"] == 0


def test_writes_are_counted_by_io_where_known_and_else_by_page() -> None:
    by_page = encryption.page_set_cost(write_pages=160)["cpu_us"]
    by_io = encryption.page_set_cost(write_pages=160, write_ios=10)["cpu_us"]
    assert by_page == approx(416)
    assert by_io == approx(416)  # 16 pages an I/O make the two printed costs equal
    assert encryption.page_set_cost(write_pages=999, write_ios=1)["cpu_us"] == approx(41.6)


def test_a_message_in_the_buffers_of_smds_costs_nothing_and_a_remote_one_most() -> None:
    costs = [
        encryption.smds_cost(operation, 10)["cpu_us"]
        for operation in ("get_buffer", "put", "get_local", "get_remote")
    ]
    assert costs == approx([0, 7, 7, 8])


def test_archives_compress_with_more_throughput_for_larger_messages() -> None:
    assert encryption.compressed_archives("4KB") == {
        "tcb_increase_from_pct": 4, "tcb_increase_to_pct": 4,
        "throughput_increase_from_pct": 0, "throughput_increase_to_pct": 0,
    }  # fmt: skip
    highest = [
        encryption.compressed_archives(size)["throughput_increase_to_pct"]
        for size in ("4KB", "32KB", "1MB", "4MB")
    ]
    assert highest == [0, 4, 72, 94]
    lowest = [
        encryption.compressed_archives(size)["throughput_increase_from_pct"]
        for size in ("4KB", "32KB", "1MB", "4MB")
    ]
    assert lowest == [0, 0, 44, 50]


def test_compressed_archives_are_read_at_18_mb_per_s_instead_of_60() -> None:
    assert encryption.recovery_from_archives(360, compressed=True)["elapsed_s"] == 20
    assert encryption.recovery_from_archives(360, compressed=False)["elapsed_s"] == 6
    assert encryption.recovery_from_archives(10, compressed=True)["cpu_ms"] == approx(24)
    assert encryption.recovery_from_archives(10, compressed=False)["cpu_ms"] == approx(17)


@pytest.mark.parametrize(
    ("identity", "inputs", "text"),
    [
        ("DSE-LOG", {"log_mb": 1, "active_copies": 3, "archive_copies": 1}, "1 or 2"),
        ("DSE-SMDS", {"operation": "browse", "pages": 1}, "'get_remote' or 'get_buffer'"),
        ("ZEDC-ARCHIVE", {"message_size": "2MB"}, "'1MB' or '4MB'"),
        ("DSE-PSET", {"get_pages": -1}, "get_pages: Input should be greater than or equal to 0"),
    ],
)
def test_what_mp16_does_not_list_is_refused(
    identity: str, inputs: dict[str, object], text: str
) -> None:
    assert text in refusal(identity, **inputs)
