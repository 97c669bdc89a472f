"""MQ on Linux, from live figures of queue managers and hosts, else those that the estate gives."""

import math
from functools import partial
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import (
    SECONDS_PER_DAY,
    Amount,
    Count,
    Percent,
    Positive,
    PositiveCount,
    Share,
)
from sizing.rulebook.assessment import Assessment, Lasting, at_most
from sizing.rulebook.entry import Figures, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric, Over
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import linux
from sizing.table import figures
from sizing.trend import RECENT_DAYS, UNDATED, recent, trend, usual

NETWORK_MAX_PCT: Final = 80
EXTENT_MIN_S: Final = 10
EXTENT_LONGEST_S: Final = SECONDS_PER_DAY
LOG_PAGE_KB: Final = 4
LOG_FILE_PAGES_MAX: Final = 65_535
CLIENTS_MAX: Final = 65_536


SITE: Final = "a file of site figures"
DISK: Final = "host_disk_busy_pct"
HOST: Final = (SubjectKind.mq_host,)
QMGR: Final = (SubjectKind.distributed_queue_manager,)


_linux_rule: Final = partial(rule, breach_severity=Severity.watch)

MEMORY_KB: Final = {"8.0": (12_832.00, 97.93, 32.85), "7.5": (11_892.00, 132.73, 38.73)}
"""Queue manager with a client and a queue; each further client; each further queue."""
STANDARD_CHANNEL_KB: Final = 80
GIGA: Final = {"2^30": 2**30, "10^9": 10**9}
LOCK_WAIT_MAX_PCT: Final = 10
CPU_WARN_PCT: Final = 80
"""Ours."""


@_linux_rule(
    "LNX-NET",
    "Network bandwidth",
    linux("4.4"),
    resource=ResourceKind.linux_network,
    also_of=HOST,
    watches="used_gigabits",
    applies=only_with("used_gigabits", "gigabits"),
    amounts=(TypedKind.network_gigabits,),
)
def lnx_net(
    used_gigabits: Annotated[
        Amount,
        FromMetric("host_network_used_gigabits", record=SITE),
        FromEstate("network_used_gigabits", "dstat"),
    ],
    gigabits: Annotated[Positive, FromEstate("network_gigabits", "ethtool")],
) -> Assessment:
    """Up to 80 % of the line in each direction; exactly that is allowed."""
    share = 100 * used_gigabits / gigabits
    wanted = math.ceil(100 * used_gigabits / NETWORK_MAX_PCT)
    return Assessment(
        observed=share,
        limit=NETWORK_MAX_PCT,
        unit="%",
        of="the network's speed",
        arithmetic=f"used = 100 x {figure(used_gigabits)} / {figure(gigabits)} Gb/s",
        series_limit=gigabits * NETWORK_MAX_PCT / 100,
        advice="Nothing to change: the line has room.",
    ).past_limit(
        "Use a faster line or more cards.",
        lambda: Change(
            action="Provide that bandwidth.",
            amount=TypedAmount.of(TypedKind.network_gigabits, wanted),
            side_effects="cards or links of that speed at both ends.",
        ),
    )


@_linux_rule(
    "LNX-LOGEXTENT-10S",
    "Time to fill a log extent",
    linux("6.1.1.2.3"),
    resource=ResourceKind.linux_log,
    also_of=QMGR,
    watches="rate_mib_per_s",
    applies=only_with("rate_mib_per_s", "log_file_pages"),
    amounts=("log_file_pages",),
    longest=EXTENT_LONGEST_S,
)
def lnx_logextent_10s(
    rate_mib_per_s: Annotated[
        Amount,
        FromMetric("mq_log_written_mib_per_s", record="Prometheus or amqsrua"),
        FromEstate("log_mib_per_s", "iostat of the log"),
    ],
    log_file_pages: Annotated[
        PositiveCount,
        FromMetric("mq_log_file_pages_count", record="qm.ini, LogFilePages"),
        FromEstate("log_file_pages", "qm.ini, LogFilePages"),
    ],
) -> Lasting:
    """An extent must last 10 seconds; exactly that is enough. z/OS has another rule."""
    extent, rate = log_file_pages * LOG_PAGE_KB / 1_024, rate_mib_per_s
    lasts = extent / rate if rate else None
    time = duration(lasts) if lasts else "never"
    mib, mib_per_s, most = figure(extent), figure(rate), figure(extent / EXTENT_MIN_S)
    wanted = math.ceil(rate * EXTENT_MIN_S * 1_024 / LOG_PAGE_KB)

    def changes() -> Change | None:
        if wanted > LOG_FILE_PAGES_MAX:
            return None
        size = figure(wanted * LOG_PAGE_KB / 1_024)
        return Change(
            action=f"Create the queue manager with extents of {size} MiB.",
            amount=TypedAmount.of("log_file_pages", wanted),
            side_effects="fixed when the queue manager is created; disk for all extents.",
        )

    return Lasting(
        observed=at_most(lasts, EXTENT_LONGEST_S, EXTENT_MIN_S),
        limit=EXTENT_MIN_S,
        unit="s",
        series_limit=extent / EXTENT_MIN_S,
        summary=f"at the peak of {mib_per_s} MiB/s an extent of {mib} MiB "
        f"{f'lasts {time}' if lasts else 'never fills'}; it should last {EXTENT_MIN_S} s.",
        arithmetic=(
            f"extent = {log_file_pages} x {LOG_PAGE_KB} KB = {mib} MiB",
            f"fill time = {mib} MiB / {mib_per_s} MiB/s = {time}",
            f"rate at {EXTENT_MIN_S} s = {mib} MiB / {EXTENT_MIN_S} s = {most} MiB/s",
        ),
        advice="Nothing to change: an extent lasts 10 seconds or more.",
    ).past_limit("Use larger extents, or spread persistent messages over queue managers.", changes)


