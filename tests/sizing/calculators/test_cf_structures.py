"""Sizes of CF structures: MP16, "Application structures" and "Sizing structures at CFLEVEL(5)"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import cf_structures as registered
from tests.sizing.builders import refusal

cf_structures: Any = registered  # a registered function has the return type of all

MIB = 1_048_576


def size_of(**inputs: Any) -> float:
    values = {
        "message_bytes_with_headers_except_mqmd": 1_676, "messages": 1_000, "cfcc_level": 24,
    }  # fmt: skip
    figures = cf_structures.structure_size(cf_structures.SizeInputs(**values | inputs))
    return float(figures["bytes"])


def test_a_message_takes_full_elements_one_more_and_the_surcharge() -> None:
    # "Application structures": 1,676 + 372 = 2,048 = 8 elements; (2,048 + 256) x 1,000 x 1.32.
    assert size_of() == approx(2_304 * 1_000 * 1.32)
    assert size_of(message_bytes_with_headers_except_mqmd=1_677) == approx(2_560 * 1_320)
    assert size_of(cfcc_level=12) == size_of()
    assert size_of(cfcc_level=11) == approx(2_304 * 1_000 * 1.25)


def test_no_message_counts_less_than_1536_bytes() -> None:
    for size in (0, 100, 1_164):
        small = size_of(message_bytes_with_headers_except_mqmd=size)
        assert small == approx((1_536 + 256) * 1_320), size


def test_grouping_adds_72_bytes_which_may_begin_an_element() -> None:
    assert size_of(grouping=True) == approx(2_560 * 1_320)
    assert size_of(message_bytes_with_headers_except_mqmd=1_604, grouping=True) == size_of()


def test_a_message_over_63_kb_leaves_2_kb_or_1_with_automatic_alter() -> None:
    assert size_of(message_bytes_with_headers_except_mqmd=64_513) == 2_048_000
    altered = size_of(message_bytes_with_headers_except_mqmd=64_513, all_large_with_autoalter=True)
    assert altered == 1_024_000


def test_a_structure_takes_8_mib_more_from_cfcc_25() -> None:
    assert size_of(cfcc_level=25) - size_of() == 8 * MIB
    assert size_of(cfcc_level=25, messages=0) == 8 * MIB
    assert cf_structures.level_adjustment(16, 17) == {"mb": 5}
    assert cf_structures.level_adjustment(16, 25) == {"mb": 13}
    assert cf_structures.level_adjustment(25, 25) == {"mb": 0}


def test_half_a_gb_holds_the_same_number_of_all_small_messages() -> None:
    # "CF at CFCC levels 17 and later": 230,000 up to 1,164 bytes, 21,200 at 16 KB.
    assert cf_structures.half_gb(0, 17) == {"messages": 230_000}
    assert cf_structures.half_gb(1_164, 24) == {"messages": 230_000}
    assert cf_structures.half_gb(24_576, 24) == {"messages": (21_200 + 10_900) // 2}
    assert cf_structures.half_gb(1_164, 25) == {"messages": 227_000}


def test_the_structure_is_full_when_either_entries_or_elements_are_used_up() -> None:
    # 140 + 372 = 512 bytes are two elements.
    assert cf_structures.capacity(140, 100, 100) == {"messages": 50}
    assert cf_structures.capacity(140, 20, 100) == {"messages": 20}
    assert cf_structures.elements_of_message(140) == {"elements": 2, "entries": 1}
    assert cf_structures.elements_of_message(141) == {"elements": 3, "entries": 1}


def test_a_mix_names_what_each_kind_leaves_unused_at_six_to_one() -> None:
    figures = cf_structures.elements_of_mix([(1, 140), (2, 0)])  # 2 elements, and 2 x 2
    assert figures["elements"] == 6
    assert figures["entries"] == 3
    assert figures["ratio"] == 2
    assert figures["unused_elements"] == 3 * 6 - 6
    assert figures["unused_entries"] == 0
    assert cf_structures.elements_of_mix([])["ratio"] is None


def test_the_definition_doubles_initsize_and_warns_at_80_per_cent() -> None:
    assert cf_structures.definition(500) == {
        "size_kb": 1_000, "minsize_kb": 500, "fullthreshold_pct": 80,
    }  # fmt: skip
    assert cf_structures.small_message() == {"small_message_bytes": 5 * 256 - 372}


@pytest.mark.parametrize(("entries", "breach"), [(2_999, True), (3_000, False), (6_000, False)])
def test_csq_admin_needs_1000_entries_for_each_queue_manager(entries: int, breach: bool) -> None:
    assert cf_structures.admin_for_group(entries, 3)["breach"] is breach


def test_the_entry_rule_and_the_stated_number_of_queue_managers_are_both_given() -> None:
    figures = cf_structures.admin_entries(20_638)  # F-16: 20 by the rule, 7 as stated
    assert figures == {"queue_managers_by_entry_rule": 20, "queue_managers_stated": 7}
    assert cf_structures.admin_entries(999)["queue_managers_by_entry_rule"] == 0
    assert cf_structures.admin_unit_of_work(40_000) == {"breach": False}
    assert cf_structures.admin_unit_of_work(40_001) == {"breach": True}


@pytest.mark.parametrize(
    ("queues", "structures", "feasible"),
    [(0, 0, True), (512, 1, True), (513, 2, True), (63 * 512, 63, True), (63 * 512 + 1, 64, False)],
)
def test_a_group_has_63_structures_of_512_queues(
    queues: int, structures: int, feasible: bool
) -> None:
    figures = cf_structures.group_limits(queues)
    assert (figures["structures"], figures["feasible"]) == (structures, feasible)


@pytest.mark.parametrize(
    ("used", "size", "offloaded"),
    [(0, 64_512, False), (0, 64_513, True), (69, 40_000, False), (70, 32_768, False),
     (70, 32_769, True), (80, 4_096, False), (80, 4_097, True), (90, 122, False), (90, 123, True)],
)  # fmt: skip
def test_a_tier_begins_at_its_percentage_and_takes_longer_messages_only(
    used: float, size: int, offloaded: bool
) -> None:
    assert cf_structures.offloaded(used, size) == {"offloaded": offloaded}  # F-35, F-54
    assert cf_structures.offloaded_small(used, size) == {"offloaded": offloaded}


def test_messages_stay_until_the_threshold_and_then_leave_two_elements_each() -> None:
    figures = cf_structures.offload_capacity(1_000, 10)
    assert figures == {"full_messages": 80, "total_messages": 80 + 200 // 2}
    assert cf_structures.offload_capacity(1_000, 10, entries_total=100)["total_messages"] == 100


def test_dead_messages_add_up_to_340_for_each_queue_manager() -> None:
    # F-32: 340 messages of 64 KB are the printed 21.25 MB.
    assert cf_structures.dead_messages(64)["mib"] == 21.25
    assert cf_structures.dead_messages(64, 0)["mib"] == 0
    assert cf_structures.dead_messages(1, 256, 4) == {"mib_per_queue_manager": 0.25, "mib": 1}
    assert "pending: Input should be less than or equal to 340" in refusal(
        "CFS-BATCHDEL", message_kb=1, pending=341
    )


def test_levels_before_17_have_no_measured_capacity() -> None:
    assert "cfcc_level: Input should be greater than or equal to 17" in refusal(
        "CFS-CAPACITY-05GB", message_bytes_excluding_mqmd=1, cfcc_level=16
    )
