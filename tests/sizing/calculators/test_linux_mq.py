"""MQ on Linux: MQ V8.0 for Linux on x86_64 Performance Report 1.1."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import linux_mq as registered
from tests.sizing.builders import refusal

linux_mq: Any = registered  # a registered function has the return type of all


def test_the_first_client_and_queue_are_part_of_the_queue_manager() -> None:
    # 3.6: 12,832 KB with a client and a queue; 97.93 and 32.85 KB for each further one.
    assert linux_mq.memory(1, 1, "8.0")["kb"] == 12_832
    assert linux_mq.memory(11, 1, "8.0")["kb"] == approx(12_832 + 979.3)
    assert linux_mq.memory(1, 101, "8.0")["kb"] == approx(12_832 + 3_285)
    assert linux_mq.memory(11, 1, "8.0", standard_channels=True)["kb"] == approx(14_611.3)


def test_7_5_starts_smaller_and_grows_faster() -> None:
    assert linux_mq.memory(1, 1, "7.5")["kb"] < linux_mq.memory(1, 1, "8.0")["kb"]
    assert linux_mq.memory(100, 1, "7.5")["kb"] > linux_mq.memory(100, 1, "8.0")["kb"]


def test_a_client_of_7_5_takes_132_73_kb_and_a_queue_38_73() -> None:
    more = linux_mq.memory(2, 1, "7.5")["kb"] - linux_mq.memory(1, 1, "7.5")["kb"]
    assert more == approx(132.73)
    more = linux_mq.memory(1, 2, "7.5")["kb"] - linux_mq.memory(1, 1, "7.5")["kb"]
    assert more == approx(38.73)


def network(**inputs: Any) -> float:
    values = {"gigabits": 8, "usable_fraction": 1, "message_bytes": 800, "giga": "10^9"}
    figures = linux_mq.network_bound(linux_mq.NetworkUseInputs(**values | inputs))
    return float(figures["messages_per_s"])


def test_the_line_carries_its_bytes_by_message_and_header() -> None:
    assert network() == 1_000_000  # 10^9 bytes by 800 + 200
    assert network(usable_fraction=0.5) == 500_000
    assert network(remote_consumers=True) == 500_000
    assert network(giga="2^30") == 2**30 / 1_000  # F-47
    assert network(message_bytes=0, header_bytes=1_000) == 1_000_000


@pytest.mark.parametrize(("used", "breach"), [(0, False), (8, False), (8.1, True)])
def test_80_per_cent_of_a_direction_is_allowed(used: float, breach: bool) -> None:
    assert linux_mq.network_used(used, 10)["breach"] is breach


@pytest.mark.parametrize(("waits", "breach"), [(0, False), (9, False), (10, True)])
def test_locks_breach_at_10_per_cent_of_requests(waits: int, breach: bool) -> None:
    assert linux_mq.lock_contention(waits, 100) == {"wait_pct": waits, "breach": breach}


def test_an_extent_should_last_ten_seconds() -> None:
    figures = linux_mq.extent_time(2_560, 1)
    assert figures == {
        "extent_mib": 10, "seconds": 10, "breach": False, "needed_log_file_pages": 2_560,
    }  # fmt: skip
    faster = linux_mq.extent_time(2_560, 2)
    assert (faster["seconds"], faster["breach"], faster["needed_log_file_pages"]) == (
        5, True, 5_120,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kb", "rate", "pages"),
    [(9, 99, 32), (10, 99, 512), (9, 100, 512), (1_024, 0, 512), (1_025, 0, 4_096)],
)
def test_log_buffer_pages_follow_message_size_and_rate(kb: float, rate: float, pages: int) -> None:
    assert linux_mq.log_buffer_pages(kb, rate) == {"pages": pages}


def test_buffers_multiply_by_queues_and_clients() -> None:
    assert linux_mq.queue_buffers(1) == {"kb": 384}
    assert linux_mq.queue_buffers(0) == {"kb": 0}
    assert linux_mq.client_buffers(10, 4) == {"buffer_kb": 4, "kb": 40}
    assert linux_mq.connect_rate(300, 10) == {"connects_per_s": 30}


@pytest.mark.parametrize(
    ("connected", "warn", "breach"),
    [(0, False, False), (27_999, False, False), (28_000, True, False), (35_000, True, False),
     (35_001, True, True)],
)  # fmt: skip
def test_clients_warn_at_80_per_cent_of_the_measured_number(
    connected: int, warn: bool, breach: bool
) -> None:
    figures = linux_mq.clients("MQI client NP, 1 queue pair", "8.0", connected)
    assert figures == {"clients": 35_000, "warn": warn, "breach": breach}


def test_a_processor_warns_at_80_per_cent_and_paging_when_it_begins() -> None:
    assert linux_mq.cpu_saturated(79.5) == {"warn": False, "headroom_pct": 20.5}
    assert linux_mq.cpu_saturated(80)["warn"] is True
    assert linux_mq.paging(100, 100) == {"warn": False, "breach": False}
    assert linux_mq.paging(101, 100, 1) == {"warn": True, "breach": True}
    assert linux_mq.disk_trend(50, 40) == {"change_pct_points": -10}


def test_what_was_not_measured_is_refused_with_what_was() -> None:
    assert "expected ECDHE_ECDSA_AES_256_GCM_SHA384" in refusal("LNX-SSL", cipher="RC4")
    assert "MQI local bindings 2KB P 8.0" in refusal("LNX-PEAK", test="MQI", version="8.0")
    assert linux_mq.tls_overhead("No SSL")["round_trips_per_s"] == 68_116
    assert linux_mq.peak("MQI local bindings 2KB P", "8.0")["clients"] == 17
    assert "log_file_pages: Input should be greater than or equal to 64" in refusal(
        "LNX-LOGEXTENT-10S", log_file_pages=63, log_mib_per_s=1
    )