@_linux_rule(
    "LNX-CLIENTS",
    "Connected clients",
    linux("3.8 and 3.9"),
    resource=ResourceKind.linux_clients,
    also_of=QMGR,
    watches="clients",
    applies=only_with("clients"),
    amounts=(TypedKind.queue_managers,),
)
def lnx_clients(
    clients: Annotated[
        Amount, FromMetric("mq_client_count", record=SITE), FromEstate("clients", "DISPLAY CONN")
    ],
    clients_max: Annotated[Positive, FromEstate("clients_max", "`mqcap rules show LNX-CLIENTS`")],
) -> Assessment:
    """As many as were measured before response degrades; 65,536 whatever the scenario."""
    limit = min(clients_max, CLIENTS_MAX)
    managers = math.ceil(clients / limit)
    return Assessment(
        observed=clients,
        limit=limit,
        unit="clients",
        arithmetic=f"limit = min({figure(clients_max)}, {CLIENTS_MAX})",
        advice="Nothing to change: more clients can connect.",
    ).past_limit(
        "Use more queues, or spread clients over queue managers.",
        lambda: Change(
            action="Spread the clients.",
            amount=TypedAmount.of(TypedKind.queue_managers, managers),
            side_effects="each has its own log, disk and memory.",
        ),
    )


@_linux_rule(
    "LNX-DISK",
    "Disk of the log",
    linux("4.1"),
    resource=ResourceKind.linux_log,
    also_of=HOST,
    watches="recent",
    undated=UNDATED,
    applies=only_with("recent", "usual"),
    graded=False,
    limit_is_own_past=True,
)
def lnx_disk(
    recent: Annotated[Percent, recent(DISK, SITE), FromEstate("disk_pct", "iostat")],
    usual: Annotated[Percent, usual(DISK, SITE), FromEstate("disk_usual_pct", "an earlier report")],
) -> Assessment:
    """No level is given, so a change is reported."""
    return trend(
        recent,
        usual,
        "%",
        what="disk utilisation",
        wrong="Give the log a file system and disk of its own, with a write-back cache.",
    )


@_linux_rule(
    "LNX-PAGING",
    "Working set and memory",
    linux("5.6"),
    resource=ResourceKind.linux_memory,
    also_of=HOST,
    watches="working_set_mib",
    applies=only_with("working_set_mib"),
    amounts=(TypedKind.memory_mib,),
)
def lnx_paging(
    working_set_mib: Annotated[
        Amount,
        FromMetric("host_working_set_mib", record=SITE),
        FromEstate("working_set_mib", "ps or smem"),
    ],
    real_mib: Annotated[
        Positive,
        FromMetric("host_memory_mib", days=RECENT_DAYS, over=Over.usual, record=SITE),
        FromEstate("real_mib", "free"),
    ],
) -> Assessment:
    """A working set above real memory degrades; exactly as much is allowed."""
    return Assessment(
        observed=working_set_mib,
        limit=real_mib,
        unit="MiB",
        arithmetic="limit = real memory of the host",
        advice="Nothing to change: the working set fits.",
    ).past_limit(
        "Add memory, or run fewer queue managers and clients on the host.",
        lambda: Change(
            action="Provide that memory.",
            amount=TypedAmount.of(TypedKind.memory_mib, math.ceil(working_set_mib)),
            side_effects="real memory of the host, taken from other uses.",
        ),
    )


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
