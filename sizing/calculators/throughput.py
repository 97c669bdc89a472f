"""Ceilings of one server, one queue, and the cost of connecting often."""

from typing import Literal

from mqcap.domain.units import Amount, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import curve, figures, interpolate

ORDERED = mp16("Strict ordering - single reply application")
PAIRS = mp16("Throughput for request/reply pairs of private queues")
SHARED = mp16("Maximum persistent message throughput - shared queue examples")
GROUPS = mp16("Large groups of small messages OR small groups of large messages?")


@calculator("THR-SINGLE-SERVER", "One server in strict order", ORDERED)
def single_server(commit_us: Amount, put_us: Amount, get_us: Amount) -> Figures:
    """Return the rate of one transaction after the other."""
    elapsed = commit_us + put_us + get_us
    return {"elapsed_us": elapsed, "max_transactions_per_s": 1e6 / elapsed}


@form_of("THR-SINGLE-SERVER")
def utilisation(achieved_per_s: Amount, max_transactions_per_s: Positive) -> Figures:
    """Return the share of that rate that the server reaches."""
    return {"utilisation_pct": 100 * achieved_per_s / max_transactions_per_s}


@form_of("THR-NP-PRIVATE")
def private_queue(message_bytes: Positive) -> Figures:
    """Non-persistent, on z16 (F-20); interpolated between sizes."""
    points = curve("private_queue_rate", "message_bytes", "messages_per_s")
    return {"messages_per_s": interpolate(points, message_bytes)}


@form_of("THR-NP-PRIVATE")
def private_queue_used(message_bytes: Positive, observed_messages_per_s: Amount) -> Figures:
    """Against that rate: warn at half of it (ours), above it is a breach."""
    points = curve("private_queue_rate", "message_bytes", "messages_per_s")
    most = interpolate(points, message_bytes)
    return {
        "messages_per_s": most,
        "used_pct": 100 * observed_messages_per_s / most,
        "warn": observed_messages_per_s > most / 2,
        "breach": observed_messages_per_s > most,
    }


@calculator("THR-RR-PRIVATE", "Request and reply on private queues", PAIRS)
def request_reply(
    lpar: Literal["6-way", "3-way"],
    queue_pairs: PositiveCount,
    repliers_per_pair: PositiveCount,
    requesters_per_pair: PositiveCount,
) -> Figures:
    """Measured; a transaction is two messages (one printed value is not, F-28)."""
    measured = figures(
        "request_reply_private",
        ["messages_per_s", "us_per_transaction"],
        lpar=lpar,
        queue_pairs=queue_pairs,
        repliers_per_pair=repliers_per_pair,
        requesters_per_pair=requesters_per_pair,
    )
    return {**measured, "transactions_per_s": measured["messages_per_s"] / 2}


@calculator("THR-SHARED", "Persistent messages on shared queues", SHARED)
def shared_queues(message_kb: Literal[1, 5], zhpf: bool = False) -> Figures:
    """Over three queue managers on DS8900F; ``None`` where nothing was stated."""
    rates = {(1, True): 84_000, (1, False): 72_000, (5, False): 58_000}
    return {"messages_per_s": rates.get((message_kb, zhpf))}


@calculator("THR-GROUP", "Volume of a message group", GROUPS)
def group_volume(message_kb: Positive, group: PositiveCount) -> Figures:
    """Size times number; fewer, larger messages carry the same volume much faster."""
    return {"mib": message_kb * group / 1_024}


@calculator("THR-TIER", "Cost of connecting often", mp16("Chapter 8, two or three tiers"))
def connection_cost(cost_1_us: Positive, cost_50_us: Positive) -> Figures:
    """Fit of a / n + b to the cost of a message with 1 and with 50 on a connection."""
    connect = (cost_1_us - cost_50_us) / (1 - 1 / 50)
    return {"connect_us": connect, "per_message_us": cost_1_us - connect}
