"""MQ on Linux, from live figures of queue managers and hosts, else those that the estate gives."""

import math
from functools import partial
from typing import Annotated, Final

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import SECONDS_PER_DAY, Percent
from sizing.rulebook.assessment import Assessment, Lasting, at_most
from sizing.rulebook.entry import only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric, Over
from sizing.rulebook.registry import rule
from sizing.sources import linux
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


_linux_rule: Final = partial(
    rule, subject_kind=SubjectKind.linux_host, breach_severity=Severity.watch
)


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
        NonNegativeFloat,
        FromMetric("host_network_used_gigabits", record=SITE),
        FromEstate("network_used_gigabits", "dstat"),
    ],
    gigabits: Annotated[PositiveFloat, FromEstate("network_gigabits", "ethtool")],
) -> Assessment:
    """Up to 80 % of the line in each direction; exactly that is allowed."""
    share = 100 * used_gigabits / gigabits
    wanted = math.ceil(100 * used_gigabits / NETWORK_MAX_PCT)
    return Assessment(
        observed=share,
        limit=NETWORK_MAX_PCT,
        unit="%",
        of="the network's speed",
        arithmetic=(f"used = 100 x {figure(used_gigabits)} / {figure(gigabits)} Gb/s",),
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
        NonNegativeFloat,
        FromMetric("mq_log_written_mib_per_s", record="Prometheus or amqsrua"),
        FromEstate("log_mib_per_s", "iostat of the log"),
    ],
    log_file_pages: Annotated[
        PositiveInt,
        FromMetric("mq_log_file_pages_count", record="qm.ini, LogFilePages"),
        FromEstate("log_file_pages", "qm.ini, LogFilePages"),
    ],
) -> Lasting:
    """An extent must last 10 seconds; exactly that is enough. z/OS has another rule."""
    extent, rate = log_file_pages * LOG_PAGE_KB / 1_024, rate_mib_per_s
    lasts = extent / rate if rate else None
    wanted = math.ceil(rate * EXTENT_MIN_S * 1_024 / LOG_PAGE_KB)

    def changes() -> tuple[Change, ...]:
        if wanted > LOG_FILE_PAGES_MAX:
            return ()
        size = figure(wanted * LOG_PAGE_KB / 1_024)
        return (
            Change(
                action=f"Create the queue manager with extents of {size} MiB.",
                amount=TypedAmount.of("log_file_pages", wanted),
                side_effects="fixed when the queue manager is created; disk for all extents.",
            ),
        )

    return Lasting(
        observed=at_most(lasts, EXTENT_LONGEST_S, EXTENT_MIN_S),
        limit=EXTENT_MIN_S,
        unit="s",
        series_limit=extent / EXTENT_MIN_S,
        summary=f"at the peak of {figure(rate)} MiB/s an extent of {figure(extent)} MiB "
        f"{f'lasts {duration(lasts)}' if lasts else 'never fills'}; it should last "
        f"{EXTENT_MIN_S} s.",
        arithmetic=(
            f"extent = {log_file_pages} x {LOG_PAGE_KB} KB = {figure(extent)} MiB",
            (
                f"fill time = {figure(extent)} MiB / {figure(rate)} MiB/s = "
                f"{duration(lasts) if lasts else 'never'}"
            ),
            (
                f"rate at {EXTENT_MIN_S} s = {figure(extent)} MiB / {EXTENT_MIN_S} s = "
                f"{figure(extent / EXTENT_MIN_S)} MiB/s"
            ),
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
        NonNegativeFloat,
        FromMetric("mq_client_count", record=SITE),
        FromEstate("clients", "DISPLAY CONN"),
    ],
    clients_max: Annotated[
        PositiveFloat, FromEstate("clients_max", "`mqcap rules show LNX-CLIENTS`")
    ],
) -> Assessment:
    """As many as were measured before response degrades; 65,536 whatever the scenario."""
    limit = min(clients_max, CLIENTS_MAX)
    managers = math.ceil(clients / limit)
    return Assessment(
        observed=clients,
        limit=limit,
        unit="clients",
        arithmetic=(f"limit = min({figure(clients_max)}, {CLIENTS_MAX})",),
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
        NonNegativeFloat,
        FromMetric("host_working_set_mib", record=SITE),
        FromEstate("working_set_mib", "ps or smem"),
    ],
    real_mib: Annotated[
        PositiveFloat,
        FromMetric("host_memory_mib", days=RECENT_DAYS, over=Over.usual, record=SITE),
        FromEstate("real_mib", "free"),
    ],
) -> Assessment:
    """A working set above real memory degrades; exactly as much is allowed."""
    return Assessment(
        observed=working_set_mib,
        limit=real_mib,
        unit="MiB",
        arithmetic=("limit = real memory of the host",),
        advice="Nothing to change: the working set fits.",
    ).past_limit(
        "Add memory, or run fewer queue managers and clients on the host.",
        lambda: Change(
            action="Provide that memory.",
            amount=TypedAmount.of(TypedKind.memory_mib, math.ceil(working_set_mib)),
            side_effects="real memory of the host, taken from other uses.",
        ),
    )
