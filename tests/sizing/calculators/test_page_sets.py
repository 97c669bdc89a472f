"""Messages in page sets: MP16, "Size of page sets for a given number of messages"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import page_sets as registered
from tests.sizing.builders import refusal

page_sets: Any = registered  # a registered function has the return type of all


@pytest.mark.parametrize(
    ("size", "pages"), [(0, 1), (3_635, 1), (3_636, 2), (7_683, 2), (7_684, 3), (31_971, 8),
                        (31_972, 9), (36_019, 9), (36_020, 10)],
)  # fmt: skip
def test_a_message_takes_a_page_to_3635_bytes_and_one_for_each_4048_begun(
    size: int, pages: int
) -> None:
    assert page_sets.pages_per_message(size) == {"pages": pages}


@pytest.mark.parametrize(
    ("size", "pages"), [(0, 1), (3_697, 1), (3_698, 2), (32_040, 8), (32_041, 9), (36_090, 10)]
)
def test_at_6_0_a_page_held_a_little_more(size: int, pages: int) -> None:
    assert page_sets.pages_per_message(size, "6.0") == {"pages": pages}


def test_a_longer_message_never_takes_fewer_pages() -> None:
    for level in ("6.0", "7.0.1+"):
        pages = [page_sets.pages_per_message(n, level)["pages"] for n in range(0, 40_000, 97)]
        assert pages == sorted(pages)


@pytest.mark.parametrize(
    ("size", "messages"), [(0, 8), (46, 8), (47, 7), (100, 7), (1_568, 1), (3_635, 1)]
)
def test_several_small_messages_share_a_page_only_with_maxshortmsgs_0(
    size: int, messages: int
) -> None:
    shared = page_sets.messages_per_page(size, maxshortmsgs=0)  # F-25: 7 of 100 bytes, not 8
    assert shared == {"messages_per_page": messages}
    assert page_sets.messages_per_page(size) == {"messages_per_page": 1}


def test_at_6_0_small_messages_always_shared_a_page() -> None:
    assert page_sets.messages_per_page(0, "6.0") == {"messages_per_page": 10}
    assert page_sets.messages_per_page(3_697, "6.0") == {"messages_per_page": 1}


def test_a_message_over_a_page_is_referred_to_the_other_calculator() -> None:
    text = refusal("PS-MSGS-PER-PAGE", message_bytes_with_headers_except_mqmd=3_636)
    assert text == (
        "the message takes more than a page; found 3636 bytes; expected PS-PAGES-PER-MSG."
    )


def test_a_page_set_of_4_gb_has_a_round_million_of_pages() -> None:
    assert page_sets.messages_of_long(1, 4) == {"messages": 1_000_000}
    assert page_sets.messages_of_long(3, 4) == {"messages": 333_333}
    assert page_sets.messages_of_short(8, 4) == {"messages": 8_000_000}
    assert page_sets.messages_of_long(1, 64) == {"messages": 16_000_000}
    assert "page_set_gb: Input should be less than or equal to 64" in refusal(
        "PS-MSGS-PER-PAGESET", pages_per_message=1, page_set_gb=65
    )


@pytest.mark.parametrize(
    ("unused", "warn", "breach"),
    [(100, False, False), (20, False, False), (19, True, False), (10, True, False), (9, True, True),
     (0, True, True)],
)  # fmt: skip
def test_a_page_set_warns_above_80_per_cent_and_expands_above_90(
    unused: int, warn: bool, breach: bool
) -> None:
    figures = page_sets.occupancy(100, unused)
    assert figures == {
        "used_pages": 100 - unused, "used_pct": 100 - unused, "warn": warn, "breach": breach,
    }  # fmt: skip


def test_pages_pile_up_while_the_consumer_is_away() -> None:
    assert page_sets.pages_of_outage(10, 60, 0.125) == {"messages": 600, "pages": 75}
    assert page_sets.pages_of_outage(10, 0, 2) == {"messages": 0, "pages": 0}
    assert page_sets.pages_of_outage(1, 1, 0.1)["pages"] == 1


def test_page_sets_grew_to_64_gb_at_6_0_and_pools_to_100_at_8_0() -> None:
    assert page_sets.limits("before 6.0") == {
        "page_set_gb": 4, "page_sets": 100, "buffer_pools": 16,
    }  # fmt: skip
    assert page_sets.limits("6.0 to 7.1")["page_set_gb"] == 64
    assert page_sets.limits("6.0 to 7.1")["buffer_pools"] == 16


def test_utilities_are_linear_in_the_size_of_the_page_set() -> None:
    assert page_sets.utility_time("FORMAT", 1) == {"cpu_s": 0.35, "elapsed_s": 15}
    doubled = page_sets.utility_time("RESETPAGE", 2)
    assert doubled == {"cpu_s": approx(2.5), "elapsed_s": 46}
    assert "'RESETPAGE' or 'RESETPAGE FORCE'" in refusal("PS-CSQUTIL", function="SCOPY", gb=1)


def test_a_local_queue_takes_2660_bytes_of_page_set_0() -> None:
    assert page_sets.objects_in_page_set_0(0) == {"bytes": 0}
    assert page_sets.objects_in_page_set_0(100) == {"bytes": 266_000}
