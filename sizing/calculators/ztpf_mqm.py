"""z/TPF 64-bit queues: memory for messages (MQM) and its sweeper. MB is 10^6 bytes."""

import math
from typing import Final

from mqcap.domain.units import Amount, Count, Percent, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import ztpf

QUICK = ztpf("Quickly Determining How Much MQM to Define from SWB Allocation")
RATES = ztpf("Determining How Much MQM to Define with Data Reduction")

GROWTH_FACTOR: Final = 5
SECONDS_MIN: Final = 10
OVERSIZED_PCT: Final = 10
BLOCK_PAYLOAD_BYTES: Final = 3_840
SWB_PAYLOAD_BYTES: Final = 960
"""Ours: within the 3778-4095 and 944-971 bytes that the printed examples allow."""
LIMITS: Final = {
    "checkpoint_io_31bit": 175,
    "checkpoint_io_64bit": 250,
    "sweep_ecbs": 10,
    "unsweep_ecbs": 20,
    "pool_records_per_index": 440,
    "reserve_per_queue": 441,
    "reserve_subsystem": 88_000,
}


@calculator("TPF-MQM-SWB", "MQM from system work blocks", QUICK)
def mqm_from_swbs(swbs: Count, factor: Positive = GROWTH_FACTOR) -> Figures:
    """A thousand blocks are a MB; five times that."""
    return {"swb_mb": swbs / 1_000, "mqm_mb": swbs / 1_000 * factor}


@calculator("TPF-MQM-RATE", "MQM from message rates", RATES)
def queue_rate(p_rate: Amount, p_bytes: Count, np_rate: Amount, np_bytes: Count) -> Figures:
    """Data of one queue a second, persistent and not."""
    return {"mb_per_s": (p_rate * p_bytes + np_rate * np_bytes) / 1e6}


@form_of("TPF-MQM-RATE")
def mqm_from_rates(
    rates_mb_per_s: list[Amount],
    seconds: Positive = SECONDS_MIN,
    growth_factor: Positive = GROWTH_FACTOR,
) -> Figures:
    """All queues, for at least ten seconds, times 5 or 10 for growth (F-49)."""
    total = sum(rates_mb_per_s)
    return {
        "total_mb_per_s": total,
        "minimum_mb": total * seconds,
        "recommended_mb": total * seconds * growth_factor,
    }


@form_of("TPF-SWEEP-LEVEL")
def sweep_level(mqm_gb: Positive, mqmswpl_pct: Percent = 80) -> Figures:
    """Return the storage in use at which the sweeper runs, GB."""
    return {"sweep_at_gb": mqm_gb * mqmswpl_pct / 100}


@form_of("TPF-SWEEP-LEVEL")
def sweeping(in_use_pct: Percent, mqmswpl_pct: Percent = 80, mqmswpt_pct: Percent = 60) -> Figures:
    """Reaching the level starts it; the target is the warning."""
    return {"warn": in_use_pct >= mqmswpt_pct, "breach": in_use_pct >= mqmswpl_pct}


@calculator("TPF-SWEEP-TARGET", "How much is swept", ztpf("Tuning MQMSWPT"))
def sweep_target(mqm_gb: Positive, mqmswpl_pct: Percent = 80, mqmswpt_pct: Percent = 60) -> Figures:
    """From the level down to the target."""
    return {"target_gb": mqm_gb * (mqmswpl_pct - mqmswpt_pct) / 100}


@form_of("TPF-HWM")
def high_water(total_mqm: PositiveCount, hw_in_use: Count, mqmswpl_pct: Percent = 80) -> Figures:
    """Since the last IPL: at the level the sweeper has run; about 10 % is oversized."""
    share = 100 * hw_in_use / total_mqm
    return {
        "hw_pct": share,
        "sweeper_has_run": share >= mqmswpl_pct,
        "oversized": share <= OVERSIZED_PCT,
    }


@form_of("TPF-SWEEP-FREQ")
def sweeps(mqsc0801i_per_day: Count) -> Figures:
    """Of 64-bit queues: hundreds a day mean too little MQM; tens are a warning (ours)."""
    return {"warn": mqsc0801i_per_day >= 10, "breach": mqsc0801i_per_day >= 100}


@calculator("TPF-BLOCKS", "Blocks of a message", ztpf("MQM Block Chaining"))
def blocks(message_bytes: PositiveCount) -> Figures:
    """Blocks of 4 KB and work blocks of 1 KB, less their overhead."""
    return {
        "mqm_blocks": math.ceil(message_bytes / BLOCK_PAYLOAD_BYTES),
        "swbs": math.ceil(message_bytes / SWB_PAYLOAD_BYTES),
    }


@calculator("TPF-LIMITS", "Limits of 64-bit queues", ztpf("Summary of Settings for 64-Bit Queues"))
def limits(queues: Count) -> Figures:
    """Fixed limits, and the pool records kept for that many queues."""
    reserve = LIMITS["reserve_subsystem"] + queues * LIMITS["reserve_per_queue"]
    return {**LIMITS, "reserved_records": reserve}


@calculator("TPF-IMQCX", "#IMQCX records", ztpf("Queue Checkpoint Control Record"))
def control_records(queues_64bit: Count) -> Figures:
    """Return one record for each queue, and the control record (F-22)."""
    return {"records": queues_64bit + 1}
