"""zHyperWrite and zHyperLink: MP16, chapter on zHyperLink."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import zhyperlink as registered
from tests.sizing.builders import refusal

zhyperlink: Any = registered  # a registered function has the return type of all


def test_the_cost_of_zhyperwrite_is_an_increase_over_pprc() -> None:
    assert zhyperlink.zhyperwrite_cost(100, 150) == {"increase_us": 50, "increase_pct": 50}
    assert zhyperlink.zhyperwrite_srb_cost(100, 100) == {"increase_us": 0, "increase_pct": 0}
    assert zhyperlink.zhyperwrite_cost(100, 90)["increase_pct"] == -10


def test_zhyperlink_helps_small_messages_most_and_striped_dual_logs_least() -> None:
    # "Measurements in performance environment".
    small = zhyperlink.log_rates("performance", "dual", "4-way", "1KB")
    assert (small["baseline_mb_per_s"], small["zhyperlink_mb_per_s"]) == (31, 112)
    assert small["ratio"] == approx(112 / 31)
    assert zhyperlink.log_rates("performance", "dual", "4-way", "peak (large)")["ratio"] < 1


def test_a_configuration_without_a_measured_time_names_those_with_one() -> None:
    assert zhyperlink.response("zHPF enabled, busy system") == {"single_page_io_us": 200}
    text = refusal("ZHL-RESP", configuration="zHyperLink, 150 m cable")
    assert "zHyperLink, busy system, 30 m cable" in text


@pytest.mark.parametrize(
    ("copies", "stripes", "pprc", "others", "tokens", "breach"),
    [(1, 1, False, 0, 1, False), (2, 4, True, 0, 16, False), (2, 4, True, 48, 16, False),
     (2, 4, True, 49, 16, True), (2, 16, True, 0, 64, False), (2, 17, True, 0, 68, True)],
)  # fmt: skip
def test_write_tokens_multiply_and_64_are_shared_by_all(
    copies: int, stripes: int, pprc: bool, others: int, tokens: int, breach: bool
) -> None:
    figures = zhyperlink.write_tokens(copies, stripes, pprc, others)
    assert figures == {"write_tokens": tokens, "breach": breach}


def test_a_path_is_busy_for_writes_by_their_response_and_25_per_cent_is_allowed() -> None:
    # 10,000 writes of 0.1 ms are 1,000 ms in a second.
    assert zhyperlink.path_busy(10_000, 0.1, 4) == {
        "cpu_ms_per_s": 1_000, "total_pct": 100, "per_pfid_pct": 25, "breach": False,
    }  # fmt: skip
    assert zhyperlink.path_busy(10_100, 0.1, 4)["breach"] is True
    assert zhyperlink.path_busy(0, 0.1, 1)["per_pfid_pct"] == 0


def test_what_is_not_synchronous_is_asynchronous() -> None:
    assert zhyperlink.asynchronous_share(100) == {"async_pct": 0}
    assert zhyperlink.asynchronous_share(70) == {"async_pct": 30}


def test_pages_become_megabytes_of_256_pages() -> None:
    assert zhyperlink.page_rates(2_560, 10) == {"pages_per_s": 256, "mb_per_s": 1}
    assert zhyperlink.request_rates(2_560, 640, 10) == {
        "pages_per_s": 256, "mb_per_s": 1, "pages_per_io": 4, "requests_per_s": 64,
    }  # fmt: skip
    assert zhyperlink.switch_writes(20, 80, 4) == {
        "async_writes_per_switch": 5, "async_pages_per_switch": 20,
    }  # fmt: skip


def test_the_processor_spins_for_the_time_of_the_io() -> None:
    assert zhyperlink.spin_time(30_000_000, 60) == {"spin_cpu_s": 30, "logger_spin_pct": 50}
    assert zhyperlink.cpu_of_io(28) == {"cpu_us": 28}


def test_a_shorter_cable_saves_a_share_of_the_longest() -> None:
    assert zhyperlink.cable_saving(40, 30) == {"saving_us": 10, "saving_pct": 25}
    assert zhyperlink.cable_allowed(150) == {"feasible": True}
    assert zhyperlink.cable_allowed(150.1) == {"feasible": False}
    assert "cable_m: Input should be greater than 0" in refusal("ZHL-CABLE", cable_m=0)


def test_only_the_share_of_mq_becomes_dearer() -> None:
    assert zhyperlink.overall_cost(0, 3) == {"overall_multiplier": 1}
    assert zhyperlink.overall_cost(0.5, 3) == {"overall_multiplier": 2}
    assert zhyperlink.overall_cost(1, 3) == {"overall_multiplier": 3}
    # F-21: the model that fits the shares of 80 % and 20 % gives 1.107 for 5 %.
    assert zhyperlink.overall_cost(0.05, 3.14)["overall_multiplier"] == approx(1.107)
