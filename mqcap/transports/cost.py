"""CPU of a message by transport, from SYS-COST; whether that applies to a channel's traffic."""

from __future__ import annotations

from typing import Final

from mqcap.domain.numbers import figure
from mqcap.domain.units import KIB_BYTES, SECONDS_PER_DAY, US_PER_S
from mqcap.settings.transports import TransportSettings
from mqcap.transports.channel_move import ChannelTraffic, MoveFigures, Transport
from sizing.rulebook.registry import get

COST: Final = "SYS-COST"
BANDWIDTH: Final = "SYS-BANDWIDTH"
MESSAGES_PER_TRANSACTION: Final = 2
"""A transaction of the table is a request and its reply; half of it for each message is ours."""


def us_per_message(transport: Transport) -> tuple[float, float]:
    """Return CPU us of z/OS and of the coupling facility for one message of 2 KB."""
    total = get(COST).answer({"configuration": transport.value})
    cpu = float(total["total_excluding_cf_us"])
    facility = float(total["total_including_cf_us"]) - cpu
    return cpu / MESSAGES_PER_TRANSACTION, facility / MESSAGES_PER_TRANSACTION


def transactions_per_s(traffic: ChannelTraffic) -> float:
    """Return request and reply transactions a second of the busiest interval, as SYS-CF-CHECK."""
    return traffic.busiest_per_s / MESSAGES_PER_TRANSACTION


def move_figures(traffic: ChannelTraffic, now: Transport, then: Transport) -> MoveFigures:
    """Return the CPU of a transport against that of today."""
    (cpu_now, cf_now), (cpu, facility) = us_per_message(now), us_per_message(then)
    daily_us = traffic.messages_per_s * SECONDS_PER_DAY
    return MoveFigures(
        cpu_us_per_message=cpu,
        cf_us_per_message=facility,
        saved_cpu_s_per_day=daily_us * (cpu_now - cpu) / US_PER_S,
        saved_engine_pct=100 * traffic.busiest_per_s * (cpu_now - cpu) / US_PER_S,
        added_cf_s_per_day=daily_us * (facility - cf_now) / US_PER_S,
    )


def mib_per_s(traffic: ChannelTraffic) -> float:
    """Return the data rate in the direction of the channel (SYS-BANDWIDTH)."""
    if not traffic.message_bytes:
        return 0.0
    inputs = {
        "transactions_per_s": traffic.messages_per_s,
        "message_kb": traffic.bytes_per_message / KIB_BYTES,
    }
    return float(get(BANDWIDTH).answer(inputs)["mib_per_s"])


def why_not_applicable(traffic: ChannelTraffic, settings: TransportSettings) -> tuple[str, ...]:
    """Return why the table does not apply to the traffic; empty where it does.

    It was measured with 2 KB messages that are not persistent, between two systems, without TLS.
    """
    reasons = []
    least, largest = settings.least_message_kib, settings.largest_message_kib
    size = traffic.bytes_per_message
    if not least * KIB_BYTES <= size <= largest * KIB_BYTES:
        reasons.append(
            f"{figure(round(size))} bytes a message: {COST} is of 2 KB, used from {figure(least)} "
            f"to {figure(largest)} KiB"
        )
    if traffic.persistent_pct > settings.persistent_pct:
        reasons.append(
            f"{figure(traffic.persistent_pct)} % of the messages are persistent: {COST} is of "
            f"messages that are not; at most {figure(settings.persistent_pct)} %"
        )
    if traffic.uses_tls:
        reasons.append(f"the channel uses TLS: {COST} is without")
    system = traffic.sender_system
    if system is not None and system == traffic.receiver_system:
        reasons.append(f"both queue managers run on {system}: {COST} is of two systems")
    return tuple(reasons)
