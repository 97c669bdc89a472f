"""SMF accounting: MP16, "Accounting Trace Costs" and "How much data is written?"."""

from __future__ import annotations

from typing import Any

import pytest

from sizing.calculators import accounting as registered
from tests.sizing.builders import refusal

accounting: Any = registered  # a registered function has the return type of all

MIB = 1_048_576


def test_a_mebi_of_class_1_transactions_writes_as_many_mib_as_one_has_bytes() -> None:
    figures = accounting.accounting_volume(1, MIB)
    assert figures == {"bytes_per_transaction": 436, "mib": 436, "extrapolated": False}


@pytest.mark.parametrize("queues", [1, 2, 8])
def test_the_number_of_queues_does_not_change_the_volume_of_class_1(queues: int) -> None:
    assert accounting.accounting_volume(1, 10, queues)["bytes_per_transaction"] == 436


def test_class_3_meets_both_printed_record_sizes() -> None:
    # "Accounting Trace Costs" prints 8,324 bytes with two queues and 25,076 with eight.
    assert accounting.accounting_volume(3, 1)["bytes_per_transaction"] == 8_324
    assert accounting.accounting_volume(3, 1, 8)["bytes_per_transaction"] == 25_076
    assert accounting.accounting_volume(3, 1, 3)["bytes_per_transaction"] == 8_324 + 2_792


@pytest.mark.parametrize(("queues", "extrapolated"), [(1, True), (2, False), (8, False), (9, True)])
def test_class_3_is_extrapolated_outside_the_printed_numbers_of_queues(
    queues: int, extrapolated: bool
) -> None:
    assert accounting.accounting_volume(3, 1, queues)["extrapolated"] is extrapolated
    assert accounting.accounting_volume(1, 1, queues)["extrapolated"] is False


def test_no_transaction_writes_nothing() -> None:
    assert accounting.accounting_volume(3, 0)["mib"] == 0


@pytest.mark.parametrize(
    ("queues", "records"), [(1, 1), (8, 1), (9, 2), (17, 2), (18, 3), (26, 3), (27, 4)]
)
def test_a_record_begins_after_eight_queues_and_then_after_each_nine(
    queues: int, records: int
) -> None:
    assert accounting.accounting_records(queues) == {"smf116_records": records}


def test_accounting_adds_to_each_call_and_once_at_the_end() -> None:
    inputs = accounting.CostInputs.model_validate(
        {"class": 3, "base_us": 20, "api_calls": 4, "us_per_api": 2, "smf_us": 2}
    )
    assert accounting.accounting_cpu(inputs) == {"total_us": 30, "increase_pct": 50}


def test_a_transaction_without_calls_pays_for_its_record_only() -> None:
    inputs = accounting.CostInputs.model_validate(
        {"class": 1, "base_us": 100, "api_calls": 0, "us_per_api": 2, "smf_us": 5}
    )
    assert accounting.accounting_cpu(inputs) == {"total_us": 105, "increase_pct": 5}


def test_the_first_csqw133e_is_a_loss_of_data() -> None:
    assert [accounting.lost_data(count)["breach"] for count in (0, 1, 2)] == [False, True, True]


def test_a_log_stream_carries_twice_the_rate_and_zedc_3_8_times_that() -> None:
    assert accounting.log_stream_capacity(5) == {"rate_mb_per_s": 10}
    assert accounting.log_stream_capacity(5, compressed=True) == {"rate_mb_per_s": 38}


def test_only_the_classes_1_and_3_have_a_volume() -> None:
    assert "class: Input should be 1 or 3" in refusal(
        "SMF-ACCT-BYTES", **{"class": 2, "transactions": 1}
    )
    assert "queues: Input should be greater than 0" in refusal("SMF-ACCT-RECORDS", queues=0)
