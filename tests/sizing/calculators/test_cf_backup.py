"""Structure backups: MP16, "How much log space do I need when backing up a CF structure?"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import cf_backup as registered
from tests.sizing.builders import refusal

cf_backup: Any = registered  # a registered function has the return type of all

MIB = 1_048_576


@pytest.mark.parametrize(
    ("size", "bytes_each"), [(0, 505), (1, 506), (1_024, 1_538), (4_096, 4_642), (8_192, 8_738)]
)
def test_a_backup_logs_each_message_and_its_overhead(size: int, bytes_each: int) -> None:
    figures = cf_backup.backup_bytes(size)
    assert figures["backup_bytes_per_message"] == bytes_each
    assert figures["overhead_bytes_per_message"] == bytes_each - size
    assert figures["backup_mib"] is None


def test_the_overhead_between_the_measured_sizes_is_linear() -> None:
    assert cf_backup.backup_bytes(2_560)["overhead_bytes_per_message"] == (514 + 546) / 2


def test_a_backup_of_200000_messages_needs_885_mib_not_the_printed_855() -> None:
    assert cf_backup.backup_bytes(4_096, 200_000)["backup_mib"] == approx(885, abs=0.5)  # F-02
    assert cf_backup.backup_bytes(1, MIB)["backup_mib"] == 506
    assert cf_backup.backup_bytes(1, 0)["backup_mib"] == 0


def test_csqe121i_names_the_structure_its_rba_and_its_size() -> None:
    message = (
        "CSQE121I !CSQ1 CSQELBK1 Backup of structure APP1 completed at RBA=00000ABC, size 12 MB"
    )
    figures = cf_backup.completed_backup(message)
    assert figures == {"structure": "APP1", "rba_hex": "00000ABC", "size_mb": 12}


def test_another_message_is_not_a_backup() -> None:
    text = refusal("CFB-LOGSPACE", message="CSQE120I Backup of structure APP1 initiated")
    assert text.startswith("no backup in the message; found CSQE120I")
    assert text.endswith("expected CSQE121I.")


def test_the_log_rate_counts_the_overhead_as_part_of_a_message() -> None:
    assert cf_backup.log_rate(1_024, 0.67)["mb_per_s"] == approx(2)
    # F-10: 2,000 a second are 4.55 MB/s by this estimate; 4.61 is printed.
    assert cf_backup.log_rate(2_000, 1)["mb_per_s"] == approx(4.55, abs=0.005)


def test_the_interval_is_what_can_be_read_by_what_the_busiest_log_writes() -> None:
    assert cf_backup.readable(10, 6) == {"readable_mb": 3_600, "readable_gib": 3_600 / 1_024}
    assert cf_backup.backup_interval(3_600 / 1_024, 1) == {"backup_interval_hours": 1}
    assert cf_backup.backup_interval(3_600 / 1_024, 2) == {"backup_interval_hours": 0.5}


@pytest.mark.parametrize(("schedule", "breach"), [(1, False), (1.1, True)])
def test_a_schedule_may_be_as_long_as_the_interval(schedule: float, breach: bool) -> None:
    figures = cf_backup.backup_against_schedule(1, schedule, 10, 6)
    assert figures == {"backup_interval_hours": 1, "breach": breach}


def test_recovery_reads_450_mb_per_s_for_29_minutes_unless_stated_otherwise() -> None:
    hours = cf_backup.backup_against_schedule(217.5, 1)["backup_interval_hours"]
    assert hours == 450 * 29 * 60 / 217.5 / 3_600 == 1


def test_messages_on_smds_take_more_than_20_times_as_long_to_back_up() -> None:
    assert cf_backup.backup_time(580) == {"seconds": 2}
    assert cf_backup.backup_time(26, on_smds=True) == {"seconds": 2}


def test_a_large_object_takes_full_units_of_32_kb() -> None:
    assert cf_backup.lob_space(32, 10) == {"lob_units_per_message": 1, "kb": 320}
    assert cf_backup.lob_space(33, 10) == {"lob_units_per_message": 2, "kb": 640}


def test_partitions_share_the_objects_with_a_tenth_to_spare() -> None:
    assert cf_backup.lob_partition(400) == {"mb_per_partition": 110}
    assert cf_backup.lob_partition(400, 8, 0) == {"mb_per_partition": 50}


def test_a_row_holds_511_kb() -> None:
    assert cf_backup.lob_rows(1) == {"lob_rows": 1}
    assert cf_backup.lob_rows(511 * 1_024) == {"lob_rows": 1}
    assert cf_backup.lob_rows(511 * 1_024 + 1) == {"lob_rows": 2}
    assert "message_bytes: Input should be greater than 0" in refusal(
        "DB2-SEGMENT", message_bytes=0
    )
