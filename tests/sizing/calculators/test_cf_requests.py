"""Avoidable CF requests: MP16, "Why do I see many re-drives in the statistics report?"."""

from __future__ import annotations

from typing import Any

import pytest

from sizing.calculators import cf_requests as registered
from tests.sizing.builders import refusal

cf_requests: Any = registered  # a registered function has the return type of all


@pytest.mark.parametrize(
    ("sizes_kb", "count"),
    [
        ([], 0),
        ([4], 0),
        ([5], 1),
        ([5, 8, 5], 1),
        ([5, 9, 20], 3),
        ([100, 100], 1),
    ],
)
def test_a_message_larger_than_the_buffer_costs_a_redrive_and_enlarges_it(
    sizes_kb: list[float], count: int
) -> None:
    assert cf_requests.redrives(sizes_kb)["redrives"] == count


def test_the_buffer_shrinks_after_ten_small_messages_in_a_row() -> None:
    assert cf_requests.redrives([8, *[1.0] * 9, 8])["redrives"] == 1
    assert cf_requests.redrives([8, *[1.0] * 10, 8])["redrives"] == 2


def test_a_message_that_needs_the_buffer_starts_the_ten_anew() -> None:
    assert cf_requests.redrives([8, *[1.0] * 9, 8, *[1.0] * 9, 8])["redrives"] == 1


def test_the_buffer_shrinks_to_the_largest_of_the_ten() -> None:
    assert cf_requests.redrives([8, 2, *[1.0] * 9, 2])["redrives"] == 1
    assert cf_requests.redrives([8, 2, *[1.0] * 9, 4])["redrives"] == 2


def test_at_6_0_the_buffer_shrinks_at_once() -> None:
    assert cf_requests.redrives([8, 1, 8], mq_level="6.0")["redrives"] == 2
    assert cf_requests.redrives([8, 1, 8], mq_level="7.0+")["redrives"] == 1


def test_redrives_are_given_for_each_get_too() -> None:
    assert cf_requests.redrives([8, 8, 8, 8])["redrives_per_get"] == 0.25
    assert cf_requests.redrives([])["redrives_per_get"] == 0


def test_buffers_double_to_4_kb_then_grow_by_4_kb_to_63_kb() -> None:
    buffers = cf_requests.BUFFER_BYTES
    assert list(buffers) == sorted(set(buffers))
    assert (buffers[0], buffers[4], buffers[5], buffers[-2], buffers[-1]) == (
        256, 4_096, 8_192, 61_440, 64_512,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("depth", "warn", "breach"),
    [(0, False, False), (49, False, False), (50, True, False), (6_000, True, False),
     (6_001, True, True)],
)  # fmt: skip
def test_a_common_key_is_best_below_50_messages_and_bad_above_6000(
    depth: int, warn: bool, breach: bool
) -> None:
    assert cf_requests.key_depth(depth) == {"warn": warn, "breach": breach}


def test_shares_of_requests_are_simple_ratios() -> None:
    assert cf_requests.retries_per_message(30, 10) == {"retries_per_message": 3}
    assert cf_requests.retry_share(1, 4) == {"retry_pct": 25}
    assert cf_requests.all_requests(3, 4) == {"cf_requests": 7}


def test_every_member_but_one_is_signalled_in_vain() -> None:
    assert cf_requests.wasted_signals(1) == {"wasted_signals": 0}
    assert cf_requests.wasted_signals(3, 10) == {"wasted_signals": 20}
    assert cf_requests.empty_gets(10, 10) == {"empty_per_successful": 0}
    assert cf_requests.empty_gets(25, 10) == {"empty_per_successful": 1.5}


def test_no_message_and_an_unknown_version_are_refused() -> None:
    assert "messages: Input should be greater than 0" in refusal(
        "CF-COMMONKEY", retries=1, messages=0
    )
    assert "mq_level: Input should be '6.0' or '7.0+'" in refusal(
        "CF-REDRIVE", message_kb=[1], mq_level="8.0"
    )
