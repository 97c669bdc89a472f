"""Applications: MP16, "Application level performance considerations" and "Large Units of Work"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import applications as registered
from tests.sizing.builders import refusal

applications: Any = registered  # a registered function has the return type of all


@pytest.mark.parametrize(
    ("messages", "warn", "breach"),
    [(0, False, False), (100, False, False), (101, True, False), (200, True, False),
     (201, True, True)],
)  # fmt: skip
def test_a_unit_of_work_warns_above_100_and_breaches_above_200(
    messages: int, warn: bool, breach: bool
) -> None:
    assert applications.unit_of_work(messages) == {"warn": warn, "breach": breach}


def test_commits_cost_what_was_measured_with_1_and_with_1000_messages() -> None:
    single = applications.commit_cost(1_000, 1)
    assert single == {"commit_cpu_us": 2_000, "commit_elapsed_us": 7_000}
    assert applications.commit_cost(1_000, 1_000) == {"commit_cpu_us": 4, "commit_elapsed_us": 51}


def test_the_cost_of_a_commit_is_linear_between_1_and_1000_messages() -> None:
    third = applications.commit_cost(334, 334)
    assert third["commit_cpu_us"] == approx(2 + 2 / 3)
    assert third["commit_elapsed_us"] == approx(7 + 44 / 3)


def test_a_partly_filled_unit_of_work_needs_a_commit_of_its_own() -> None:
    assert applications.commit_cost(1_001, 1_000)["commit_cpu_us"] == 8
    assert applications.commit_cost(0, 10)["commit_cpu_us"] == 0


def test_more_messages_in_a_commit_never_cost_more() -> None:
    costs = [applications.commit_cost(1_000, n)["commit_cpu_us"] for n in (1, 10, 100, 1_000)]
    assert costs == sorted(costs, reverse=True)


def test_a_get_passes_over_each_uncommitted_message() -> None:
    assert applications.failed_gets(1_000) == {"cpu_ms": 1}
    assert applications.failed_gets(1_000, 5) == {"cpu_ms": 5}
    assert applications.failed_gets(0) == {"cpu_ms": 0}


def test_skips_cost_a_fifth_of_a_microsecond_each() -> None:
    # "How do I know if I am using a good message selector?": 2,500 skips in 500 us.
    assert applications.skips_per_get(2_500, 1) == {"skips_per_get": 2_500, "us_per_get": 500}
    assert applications.skips_per_get(0, 4) == {"skips_per_get": 0, "us_per_get": 0}


def test_a_get_of_500_us_allows_2000_a_second_not_the_printed_200() -> None:
    assert applications.get_rate(500) == {"max_gets_per_s": 2_000}  # misprint F-18
    assert applications.time_of_gets(1_000, 500, 20) == {"elapsed_s": 0.5, "cpu_s": 0.02}


def test_an_undefined_queue_costs_the_queue_manager_and_db2() -> None:
    figures = applications.undefined_opens(10)
    assert figures["queue_manager_us"] == approx(594)
    assert figures["db2_us"] == approx(544)
    assert figures["total_us"] == approx(1_138)


def test_the_first_open_for_input_waits_longer_with_every_queue_manager() -> None:
    assert [applications.open_input(n)["wait_us"] for n in (1, 2, 3)] == [6, 91, 469]
    assert applications.open_input(4) == applications.open_input(3)
    assert applications.open_output(9) == applications.open_output(3)
    out = [applications.open_output(n) for n in (1, 2, 3)]
    assert [(item["elapsed_us"], item["cpu_us"]) for item in out] == [(6, 6), (17, 16), (29, 29)]
    assert applications.open_wait_input(30, 10)["wait_us"] == 20
    assert applications.open_wait_output(16, 16)["wait_us"] == 0


def test_the_increase_of_an_open_is_computed_where_the_printed_one_does_not_follow() -> None:
    assert applications.open_increase(31, 51)["increase_pct"] == approx(64.5, abs=0.05)  # F-34
    assert applications.open_increase(10, 10)["increase_pct"] == 0


def test_opens_and_list_calls_are_shares_of_what_was_asked() -> None:
    assert applications.opens_at_cf(3, 1) == {"cf_access_pct": 75}
    assert applications.opens_at_cf(0, 0) == {"cf_access_pct": 0}
    assert applications.list_calls_per_get(7, 2) == {"calls_per_get": 3.5}


def test_deletes_half_again_as_many_as_creates_are_asynchronous() -> None:
    assert applications.dynamic_queues(100, 149)["mode"] == "synchronous"
    assert applications.dynamic_queues(100, 150)["mode"] == "asynchronous"
    assert applications.dynamic_queues(1, 0)["deletes_per_create"] == 0


def test_an_expiry_scan_costs_5_us_a_message_and_10_when_it_expired() -> None:
    assert applications.expiry_scan(1_000_000) == {"cpu_s": 5}
    assert applications.expiry_scan(1_000_000, 10) == {"cpu_s": 10}
    assert applications.expiry_load(100_000, 5, 5) == {"cpu_pct": 10}


def test_a_get_that_takes_no_time_has_no_rate() -> None:
    assert "us_per_get: Input should be greater than 0" in refusal("APP-GETRATE", us_per_get=0)
    assert "messages_per_commit: Input should be greater than 0" in refusal(
        "APP-UOW-COST", messages=1, messages_per_commit=0
    )
