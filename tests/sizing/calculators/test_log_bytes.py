"""Log bytes of messages: MP16, "How much log space does my message use?"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import log_bytes as registered
from sizing.rulebook.registry import all_calculators
from tests.sizing.builders import refusal

log_bytes: Any = registered  # a registered function has the return type of all

MIB = 1_048_576
PATTERNS = {
    "put": ("put_out_of_syncpoint", "put_then_commit", "put10_commit"),
    "get": ("get_out_of_syncpoint", "get_then_commit", "get10_commit"),
}


def test_a_put_between_two_measured_sizes_is_linear() -> None:
    # 2,088 bytes at 1,024 and 5,331 at 4,096.
    figures = log_bytes.put_local(2_560, "put_then_commit")
    assert figures["log_bytes_per_message"] == (2_088 + 5_331) / 2


def test_a_put_longer_than_the_table_logs_each_byte_and_150_for_a_page() -> None:
    assert log_bytes.put_local(8_192, "put_then_commit")["log_bytes"] == 5_331 + 4_096 + 150
    assert log_bytes.put_local(4_097, "put_then_commit")["log_bytes"] == 5_331 + 1 + 150
    assert log_bytes.put_local(8_192, "put_then_commit", 0)["log_bytes"] == 0


def test_a_unit_of_work_has_ten_messages_only_where_the_pattern_says_so() -> None:
    ten = log_bytes.put_local(0, "put10_commit", 3)
    assert ten["log_bytes_per_unit_of_work"] == 10 * 751
    assert ten["log_bytes"] == 3 * 751
    put = log_bytes.put_local(0, "put_then_commit")
    assert put["log_bytes_per_unit_of_work"] == put["log_bytes_per_message"]


def test_a_larger_put_never_logs_less() -> None:
    sizes = (0, 1, 1_000, 1_024, 4_096, 5_000, 100_000, 4_194_304)
    for put in (log_bytes.put_local, log_bytes.put_shared):
        for pattern in PATTERNS["put"]:
            logged = [put(size, pattern)["log_bytes_per_message"] for size in sizes]
            assert logged == sorted(logged), pattern


def test_a_shared_put_out_of_syncpoint_logs_far_less_than_a_committed_one() -> None:
    assert log_bytes.put_shared(0, "put_out_of_syncpoint")["log_bytes_per_message"] == 683
    assert log_bytes.put_shared(0, "put_then_commit")["log_bytes_per_message"] == 1_230


def test_a_get_of_a_unit_of_ten_logs_less_than_one_by_itself() -> None:
    for get in (log_bytes.get_local, log_bytes.get_shared):
        alone = get(1_024, "get_then_commit")
        of_ten = get(1_024, "get10_commit")
        assert of_ten["log_bytes_per_message"] < alone["log_bytes_per_message"]
        assert of_ten["log_bytes_per_unit_of_work"] == 10 * of_ten["log_bytes_per_message"]


def test_a_get_hardly_depends_on_its_size_up_to_10_kb() -> None:
    at_end = log_bytes.get_local(4_096, "get_then_commit")["log_bytes_per_message"]
    assert log_bytes.get_local(10_240, "get_then_commit")["log_bytes_per_message"] == at_end
    larger = log_bytes.get_local(102_400, "get_then_commit")["log_bytes_per_message"]
    assert larger == approx(at_end + 800)


@pytest.mark.parametrize(
    ("kb", "logged"), [(0, 500), (10, 500), (55, 900), (100, 1_300), (190, 2_100)]
)
def test_the_share_of_the_get_is_500_to_10_kb_then_linear_through_1300_at_100(
    kb: int, logged: float
) -> None:
    assert log_bytes.get_share(kb)["mqget_log_bytes"] == approx(logged)
    assert log_bytes.get_share_of_bytes(kb * 1_024)["mqget_log_bytes"] == approx(logged)


def test_the_rate_of_a_workload_is_its_bytes_by_2_to_the_20() -> None:
    assert log_bytes.transaction_bytes([]) == {"log_bytes_per_transaction": 0}
    assert log_bytes.transaction_bytes([1_000, 48]) == {"log_bytes_per_transaction": 1_048}
    assert log_bytes.transaction_rate(1_024, 2_048) == {"log_rate_mib_per_s": 2}


def test_a_flow_is_linear_between_sizes_and_flat_below_them() -> None:
    assert log_bytes.by_flow(0, "local_or_client_put_get")["log_bytes_per_message"] == 1_700
    assert log_bytes.by_flow(750, "local_or_client_put_get")["log_bytes_per_message"] == 2_000
    assert "put_and_send_batch50" in refusal("LOG-BYTES-FLOW", message_bytes=1, flow="send")


@pytest.mark.parametrize(
    ("size", "logged"), [(0, 1_300), (3_796, 5_096), (3_797, 5_097 + 300), (7_892, 9_192 + 300)]
)
def test_the_formula_adds_150_for_each_page_of_a_message_over_one_page(
    size: int, logged: int
) -> None:
    # "Log data rate formulae": bytes + 300 of headers + 1,000, pages of 4,096.
    assert log_bytes.estimate(size) == {"log_bytes": logged}


def test_a_batch_logs_more_at_the_sender_and_nothing_for_fast_messages() -> None:
    assert log_bytes.channel_batch(1, "sender")["log_kb_per_batch"] == 2.5  # F-03
    assert log_bytes.channel_batch(50, "sender")["log_kb_per_batch"] == approx(3.7)
    assert log_bytes.channel_batch(13, "receiver")["log_kb_per_message"] == approx(0.1)
    assert log_bytes.channel_batch(50, "sender", fast_only=True)["log_kb_per_message"] == 0


def test_the_volume_for_recovery_counts_messages_and_batches() -> None:
    assert log_bytes.recovery_volume(0.7, 10)["log_kb"] == approx(20)
    assert log_bytes.recovery_volume(9, 0, 2, 5)["log_kb"] == approx(12)


def test_the_log_allows_its_rate_by_the_bytes_of_a_message() -> None:
    assert log_bytes.message_ceiling(1, 1_024) == {"messages_per_s": 1_024}
    assert log_bytes.message_ceiling(1, 1_025) == {"messages_per_s": 1_023}


def test_an_8_byte_rba_adds_7_per_cent_at_4_kb_and_2_at_64() -> None:
    extra = [log_bytes.extra_for_rba8(1_024, kb * 1_024)["extra_log_pct"] for kb in (1, 4, 34, 64)]
    assert extra == [7, 7, 4.5, 2]
    assert "request_bytes: Input should be 1024" in refusal(
        "LOG-RBA8", request_bytes=2_048, reply_bytes=4_096
    )


@pytest.mark.parametrize(
    ("pattern", "messages", "total"),
    [
        ("put_out_of_syncpoint", 1, 1_060),
        ("put_out_of_syncpoint", 7, 7_420),
        ("put_then_commit", 7, 7_420),
        ("put10_commit", 10, 7_510),  # as MP16 prints it for ten messages of one byte
        ("put10_commit", 25, 18_775),
    ],
)
def test_the_total_of_several_messages_is_given_for_every_pattern(
    pattern: str, messages: int, total: int
) -> None:
    figures = all_calculators()["LOG-BYTES-PUT-LOCAL"].answer(
        {"message_bytes": 1, "pattern": pattern, "messages": messages}
    )
    assert figures["log_bytes"] == total
