"""Channels: batches, start and restart, common storage, CPU of moving messages, compression."""

import math
from typing import Annotated, Final, Literal

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import Amount, Count, Positive, PositiveCount
from sizing.rulebook.assessment import OWN_OF_CHANNELS, Assessment, Falling, first_step, spread
from sizing.rulebook.entry import Figures, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import mp16
from sizing.table import curve, interpolate

BATCH_MIN: Final = 2
BATCHINT_MS: Final = 100
"""MP16's own for persistent messages that may wait (CH-BATCH-SETTINGS)."""
UNSTATED: Final = "the record has all channels together, not how fast messages come on each of them"
CONNECTION_KB: Final = 2.47
"""A message channel or local connection; SHARECNV(1) takes twice as much."""
CURRENT: Final = "channels_current_count"
RECORD: Final = "SMF 115 subtype 231"

FAST = mp16("Non-persistent messages - NPMSPEED(FAST)")

COMPRESSION_US: Final = {"None": 5, "ZLIBFAST (hardware)": 12, "ZLIBHIGH (software)": 105}
"""Of a dispatcher request with 32 KB, 40 % compressible, on z15."""
RESERVED_ON_ZOS: Final = 3


@rule(
    "CH-BATCH-ACHIEVED",
    "Achieved batch size",
    mp16("Setting BATCHSZ and BATCHINT"),
    ResourceKind.chinit_channels,
    watches="messages_per_batch",
    breach_severity=Severity.watch,
    graded=False,
    applies=only_with("messages_per_batch"),
    first_step=UNSTATED,
    amounts=("batch_interval_ms",),
)
def ch_batch_achieved(
    messages_per_batch: Annotated[
        Amount,
        FromMetric("channel_batch_messages", Statistic.mean, record="SMF 116 subtype 10 (STATCHL)"),
    ],
) -> Falling:
    """Below two messages a batch, each message pays for a batch of its own."""
    return Falling(
        observed=messages_per_batch,
        limit=BATCH_MIN,
        unit="messages",
        arithmetic="observed = messages / batches of the day, all channels together",
        advice="Nothing to change: batches hold several messages.",
        caveats="Right for request and reply over persistent channels: BATCHSZ(1) saves there.",
    ).past_limit("Let messages gather: BATCHINT above 0 where the delay is allowed.", _gather)


def _gather() -> Change:
    """Rate from which a batch holds two messages: rate x BATCHINT of them."""
    per_s = BATCH_MIN * 1_000 / BATCHINT_MS
    return first_step(
        f"Set BATCHINT to {BATCHINT_MS} ms on channels of persistent messages that may "
        f"wait so long and carry {figure(per_s)} messages a second or more: {figure(per_s)} x "
        f"{BATCHINT_MS} ms = {BATCH_MIN} messages (CH-BATCH-ACHIEVED). Slower ones need "
        f"{figure(BATCH_MIN * 1_000)} ms divided by their messages a second, or stay as they are.",
        TypedAmount.of("batch_interval_ms", BATCHINT_MS),
        "up to that delay for each batch; keep it below 300,000 ms.",
        UNSTATED,
    )


