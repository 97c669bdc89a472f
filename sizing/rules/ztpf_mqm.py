"""z/TPF: memory of 64-bit queues (MQM) and its sweeper; MB is 10^6 bytes.

Rules use figures of loaded displays, consoles and tables, else those that the estate gives.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated, Final

from pydantic import Field

from mqcap.domain.finding import Change, Severity
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import Amount, Count, Percent, Positive, PositiveCount
from sizing.mqm import megabytes_of
from sizing.rulebook.assessment import Inputs, Reaching
from sizing.rulebook.entry import Figures, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import ztpf

SWEEP_LEVEL_PCT: Final = 80
SIZED_FOR_PCT: Final = 60
"""Share in use that more MQM is sized for: MQMSWPT, where sweeping stops."""
DISPLAY: Final = "ZMQSC DISPLAY QMGR"

SPOOL: Final = "stamped ZMQSC displays, or the table of z/TPF"
Blocks = Annotated[
    PositiveCount, FromMetric("tpf_mqm_blocks", record=SPOOL), FromEstate("mqm_blocks", DISPLAY)
]
Level = Annotated[
    float,
    Field(gt=0, le=100),
    FromMetric("tpf_mqm_sweep_level_pct", record=SPOOL),
    FromEstate("mqmswpl_pct", DISPLAY),
]

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


class InUseInputs(Inputs):
    """Blocks of MQM in use and allocated."""

    in_use_blocks: Annotated[
        Amount,
        FromMetric("tpf_mqm_in_use_blocks", record=SPOOL),
        FromEstate("mqm_in_use_blocks", DISPLAY),
    ]
    blocks: Blocks
    level_pct: Level = SWEEP_LEVEL_PCT


_mqm_rule: Final = partial(
    rule, resource=ResourceKind.ztpf_mqm, breach_severity=Severity.watch, amounts=("mqm_mb",)
)


def _judged(used: float, inputs: InUseInputs | HighWaterInputs, what: str, of: str) -> Reaching:
    share = 100 * used / inputs.blocks
    return Reaching(
        observed=share,
        limit=inputs.level_pct,
        unit="%",
        of=of,
        series_limit=inputs.level_pct * inputs.blocks / 100,
        arithmetic=f"{what} = 100 x {figure(used)} / {figure(inputs.blocks)} blocks = "
        f"{figure(share)} %",
        advice="Nothing to change: the sweeper has no cause to run.",
        caveats="High water is lost at IPL: judge it after a long time up.",
    ).past_limit("Define more MQM: sweeping moves messages to files and back.", lambda: _more(used))


def _more(used_blocks: float) -> Change:
    wanted = math.ceil(used_blocks * 100 / SIZED_FOR_PCT)
    megabytes = megabytes_of(wanted)
    return Change(
        action=f"Define {figure(megabytes)} MB of MQM: {figure(used_blocks)} blocks are then at "
        f"most {SIZED_FOR_PCT} % of it.",
        amount=TypedAmount.of("mqm_mb", megabytes),
        side_effects="memory of that size; that it counts from the next IPL on was found in no "
        "document (ours).",
    )


@_mqm_rule(
    "TPF-SWEEP-LEVEL",
    "MQM in use",
    ztpf("Tuning MQMSWPL"),
    watches="in_use_blocks",
    applies=only_with("in_use_blocks"),
)
def tpf_sweep_level(inputs: InUseInputs) -> Reaching:
    """Reaching MQMSWPL (80 % by default) starts the sweeper."""
    return _judged(inputs.in_use_blocks, inputs, "in use", "MQM")


class HighWaterInputs(Inputs):
    """Most blocks in use since the last IPL."""

    high_water_blocks: Annotated[
        Amount,
        FromMetric("tpf_mqm_high_water_blocks", record=SPOOL),
        FromEstate("mqm_high_water_blocks", DISPLAY),
    ]
    blocks: Blocks
    level_pct: Level = SWEEP_LEVEL_PCT


@_mqm_rule(
    "TPF-HWM",
    "High water of MQM",
    ztpf("Identifying an Undersized MQM Allocation"),
    watches="high_water_blocks",
    undated="a high-water mark holds since the last IPL and never falls",
    applies=only_with("high_water_blocks"),
    superseded_by="TPF-SWEEP-LEVEL",
)
def tpf_hwm(inputs: HighWaterInputs) -> Reaching:
    """At MQMSWPL the sweeper has run at least once; about 10 % would be oversized."""
    return _judged(inputs.high_water_blocks, inputs, "high water", "MQM since the last IPL")


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
