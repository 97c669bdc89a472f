"""Channels: batches, CPU of moving messages, compression, start and stop."""

from typing import Final, Literal

from mqcap.domain.units import Amount, Count, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import curve, interpolate

FAST = mp16("Non-persistent messages - NPMSPEED(FAST)")

COMPRESSION_US: Final = {"None": 5, "ZLIBFAST (hardware)": 12, "ZLIBHIGH (software)": 105}
"""Of a dispatcher request with 32 KB, 40 % compressible, on z15."""
RESERVED_ON_ZOS: Final = 3
ACHIEVED_MIN: Final = 2
START_COLUMNS: Final = ("start_per_s", "start_cpu_ms", "stop_per_s", "stop_cpu_ms")


@form_of("CH-BATCH-ACHIEVED")
def achieved_batch(messages_per_s: Amount, batchint_ms: Amount, batchsz: PositiveCount) -> Figures:
    """Return the messages that arrive within BATCHINT, at most BATCHSZ; one when BATCHINT is 0."""
    achieved = min(batchsz, max(1.0, messages_per_s * batchint_ms / 1_000))
    return {"achieved_batch": achieved, "breach": achieved < ACHIEVED_MIN}


@calculator("CH-BATCH-MAX", "Negotiated batch", mp16("Channel option BATCHSZ"))
def largest_batch(
    sender_batchsz: PositiveCount,
    receiver_batchsz: PositiveCount,
    sender_maxumsgs: PositiveCount,
    receiver_maxumsgs: PositiveCount,
    platform: Literal["z/OS", "other"] = "z/OS",
) -> Figures:
    """The smallest of all; on z/OS three messages of MAXUMSGS are not the channel's."""
    reserved = RESERVED_ON_ZOS if platform == "z/OS" else 0
    allowed = min(sender_maxumsgs, receiver_maxumsgs) - reserved
    return {"max_batch": max(1, min(sender_batchsz, receiver_batchsz, allowed))}


@calculator("CH-COST-NPM1", "CPU of fast messages, batch 1", FAST)
def fast_single(message_bytes: Count) -> Figures:
    """Both ends on z16, half at each, within 10 %."""
    return _both_ends(38.53 + 0.0007 * message_bytes)


@calculator("CH-COST-NPM50", "CPU of fast messages, batch 50", FAST)
def fast_batched(message_bytes: Count) -> Figures:
    """Both ends on z16."""
    return _both_ends(22.16 + 0.00058 * message_bytes)


@calculator("CH-COST-PM1", "CPU of persistent messages, batch 1", mp16("Persistent messages"))
def persistent_single(message_bytes: Count) -> Figures:
    """Both ends on z16; the safest assumption for plans."""
    return _both_ends(223 + 0.003 * message_bytes)


@calculator("CH-COMPRESS", "CPU of compression", mp16("Channel option COMPMSG"))
def compression_cost(
    compression: Literal["None", "ZLIBFAST (hardware)", "ZLIBHIGH (software)"],
) -> Figures:
    """Of a dispatcher request."""
    return {"us_per_request": COMPRESSION_US[compression]}


@form_of("CH-START-STOP")
def start_and_stop(channels_in_syncq: Count) -> Figures:
    """By the channels in SYSTEM.CHANNEL.SYNCQ; interpolated between 1000, 2000 and 4000."""
    return {
        name: interpolate(curve("channel_start_stop", "channels_in_syncq", name), channels_in_syncq)
        for name in START_COLUMNS
    }


@form_of("CH-START-STOP")
def restart_time(channels_to_start: Count, channels_in_syncq: Count) -> Figures:
    """Return the seconds in which the channels of a failed queue manager restart."""
    points = curve("channel_start_stop", "channels_in_syncq", "start_per_s")
    return {"seconds": channels_to_start / interpolate(points, channels_in_syncq)}


def _both_ends(cpu_us: float) -> Figures:
    return {"cpu_us": cpu_us, "sender_us": cpu_us / 2, "receiver_us": cpu_us / 2}
