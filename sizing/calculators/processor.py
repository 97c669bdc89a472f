"""CPU cost: between machines, of waiting getters, conversion and events."""

from typing import Final, Literal

from mqcap.domain.units import Amount, Count, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator
from sizing.sources import mp16

CHAPTER = mp16("Chapter 10, converting CPU costs between machines")
SHARED = mp16("Shared queue persistent message - CPU costs")
EVENTS = mp16("What is the cost of creating a trigger or event message?")

SHARED_MORE_PCT: Final = {1_000: (225, 3), 5_000: (200, 2)}
"""Per cent more than a private queue, and for each further queue manager."""


@calculator("CPU-LSPR", "CPU cost on another machine", CHAPTER)
def converted_cost(  # throughput ratios (ITR) are those of the average column
    measured_itr: Positive,
    measured_cps: PositiveCount,
    target_itr: Positive,
    target_cps: PositiveCount,
    cost_us: Positive | None = None,
) -> Figures:
    """By the ratio of one engine's power; ``predicted_us`` when a cost was given."""
    measured = measured_itr / measured_cps
    target = target_itr / target_cps
    ratio = measured / target
    return {
        "measured_single": measured,
        "target_single": target,
        "ratio": ratio,
        "predicted_us": None if cost_us is None else cost_us * ratio,
    }


@calculator("CPU-BUSY", "CPU busy", CHAPTER)
def cpu_busy(cost_ms_per_s: Amount, processors: PositiveCount) -> Figures:
    """CPU time of a second over all processors."""
    return {"busy_pct": 100 * cost_ms_per_s / (processors * 1_000)}


@calculator("CPU-SHARED-PRIVATE", "Shared against private queues", SHARED)
def shared_more(message_bytes: Literal[1000, 5000], queue_managers: PositiveCount = 1) -> Figures:
    """Against the best case of a private queue."""
    base, each = SHARED_MORE_PCT[message_bytes]
    return {"increase_pct": base + each * (queue_managers - 1)}


@calculator("CPU-WAITGET", "Waiting getters", mp16("How much extra does each waiting MQGET cost?"))
def waiting_getters(waiting_applications: Count, us_each: Amount = 1) -> Figures:
    """Each costs about 1 us for every message."""
    return {"extra_us": waiting_applications * us_each}


@calculator("CPU-CONVERT", "Code page conversion", mp16("Code page conversion"))
def conversion(basic_get_us: Positive, double_byte: bool = False) -> Figures:
    """As much as a basic non-persistent get of that size; four times for double-byte."""
    return {"cpu_us": basic_get_us * (4 if double_byte else 1)}


@calculator("CPU-EVENT-TRIGGER", "Event and trigger messages", EVENTS)
def events(
    event_messages: Count,
    trigger_messages: Count,
    persistent_put_us: Positive,
    nonpersistent_put_us: Positive,
) -> Figures:
    """An event is a small persistent put, a trigger a small non-persistent one."""
    return {"cpu_us": event_messages * persistent_put_us + trigger_messages * nonpersistent_put_us}
