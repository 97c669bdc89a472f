"""Transports in a sysplex: "Moving messages between IBM MQ for z/OS queue managers", Table 1."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import sysplex_transport as registered
from tests.sizing.builders import refusal

sysplex_transport: Any = registered  # a registered function has the return type of all


def test_the_cost_of_a_transport_is_the_sum_of_its_components() -> None:
    # Table 1, IGQ: 76.44 + 0.00 + 0.02 + 16.50 + 26.76, and 51.10 in the CF.
    figures = sysplex_transport.transport_cost("IGQ")
    assert figures["total_excluding_cf_us"] == approx(119.72)
    assert figures["total_including_cf_us"] == approx(170.82)


@pytest.mark.parametrize(
    ("configuration", "cf_us"),
    [("TCP/IP", 0.47), ("SMC-R", 0.14), ("SMC-D", 0.13), ("IGQ", 51.1), ("Shared queue", 48.01)],
)
def test_the_two_totals_differ_by_the_coupling_facility(configuration: str, cf_us: float) -> None:
    figures = sysplex_transport.transport_cost(configuration)
    difference = figures["total_including_cf_us"] - figures["total_excluding_cf_us"]
    assert difference == approx(cf_us)


def test_a_transport_against_itself_costs_the_same() -> None:
    assert sysplex_transport.relative_cost("IGQ", "IGQ") == {
        "ratio_including_cf": 1, "ratio_excluding_cf": 1,
    }  # fmt: skip


def test_shared_queues_cost_40_per_cent_more_than_channels_not_the_printed_30() -> None:
    figures = sysplex_transport.relative_cost("Shared queue", "TCP/IP")  # F-19
    assert figures["ratio_including_cf"] == approx(1.40, abs=0.005)
    assert figures["ratio_excluding_cf"] == approx(1.01, abs=0.005)


def test_two_ratios_are_inverse_when_the_transports_change_places() -> None:
    there = sysplex_transport.relative_cost("SMC-D", "IGQ")["ratio_including_cf"]
    back = sysplex_transport.relative_cost("IGQ", "SMC-D")["ratio_including_cf"]
    assert there * back == approx(1)


@pytest.mark.parametrize(
    ("busy", "engines", "rate", "expected", "breach"),
    [(30, 1, 0, 30, False), (30.5, 1, 0, 30.5, True), (60, 2, 0, 60, False),
     (60.5, 2, 0, 60.5, True),
     (10, 1, 10_000, 58.01, True), (10, 2, 10_000, 34.005, False)],
)  # fmt: skip
def test_the_move_adds_the_cf_time_of_its_transactions_to_busy(
    busy: float, engines: int, rate: float, expected: float, breach: bool
) -> None:
    figures = sysplex_transport.busy_after_move(busy, engines, rate, "Shared queue")
    assert figures["busy_pct"] == approx(expected)
    assert figures["breach"] is breach


def test_channels_hardly_load_the_coupling_facility() -> None:
    figures = sysplex_transport.busy_after_move(0, 1, 10_000, "TCP/IP")
    assert figures["busy_pct"] == approx(0.47)


def test_the_data_rate_counts_one_direction() -> None:
    assert sysplex_transport.data_rate(1_024, 2) == {"mib_per_s": 2}
    assert sysplex_transport.data_rate(0, 2) == {"mib_per_s": 0}


def test_a_transport_outside_the_table_is_refused() -> None:
    assert "configuration: Input should be 'TCP/IP', 'SMC-R', 'SMC-D', 'IGQ'" in refusal(
        "SYS-COST", configuration="CTC"
    )
    assert "baseline: Input should be 'TCP/IP'" in refusal(
        "SYS-RULE", configuration="IGQ", baseline="MCA"
    )
