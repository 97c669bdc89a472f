"""Storage of channels and tasks in the channel initiator, and the number that fits."""

import math
import re
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.units import KIB_BYTES, MIB_BYTES, Count, Positive, PositiveCount, Share
from mqcap.operands.declared import SETTINGS
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import curve, figures, interpolate

MESSAGE = mp16("Rule of Thumb for channel initiator storage usage")
CHANNELS = mp16("How many channels can a channel initiator support?")
SVRCONN = mp16("How many SVRCONN channels can a channel initiator support?")
SVRCONN_64 = mp16("Rule of Thumb for sizing MQ 9.4 64-bit private storage for SVRCONN channels")
CLIENTS = mp16("MQ 9.4: How many SVRCONN channels can be run with unlimited 64-bit storage?")
TLS = mp16("Does SSL make a difference to the number of channels I can run?")
CACHE = mp16("What is the capacity of my channel initiator task?")
TRACE = mp16("Channel Initiator Trace")

ADAPTER_KB: Final = 150
DISPATCHER_KB: Final = 102
SSL_TASK_KB: Final = 1.45 * KIB_BYTES
"""1.45 MB since 9.3, not 1.3 (F-01)."""
TLS_KB: Final = 30
MCA_KB: Final = {"1KB": 90, "32KB": 100, "64KB": 109, "4MB": 1_127}
CONVERSATION_KB: Final = 22
MAXCHL_MAX: Final = SETTINGS["maxchl"].highest
USABLE: Final = 0.8
HEADERS_BYTES: Final = 500
POOL_MIN_BYTES: Final = 4 * KIB_BYTES
CSQX004I: Final = re.compile(
    r"local storage: used (\d+)MB, free (\d+)MB: above bar: used (\d+)MB, free (\d+)MB"
)

MessageSize = Literal["1KB", "32KB", "64KB", "4MB"]


@calculator("CHI-X004I", "Reading CSQX004I", MESSAGE)
def read_message(message: str) -> Figures:
    """Used and free of both kinds of storage; its MB is 2^20."""
    match = CSQX004I.search(message)
    if match is None:
        raise ConfigurationError("no storage in the message", found=message, expected="CSQX004I")
    names = ("local_used_mb", "local_free_mb", "above_bar_used_mb", "above_bar_free_mb")
    return {name: int(value) for name, value in zip(names, match.groups(), strict=True)}


@calculator("CHI-TASKSTOR", "Storage of tasks", mp16("Channel initiator task storage usage"))
def task_storage(adapters: Count, dispatchers: Count, ssltasks: Count) -> Figures:
    """31-bit storage that is taken before any channel runs."""
    return {"kb": adapters * ADAPTER_KB + dispatchers * DISPATCHER_KB + ssltasks * SSL_TASK_KB}


@calculator("CHI-FOOTPRINT-MCA", "Storage of message channels", CHANNELS)
def channel_footprint(message_size: MessageSize, tls: bool = False) -> Figures:
    """Of one channel; a connection both ways needs two."""
    return {"kb_per_channel": MCA_KB[message_size] + (TLS_KB if tls else 0)}


@form_of("CHI-FOOTPRINT-MCA")
def channels_footprint(channels: list[tuple[Count, MessageSize]], tls: bool = False) -> Figures:
    """Of (count, message size) of each kind."""
    extra = TLS_KB if tls else 0
    return {"kb": sum(count * (MCA_KB[size] + extra) for count, size in channels)}


@calculator("CHI-SVRCONN-31", "31-bit storage of client channels", SVRCONN)
def client_footprint(
    mq_level: Literal["pre-9.4", "9.4"], sharecnv: Literal[0, 1, 10], message_kb: Positive
) -> Figures:
    """SHARECNV(10) with ten conversations; interpolated between sizes (F-06)."""
    points = curve(
        "svrconn_footprint", "message_kb", "kb_per_channel", mq_level=mq_level, sharecnv=sharecnv
    )
    return {"kb_per_channel": interpolate(points, message_kb)}


