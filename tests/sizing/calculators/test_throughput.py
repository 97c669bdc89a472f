"""Ceilings of servers and queues: MP16, "Strict ordering - single reply application"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import throughput as registered
from tests.sizing.builders import refusal

throughput: Any = registered  # a registered function has the return type of all


def test_one_server_handles_one_transaction_after_the_other() -> None:
    figures = throughput.single_server(600, 300, 100)
    assert figures == {"elapsed_us": 1_000, "max_transactions_per_s": 1_000}
    assert throughput.utilisation(250, 1_000) == {"utilisation_pct": 25}
    assert throughput.utilisation(0, 1_000) == {"utilisation_pct": 0}


@pytest.mark.parametrize(
    ("size", "rate"),
    [(1, 114_060), (1_000, 114_060), (3_000, 110_645), (7_500, 104_915), (999_999, 49_520)],
)
def test_the_rate_of_a_private_queue_is_linear_between_the_printed_sizes(
    size: float, rate: float
) -> None:
    # "What is the maximum message rate through a single private queue?" (F-20: z16).
    assert throughput.private_queue(size)["messages_per_s"] == approx(rate)


def test_larger_messages_never_pass_faster() -> None:
    sizes = (100, 1_000, 4_000, 10_000, 20_000, 100_000)
    rates = [throughput.private_queue(size)["messages_per_s"] for size in sizes]
    assert rates == sorted(rates, reverse=True)


@pytest.mark.parametrize(
    ("rate", "used", "warn", "breach"),
    [(0, 0, False, False), (57_030, 50, False, False), (85_545, 75, True, False),
     (114_060, 100, True, False), (171_090, 150, True, True)],
)  # fmt: skip
def test_a_queue_warns_above_half_of_its_rate_and_breaches_above_all_of_it(
    rate: float, used: float, warn: bool, breach: bool
) -> None:
    assert throughput.private_queue_used(1_000, rate) == {
        "messages_per_s": 114_060, "used_pct": used, "warn": warn, "breach": breach,
    }  # fmt: skip


def test_a_transaction_is_two_messages() -> None:
    # F-28: 144,970 messages are 72,485 transactions, not the printed 72,845.
    figures = throughput.request_reply("3-way", 4, 1, 1)
    assert figures["messages_per_s"] == 144_970
    assert figures["transactions_per_s"] == 72_485


def test_a_combination_that_was_not_measured_names_those_that_were() -> None:
    text = refusal(
        "THR-RR-PRIVATE", lpar="3-way", queue_pairs=5, repliers_per_pair=1, requesters_per_pair=1
    )
    assert text.startswith("the document has no such row in request_reply_private")
    assert "found 3-way 5 1 1" in text
    assert "3-way 4 1 1" in text


def test_shared_queues_have_a_rate_only_where_mp16_gives_one() -> None:
    assert throughput.shared_queues(1) == {"messages_per_s": 72_000}
    assert throughput.shared_queues(1, zhpf=True) == {"messages_per_s": 84_000}
    assert throughput.shared_queues(5) == {"messages_per_s": 58_000}
    assert throughput.shared_queues(5, zhpf=True) == {"messages_per_s": None}


def test_the_volume_of_a_group_is_its_messages_by_their_size() -> None:
    assert throughput.group_volume(1, 1_024) == {"mib": 1}
    assert throughput.group_volume(1_024, 1) == {"mib": 1}


def test_two_costs_separate_the_connection_from_the_message() -> None:
    # a + b = 108 with one message, a / 50 + b = 10 with fifty: a = 100, b = 8.
    figures = throughput.connection_cost(108, 10)
    assert figures["connect_us"] == approx(100)
    assert figures["per_message_us"] == approx(8)
    assert throughput.connection_cost(10, 10) == {"connect_us": 0, "per_message_us": 10}


def test_a_size_that_was_not_measured_is_refused() -> None:
    assert "message_kb: Input should be 1 or 5" in refusal("THR-SHARED", message_kb=2)
