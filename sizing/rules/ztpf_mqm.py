"""z/TPF: memory of 64-bit queues (MQM) and its sweeper.

Measured where displays, console or table of a system are loaded; else from figures that the estate
gives.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated, Final

from pydantic import Field, NonNegativeFloat, PositiveInt

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from sizing.mqm import megabytes_of
from sizing.rulebook.assessment import Inputs, Reaching
from sizing.rulebook.entry import only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import ztpf

SWEEP_LEVEL_PCT: Final = 80
SIZED_FOR_PCT: Final = 60
"""Share in use that more MQM is sized for: MQMSWPT, where sweeping stops."""
DISPLAY: Final = "ZMQSC DISPLAY QMGR"

SPOOL: Final = "stamped ZMQSC displays, or the table of z/TPF"
Blocks = Annotated[
    PositiveInt,
    FromMetric("tpf_mqm_blocks", record=SPOOL),
    FromEstate("mqm_blocks", DISPLAY),
]
Level = Annotated[
    float,
    Field(gt=0, le=100),
    FromMetric("tpf_mqm_sweep_level_pct", record=SPOOL),
    FromEstate("mqmswpl_pct", DISPLAY),
]


class InUseInputs(Inputs):
    """Blocks of MQM in use and allocated."""

    in_use_blocks: Annotated[
        NonNegativeFloat,
        FromMetric("tpf_mqm_in_use_blocks", record=SPOOL),
        FromEstate("mqm_in_use_blocks", DISPLAY),
    ]
    blocks: Blocks
    level_pct: Level = SWEEP_LEVEL_PCT


_mqm_rule: Final = partial(
    rule,
    subject_kind=SubjectKind.ztpf_system,
    resource=ResourceKind.ztpf_mqm,
    breach_severity=Severity.watch,
    amounts=("mqm_mb",),
)


def _judged(used: float, inputs: InUseInputs | HighWaterInputs, what: str, of: str) -> Reaching:
    share = 100 * used / inputs.blocks
    return Reaching(
        observed=share,
        limit=inputs.level_pct,
        unit="%",
        of=of,
        series_limit=inputs.level_pct * inputs.blocks / 100,
        arithmetic=(
            (f"{what} = 100 x {figure(used)} / {figure(inputs.blocks)} blocks = {figure(share)} %"),
        ),
        advice="Nothing to change: the sweeper has no cause to run.",
        caveats=("High water is lost at IPL: judge it after a long time up.",),
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
        NonNegativeFloat,
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