@form_of("CHI-SVRCONN-31")
def shared_footprint(
    sharecnv: Annotated[int, Field(ge=10)],
    curshcnv: PositiveCount,
    message_kb: Annotated[float, Field(gt=0, le=1)] = 1,
    kb_per_conversation: Positive = CONVERSATION_KB,
) -> Figures:
    """From SHARECNV(10) on by the conversations current, with messages up to 1 KB."""
    del sharecnv, message_kb  # they say when this form holds
    return {"kb_per_channel": curshcnv * kb_per_conversation}


@calculator("CHI-SVRCONN-64", "64-bit storage of client channels", SVRCONN_64)
def client_above_bar(message_bytes: Count, sharecnv: Count, curshcnv: Count = 1) -> Figures:
    """From 9.4: a buffer of the next pool size, twice with SHARECNV, more with conversations."""
    size = message_bytes + HEADERS_BYTES
    if size > MIB_BYTES:
        buffer = math.ceil(size / MIB_BYTES) * MIB_BYTES
    else:
        buffer = POOL_MIN_BYTES
        while buffer < size:
            buffer *= 2
    if sharecnv == 0:
        return {"bytes_per_channel": buffer}
    return {"bytes_per_channel": buffer * 2 if curshcnv <= 1 else buffer * curshcnv * 1.1}


@calculator("CHI-SSL-30KB", "Storage of TLS channels", TLS)
def tls_storage(channels: Count, extra_kb_per_channel: Positive = TLS_KB) -> Figures:
    """30 KB more for each, and more than that above 32 KB messages."""
    return {"kb": channels * extra_kb_per_channel}


@calculator("CHI-MAXCH", "Most channels", SVRCONN)
def most_channels(
    epvt_gib: Positive,
    kb_per_channel: Positive,
    maxchl: Annotated[int, Field(gt=0, le=MAXCHL_MAX)] = MAXCHL_MAX,
    sharecnv: Count = 1,
    usable_fraction: Share = 1,
) -> Figures:
    """Storage by footprint, 9,999 at most; plan with 0.8 usable and without the tasks (F-05)."""
    available_kb = epvt_gib * MIB_BYTES
    channels = min(maxchl, math.floor(available_kb * usable_fraction / kb_per_channel))
    return {
        "channels": channels,
        "conversations": channels * max(sharecnv, 1),
        "exceeds_80pct": channels * kb_per_channel > USABLE * available_kb,
    }


@form_of("CHI-MAXCH")
def storage_of_channels(channels: Count, kb_per_channel: Positive) -> Figures:
    """Return the storage of a number of channels, KB."""
    return {"kb": channels * kb_per_channel}


@calculator("CHI-CLIENTS-MEASURED", "Clients at 80 % of storage", CLIENTS)
def clients_measured(
    sharecnv: Literal[0, 1, 10],
    message: Literal["up to 10KB", "32KB", "256KB"],
    mq_level: Literal["9.3", "9.4"],
    local_limit_mb: Literal[1200] = 1_200,
) -> Figures:
    """Measured with 1501 MB available; some 100 MB of it are not channels.

    SHARECNV(0) with 256 KB at 9.3 is only described as below 3000, so it has no row.
    """
    del local_limit_mb  # the only limit that was measured
    return figures(
        "clients_measured", ["channels"], sharecnv=sharecnv, message=message, mq_level=mq_level
    )


@calculator("CHI-BUFPOOL", "Free buffers of large messages", mp16("Channel initiator buffer pools"))
def free_buffers(max_message_mb: Positive, free_buffers: Count = 5) -> Figures:
    """Up to five buffers larger than 1 MB are kept."""
    return {"mb": max_message_mb * free_buffers}


@calculator("CHI-CLCACHE", "Cluster cache", CACHE)
def cluster_cache(clustered: bool, configuration_mb: Positive = 2) -> Figures:
    """None without clusters, else 2 MB; a dynamic one grows from there."""
    return {"mb": max(2.0, configuration_mb) if clustered else 0}


@calculator("CHI-TRACE", "Cost of traces", TRACE)
def trace_cost(trace: Literal["chinit", "class 4"], loaded: bool = True) -> Figures:
    """Per cent more CPU of a transaction, from and to."""
    if trace == "class 4":
        return {"increase_from_pct": 1, "increase_to_pct": 2}
    return {"increase_from_pct": 25 if loaded else 3, "increase_to_pct": 55 if loaded else 3}
