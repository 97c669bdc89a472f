"""Coupling facility time: MP16, chapter on shared queues; sysplex paper, "Transaction Cost"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import cf_load as registered
from tests.sizing.builders import refusal

cf_load: Any = registered  # a registered function has the return type of all


def test_the_response_is_that_of_the_nearest_measured_point_below() -> None:
    # Measured at 20 % and at 70 % busy; nothing is drawn between them.
    assert cf_load.service_time(0) == {"sync_us": 4.4, "async_us": None}
    assert cf_load.service_time(69.9)["sync_us"] == 4.4
    assert cf_load.service_time(70) == {"sync_us": 9.9, "async_us": 600}


@pytest.mark.parametrize(
    ("size", "us"), [(0, 28), (1_000, 28), (3_000, 29), (5_000, 30), (9_000, 30)]
)
def test_a_message_costs_28_us_at_1000_bytes_and_30_at_5000(size: int, us: float) -> None:
    figures = cf_load.message_cost(size)
    assert figures == {"cf_us_per_message": us, "cf_us_per_transaction": 2 * us}


@pytest.mark.parametrize(
    ("rate", "engines", "busy", "breach"),
    [(0, 1, 0, False), (10_000, 1, 30, False), (10_100, 1, 30.3, True), (40_000, 2, 60, False),
     (40_200, 2, 60.3, True)],
)  # fmt: skip
def test_one_engine_may_be_30_per_cent_busy_and_several_60(
    rate: float, engines: int, busy: float, breach: bool
) -> None:
    figures = cf_load.busy_of_rate(rate, 30, engines)
    assert figures["busy_pct"] == approx(busy)
    assert figures["breach"] is breach


def test_what_others_use_adds_to_the_messages() -> None:
    figures = cf_load.busy_of_rate(10_000, 30, 1, other_busy_pct=5)
    assert figures == {"busy_pct": 35, "breach": True}


def test_rate_and_busy_are_inverse() -> None:
    assert cf_load.rate_of_busy(30, 30, 1)["messages_per_s"] == approx(10_000)
    cost = cf_load.cost_of_busy(50, 2, 10_000)["cf_us_per_transaction"]
    assert cost == 100
    assert cf_load.rate_from_cost(50, 2, cost) == {"transactions_per_s": 10_000}


def test_costs_between_two_sizes_are_linear_and_end_with_the_table() -> None:
    assert cf_load.host_cost(5_120, 4)["us_per_message"] == (91 + 102) / 2
    assert cf_load.host_cost(0, 4)["us_per_message"] == 91
    assert cf_load.host_cost(2_000_000, 4)["us_per_message"] == 3_123
    assert cf_load.facility_cost(5_120, 5, "SMDS")["us_per_message"] == (29 + 25) / 2


def test_the_host_pays_for_db2_beyond_63_kb_and_hardly_for_smds() -> None:
    level_4 = [cf_load.host_cost(size, 4)["us_per_message"] for size in (64_512, 65_536)]
    level_5 = [cf_load.host_cost(size, 5)["us_per_message"] for size in (64_512, 65_536)]
    assert level_4 == [277, 862]
    assert level_5 == [174, 176]


def test_larger_messages_never_cost_the_host_less() -> None:
    sizes = (0, 2_048, 30_000, 64_512, 100_000, 600_000, 1_048_576)
    for level in (4, 5):
        costs = [cf_load._measured("cf_host_cost", n, level, None) for n in sizes]
        assert [cost["us_per_message"] for cost in costs] == sorted(
            cost["us_per_message"] for cost in costs
        )


def test_duplexing_costs_non_persistent_messages_more() -> None:
    assert cf_load.duplexed_admin("1KB", persistent=True)["throughput_change_pct"] == -25
    assert cf_load.duplexed_admin("1KB", persistent=False)["throughput_change_pct"] == -30
    assert cf_load.duplexed_application("32KB", persistent=False) == {
        "cpu_factor": 1.25, "primary_cf_factor": 2, "secondary_cf_factor": 2,
    }  # fmt: skip
    factors = [
        cf_load.duplexed_application(size, persistent)["cpu_factor"]
        for size in ("1KB", "32KB")
        for persistent in (True, False)
    ]
    assert factors == [1.15, 1.3, 1.12, 1.25]


def test_each_kilometre_adds_20_to_25_us_to_an_update() -> None:
    assert cf_load.duplexed_distance(0) == {"added_from_us": 0, "added_to_us": 0}
    assert cf_load.duplexed_distance(1) == {"added_from_us": 20, "added_to_us": 25}


def test_the_drop_of_idle_members_is_relative_to_the_rate_before() -> None:
    assert cf_load.idle_drop(1_000, 995) == {"drop_pct": 0.5}
    assert cf_load.idle_drop(1_000, 1_000) == {"drop_pct": 0}


def test_what_was_not_measured_is_refused() -> None:
    assert "cflevel: Input should be 4 or 5" in refusal("CF-HOST-COST", message_bytes=1, cflevel=3)
    assert "link: Input should be 'ICP'" in refusal("CF-COST-MSG", message_bytes=1, link="CL5")
    assert "less than or equal to 100" in refusal("CF-RESPONSE", cf_busy_pct=101)