@rule(
    "CH-START-STOP",
    "Channels are back in time after a failure",
    mp16("Channel start/stop rates and costs"),
    ResourceKind.chinit_channels,
    watches="channels",
    breach_severity=Severity.watch,
    applies=only_with("restart_max_s"),
    amounts=(TypedKind.queue_managers,),
    fault="Channels not back in time after a failure",
)
def ch_start_stop(
    channels: Annotated[Amount, FromMetric(CURRENT, record=RECORD)],
    restart_max_s: Annotated[
        Positive, FromEstate("channel_restart_max_s", "the service level of channels")
    ],
    syncq_channels: Annotated[
        Amount | None, FromEstate("syncq_channels", "CURDEPTH of SYSTEM.CHANNEL.SYNCQ")
    ] = None,
) -> Assessment:
    """Channels by the rate at which they start; the rate falls with what is in SYNCQ."""
    in_syncq = channels if syncq_channels is None else syncq_channels
    rate = _start_rate(in_syncq)
    seconds = channels / rate
    managers = math.ceil(seconds / restart_max_s)
    each = figure(math.ceil(channels / managers)) if managers else ""
    return Assessment(
        observed=seconds,
        limit=restart_max_s,
        unit="s",
        series_limit=_channels_in(restart_max_s, syncq_channels),
        arithmetic=(
            f"{figure(in_syncq)} channels in SYNCQ start at {figure(rate)} a second",
            f"restart = {figure(channels)} / {figure(rate)} = {duration(seconds)}",
        ),
        advice="Nothing to change: the channels are back in time.",
        caveats="TLS channels start several times slower (CH-TLS-START).",
    ).past_limit(
        "Delete channel definitions that are not used, or spread channels over queue managers.",
        lambda: spread(managers, f", about {each} each", "channels", OWN_OF_CHANNELS),
    )


def _start_rate(in_syncq: float) -> float:
    return interpolate(curve("channel_start_stop", "channels_in_syncq", "start_per_s"), in_syncq)


def _channels_in(seconds: float, in_syncq: float | None) -> float:
    """Channels that start in that time; when all in SYNCQ start, halving finds the number."""
    if in_syncq is not None:
        return seconds * _start_rate(in_syncq)
    low, high = 0.0, seconds * _start_rate(0)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle / _start_rate(middle) < seconds else (low, middle)
    return high


@rule(
    "VS-CSA-CONN",
    "Common storage of connections",
    mp16("CSA usage per connection"),
    ResourceKind.virtual_storage,
    watches="connections",
    breach_severity=Severity.watch,
    applies=only_with("ecsa_free_mib"),
)
def vs_csa_conn(
    connections: Annotated[Amount, FromMetric(CURRENT, record=RECORD)],
    ecsa_free_mib: Annotated[
        Positive, FromEstate("ecsa_free_mib", "RMF storage report: ECSA not used")
    ],
) -> Assessment:
    """No level is given: as many channels again as there are must fit in the free ECSA (ours)."""
    limit = ecsa_free_mib * 1_024 / CONNECTION_KB
    return Assessment(
        observed=connections,
        limit=limit,
        unit="channels",
        arithmetic=f"limit = {figure(ecsa_free_mib)} MiB x 1,024 / {CONNECTION_KB} KB = "
        f"{figure(limit)} connections",
        advice="Nothing to change: the connections could come a second time.",
        caveats="SHARECNV(1) takes 4.9 KB, SHARECNV(10) 2.7 KB for each connection.",
    ).past_limit("Share conversations, connect less often, or run fewer channels on this system.")


@form_of("CH-BATCH-ACHIEVED")
def achieved_batch(messages_per_s: Amount, batchint_ms: Amount, batchsz: PositiveCount) -> Figures:
    """Return the messages that arrive within BATCHINT, at most BATCHSZ; one when BATCHINT is 0."""
    achieved = min(batchsz, max(1.0, messages_per_s * batchint_ms / 1_000))
    return {"achieved_batch": achieved, "breach": achieved < BATCH_MIN}


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
        for name in ("start_per_s", "start_cpu_ms", "stop_per_s", "stop_cpu_ms")
    }


@form_of("CH-START-STOP")
def restart_time(channels_to_start: Count, channels_in_syncq: Count) -> Figures:
    """Return the seconds in which the channels of a failed queue manager restart."""
    points = curve("channel_start_stop", "channels_in_syncq", "start_per_s")
    return {"seconds": channels_to_start / interpolate(points, channels_in_syncq)}


def _both_ends(cpu_us: float) -> Figures:
    return {"cpu_us": cpu_us, "sender_us": cpu_us / 2, "receiver_us": cpu_us / 2}
