"""MQ on Linux, from figures that the estate gives."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH = Severity.ok, Severity.watch


def breaches(rule_id: str, varied: str, *figures: float, **inputs: float) -> list[bool | None]:
    return [finding(rule_id, **inputs, **{varied: value}).breach for value in figures]


def test_the_bandwidth_advised_carries_the_load_at_80_percent() -> None:
    load = {"used_gigabits": 9, "gigabits": 10}
    assert typed(finding("LNX-NET", **load)) == ["12 Gb/s"]  # 9 / 0.8 = 11.25
    assert after_advice("LNX-NET", **load).observed == 75


def test_a_tenth_of_the_requests_waiting_for_the_lock_is_too_much() -> None:
    waits_pct = (8.4, 8.6, 9.9, 10)
    assert severities("LNX-LOCK-10", "wait_pct", *waits_pct) == [OK, WATCH, WATCH, WATCH]
    assert breaches("LNX-LOCK-10", "wait_pct", *waits_pct) == [False, False, False, True]
    assert "more queues" in finding("LNX-LOCK-10", wait_pct=10).advice


def test_the_throughput_at_which_the_line_is_full_is_stated_for_its_series() -> None:
    assert finding("LNX-NET", used_gigabits=5, gigabits=10).series_limit == 8


def test_the_extent_advised_lasts_exactly_ten_seconds() -> None:
    load = {"rate_mib_per_s": 2, "log_file_pages": 4_096}
    assert typed(finding("LNX-LOGEXTENT-10S", **load)) == ["LogFilePages=5120"]  # 20 MiB
    after = after_advice("LNX-LOGEXTENT-10S", **load)
    assert (after.observed, after.limit_value, after.unit) == (10, 10, "s")
    assert (after.series_limit, after.breach) == (2, False)


def test_an_extent_that_is_hardly_written_lasts_at_most_a_day() -> None:
    lasting = finding("LNX-LOGEXTENT-10S", rate_mib_per_s=0, log_file_pages=4_096)
    assert (lasting.observed, lasting.breach) == (86_400, False)
    assert "never fills" in lasting.summary


@pytest.mark.parametrize(("rate", "expected"), [(25.59, ["LogFilePages=65511"]), (25.6, [])])
def test_no_extent_larger_than_65535_pages_is_advised(rate: float, expected: list[str]) -> None:
    judged = finding("LNX-LOGEXTENT-10S", rate_mib_per_s=rate, log_file_pages=16_384)
    assert typed(judged) == expected  # 25.6 x 10 x 256 = 65,536


def test_clients_are_spread_over_enough_queue_managers() -> None:
    load = {"clients": 25_000, "clients_max": 10_000}
    assert typed(finding("LNX-CLIENTS", **load)) == ["3 queue managers"]
    assert after_advice("LNX-CLIENTS", **load).breach is False


def test_the_disk_is_compared_with_what_was_usual() -> None:
    assert severities("LNX-DISK", "recent", 10, 60, 60.1, usual=40) == [OK, OK, WATCH]
    assert "disk_usual_pct" in finding("LNX-DISK", recent=60).missing[0]


def test_the_working_set_may_be_as_large_as_the_memory() -> None:
    sizes = (840, 860, 1_000, 1_000.5)
    name = "working_set_mib"
    assert severities("LNX-PAGING", name, *sizes, real_mib=1_000) == [OK, WATCH, WATCH, WATCH]
    assert breaches("LNX-PAGING", name, *sizes, real_mib=1_000) == [False, False, False, True]
    load = {"working_set_mib": 1_000.5, "real_mib": 1_000}
    assert typed(finding("LNX-PAGING", **load)) == ["1001 MiB"]
    assert after_advice("LNX-PAGING", **load).breach is False


@pytest.mark.parametrize("rule_id", [name for name in RULES if name.startswith("LNX-")])
def test_a_site_without_linux_hosts_is_asked_for_nothing(rule_id: str) -> None:
    assert not RULES[rule_id].applies_to({})
