"""Phases of a restart: MP16, "How long will each phase of the recovery take?"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import restart as registered
from tests.sizing.builders import refusal

restart: Any = registered  # a registered function has the return type of all


def test_a_range_is_read_in_its_bytes_by_decimal_megabytes() -> None:
    # F4240 is 1,000,000.
    figures = restart.range_time("0", "F4240", 1)
    assert (figures["bytes"], figures["seconds"]) == (1_000_000, 1)
    assert figures["minutes"] == approx(1 / 60)
    assert figures["hours"] == approx(1 / 3_600)


def test_the_direction_of_a_range_does_not_matter_and_an_empty_one_takes_no_time() -> None:
    assert restart.range_time("f4240", "0", 1) == restart.range_time("0", "F4240", 1)
    assert restart.range_time("ABC", "abc", 1)["seconds"] == 0


def test_an_rba_is_hexadecimal_with_at_most_16_digits() -> None:
    for rba in ("", "0x12", "12G", "1" * 17):
        text = refusal("REC-RBA-TIME", start_rba_hex=rba, end_rba_hex="0", read_mb_per_s=1)
        assert "start_rba_hex: String should match pattern" in text


def test_the_current_status_reads_a_log_or_its_part_from_the_last_checkpoint() -> None:
    assert restart.current_status(100, 10) == {"seconds": 10}
    assert restart.current_status(100, 10, 4) == {"seconds": 2.5}


def test_page_reads_are_the_pages_of_the_range_that_are_read() -> None:
    assert restart.page_rate(100) == {"pages_per_s": 10_000, "mib_per_s": 39.0625}
    figures = restart.page_reads(1, 0.5, 1_000)
    assert figures == {"pages": 131_072, "seconds": approx(131.072)}
    assert restart.page_reads(1, 0, 1_000)["seconds"] == 0
    assert "pages_read_fraction: Input should be less than or equal to 1" in refusal(
        "REC-PAGE-READS", recovery_range_gib=1, pages_read_fraction=1.1, us_per_4kb_page=1
    )


def test_forward_recovery_is_the_longer_of_its_two_parallel_parts() -> None:
    assert restart.forward(10, 20, 29) == {"forward_s": 30}
    assert restart.forward(10, 20, 31) == {"forward_s": 31}
    assert restart.buffer_pool_rebuild(3, 100, 10) == {"seconds": 30}
    assert "checkpoints: Input should be less than or equal to 3" in refusal(
        "REC-BUFFERPOOL", checkpoints=4, log_mb=1, read_mb_per_s=1
    )


def test_backward_recovery_reads_at_half_the_forward_rate() -> None:
    assert restart.backward(100, 10) == {"seconds": 20}  # F-08
    assert restart.backward(100, 10, slower_by=1) == {"seconds": 10}


def test_the_complete_restart_adds_phases_and_mounts_in_minutes() -> None:
    assert restart.total(60, 60, 60) == {"total_min": 3}
    assert restart.total(0, 0, 0, tapes=3, mount_min_per_tape=2) == {"total_min": 6}


def progress(**inputs: Any) -> dict[str, Any]:
    values = {
        "prev_rba_hex": "0", "curr_rba_hex": "100", "seconds_between": 64, "target_rba_hex": "200",
        "curr_time": "23:59:00",
    }  # fmt: skip
    return dict(restart.progress(restart.RestartProgressInputs(**values | inputs)))


def test_two_messages_give_the_rate_and_the_end_also_past_midnight() -> None:
    assert progress() == {"bytes_per_s": 4, "remaining_s": 64, "predicted_end": "00:00:04"}
    backwards = progress(prev_rba_hex="300", curr_rba_hex="200", target_rba_hex="100")
    assert backwards["remaining_s"] == 64
    assert progress(target_rba_hex="100")["predicted_end"] == "23:59:00"


def test_a_recovery_message_gives_its_range_and_the_most_pages_in_it() -> None:
    message = "CSQR032I !CSQ1 Backward recovery log range from RBA=00002001 to RBA=00000000"
    assert restart.recovery_range(message) == {
        "from_rba_hex": "00002001", "to_rba_hex": "00000000", "bytes": 8_193, "max_pages": 3,
    }  # fmt: skip
    text = refusal("REC-PROGRESS", message="CSQR006I !CSQ1 restart complete")
    assert text.startswith("no recovery range in the message; found CSQR006I")


def test_transactions_between_checkpoints_are_logload_by_their_buffer_writes() -> None:
    assert restart.transactions_per_checkpoint(1_000, 30) == {"transactions_per_checkpoint": 33}
    assert restart.transactions_per_checkpoint(200, 200)["transactions_per_checkpoint"] == 1
    for logload in (199, 16_000_001):
        assert "logload: Input should be" in refusal(
            "REC-LOGLOAD-TXN", logload=logload, log_buffer_writes_per_txn=1
        )


def test_a_restart_has_7_seconds_before_and_a_fifth_of_one_after_recovery() -> None:
    # "Worked example of restart times".
    assert restart.restart_after(0, 59) == {"csqr001_to_csqr002_s": 0, "total_restart_s": 7.2}
    assert restart.restart_after(5_000, 60)["csqr001_to_csqr002_s"] == 30
    assert restart.restart_after_cics(5_000)["csqr001_to_csqr002_s"] == 30


def test_checkpoints_are_switches_and_full_logloads() -> None:
    assert restart.checkpoints(3, 0, 1_000) == {"checkpoints_upper_bound": 3}
    assert restart.checkpoints(3, 1_500, 1_000) == {"checkpoints_upper_bound": 4.5}


def test_start_up_of_objects_is_linear_between_the_measured_counts() -> None:
    seconds = [
        restart.startup_of_objects(n)["csqr001_to_csqr002_s"]
        for n in (0, 140, 2_140, 4_140, 9_312, 99_999)
    ]
    assert seconds == approx([1, 1, 2.3, 3.6, 5.6, 7.6])


@pytest.mark.parametrize(
    ("age", "logs", "warn", "breach"),
    [(0, 0, False, False), (60, 1, False, False), (61, 2, True, False), (120, 2, True, False),
     (121, 3, True, True)],
)  # fmt: skip
def test_the_oldest_unit_of_work_should_be_within_two_active_logs(
    age: float, logs: int, warn: bool, breach: bool
) -> None:
    figures = restart.oldest_unit(age, 60)
    assert figures == {"logs_needed": logs, "warn": warn, "breach": breach}


def test_an_index_of_8_million_messages_takes_147_seconds_or_250_at_worst() -> None:
    figures = restart.index_rebuild(8_000_000)  # F-09
    assert figures == {"cpu_s": 14.5, "elapsed_s": 147, "elapsed_min": 2.45}
    assert restart.index_rebuild(8_000_000, dasd="DS8950")["elapsed_s"] == 250
    assert restart.index_rebuild(4_000_000, 100)["elapsed_s"] == 50
    assert restart.index_rebuild(0)["elapsed_s"] == 0
