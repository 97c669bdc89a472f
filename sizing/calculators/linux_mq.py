"""MQ on Linux: memory, network, locks, log extents and measured peaks."""

import math
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.units import Amount, Count, Percent, Positive, PositiveCount, Share
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import linux
from sizing.table import figures

MEMORY_KB: Final = {"8.0": (12_832.00, 97.93, 32.85), "7.5": (11_892.00, 132.73, 38.73)}
"""Queue manager with a client and a queue; each further client; each further queue."""
STANDARD_CHANNEL_KB: Final = 80
GIGA: Final = {"2^30": 2**30, "10^9": 10**9}
NETWORK_MAX_PCT: Final = 80
LOCK_WAIT_MAX_PCT: Final = 10
EXTENT_MIN_S: Final = 10
CPU_WARN_PCT: Final = 80
"""Ours."""


@calculator("LNX-MEM", "Memory", linux("3.6"))
def memory(
    clients: PositiveCount,
    queues: PositiveCount,
    version: Literal["8.0", "7.5"],
    standard_channels: bool = False,
) -> Figures:
    """In light steady state; start-up, opens and queue buffers come on top."""
    base, client, queue = MEMORY_KB[version]
    each = client + (STANDARD_CHANNEL_KB if standard_channels else 0)
    return {"kb": base + (clients - 1) * each + (queues - 1) * queue}


@form_of("LNX-NET")
def network_bound(
    *,
    gigabits: Positive,
    usable_fraction: Share = 0.8,
    message_bytes: Count,
    header_bytes: Count = 200,
    giga: Literal["2^30", "10^9"] = "2^30",
    remote_consumers: bool = False,
) -> Figures:
    """The usable share of the line; half when consumers are remote. Of a Gb: F-47."""
    bytes_per_s = gigabits * GIGA[giga] / 8 * usable_fraction
    rate = bytes_per_s / (message_bytes + header_bytes)
    return {"messages_per_s": rate / 2 if remote_consumers else rate}


@form_of("LNX-NET")
def network_used(throughput_gb_per_s: Amount, gigabits: Positive) -> Figures:
    """Of one direction: above 80 % of the line is a breach. Both in bits."""
    share = 100 * throughput_gb_per_s / gigabits
    return {"used_pct": share, "breach": share > NETWORK_MAX_PCT}


@form_of("LNX-LOCK-10")
def lock_contention(wait_count: Count, request_count: PositiveCount) -> Figures:
    """Differences over the interval; 10 % or more is a breach. More queues help."""
    share = 100 * wait_count / request_count
    return {"wait_pct": share, "breach": 100 * wait_count >= LOCK_WAIT_MAX_PCT * request_count}


@form_of("LNX-LOGEXTENT-10S")
def extent_time(
    log_file_pages: Annotated[int, Field(ge=64, le=65_535)],
    log_mib_per_s: Positive,
    page_kb: PositiveCount = 4,
) -> Figures:
    """Ten seconds or more; the rule of z/OS is another one."""
    extent = log_file_pages * page_kb / 1_024
    seconds = extent / log_mib_per_s
    return {
        "extent_mib": extent,
        "seconds": seconds,
        "breach": seconds < EXTENT_MIN_S,
        "needed_log_file_pages": math.ceil(log_mib_per_s * EXTENT_MIN_S * 1_024 / page_kb),
    }


@calculator("LNX-LOGBUF", "Log buffer pages", linux("6.1.1.2.2"))
def log_buffer_pages(message_kb: Positive, messages_per_s: Amount) -> Figures:
    """512 by default, 4096 for persistent messages over 1 MB, 32 for few small ones."""
    if message_kb > 1_024:
        return {"pages": 4_096}
    return {"pages": 32 if message_kb < 10 and messages_per_s < 100 else 512}


@calculator("LNX-QBUF", "Queue buffers", linux("6.1.1.1"))
def queue_buffers(
    queues: Count, persistent_kb: PositiveCount = 256, other_kb: PositiveCount = 128
) -> Figures:
    """For each queue; they do not shrink before a restart."""
    return {"kb": queues * (persistent_kb + other_kb)}


@calculator("LNX-PEAK", "Peak rates", linux("3.1 - 3.5"))
def peak(test: str, version: Literal["8.0", "7.5"]) -> Figures:
    """Measured with 24 cores and 10 Gb (F-45, F-46, F-48)."""
    columns = ["round_trips_per_s", "cpu_pct", "clients"]
    return figures("linux_peak", columns, test=test, version=version)


@calculator("LNX-SSL", "TLS overhead", linux("3.7"))
def tls_overhead(cipher: str) -> Figures:
    """2 KB through client bindings."""
    return figures("linux_ssl", ["round_trips_per_s", "cpu_pct", "clients"], cipher=cipher)


@form_of("LNX-CLIENTS")
def clients(scenario: str, version: Literal["8.0", "7.5"], connected: Count = 0) -> Figures:
    """Clients before response degrades, at the scenario's rate: warn at 80 % of them (ours)."""
    most = figures("linux_clients", ["clients"], scenario=scenario, version=version)["clients"]
    return {"clients": most, "warn": connected >= 0.8 * most, "breach": connected > most}


@calculator("LNX-CONNECT", "Connect rate", linux("1.4"))
def connect_rate(clients: Count, seconds: Positive) -> Figures:
    """Clients by the time they took."""
    return {"connects_per_s": clients / seconds}


@form_of("LNX-CPU")
def cpu_saturated(cpu_pct: Percent) -> Figures:
    """No number is given: warn at 80 % (ours)."""
    return {"warn": cpu_pct >= CPU_WARN_PCT, "headroom_pct": 100 - cpu_pct}


@form_of("LNX-DISK")
def disk_trend(utilisation_before_pct: Percent, utilisation_now_pct: Percent) -> Figures:
    """No number is given: watch the change."""
    return {"change_pct_points": utilisation_now_pct - utilisation_before_pct}


@form_of("LNX-PAGING")
def paging(working_set_mb: Positive, real_mb: Positive, page_outs_per_s: Amount = 0) -> Figures:
    """A working set above real memory degrades; paging out alone is a warning."""
    return {"warn": page_outs_per_s > 0, "breach": working_set_mb > real_mb}


@calculator("LNX-BUFFERLENGTH", "Buffers of clients", linux("6.3.1"))
def client_buffers(clients: Count, message_kb_p90: Positive) -> Figures:
    """Sized for 90 % of messages; each client holds one."""
    return {"buffer_kb": message_kb_p90, "kb": clients * message_kb_p90}
