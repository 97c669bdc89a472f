"""z/TPF: memory of 64-bit queues (MQM) and its sweeper, from figures that the estate gives."""

from __future__ import annotations

import math
from typing import Annotated, Final

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import PAGE_BYTES
from sizing.rulebook.assessment import Inputs, Reaching, with_advice
from sizing.rulebook.entry import RuleTraits, only_with
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.registry import rule
from sizing.sources import ztpf

LEVEL: Final = ztpf("Tuning MQMSWPL")
UNDERSIZED: Final = ztpf("Identifying an Undersized MQM Allocation")

SWEEP_LEVEL_PCT: Final = 80
SWEEPS_MAX: Final = 100
"""Ours, for "hundreds a day"."""
SIZED_FOR_PCT: Final = 60
"""Share in use that more MQM is sized for: MQMSWPT, where sweeping stops."""
DISPLAY: Final = "ZMQSC DISPLAY QMGR"

Blocks = Annotated[PositiveInt, FromEstate("mqm_blocks", DISPLAY)]
Level = Annotated[float, Field(gt=0, le=100), FromEstate("mqmswpl_pct", DISPLAY)]


class InUseInputs(Inputs):
    """Blocks of MQM in use and allocated."""

    in_use_blocks: Annotated[NonNegativeInt, FromEstate("mqm_in_use_blocks", DISPLAY)]
    blocks: Blocks
    level_pct: Level = SWEEP_LEVEL_PCT


def _traits(
    *names: str, superseded_by: str = "", amounts: tuple[TypedKind, ...] = ()
) -> RuleTraits:
    return RuleTraits(
        subject_kind=SubjectKind.ztpf_system,
        resource=ResourceKind.ztpf_mqm,
        breach_severity=Severity.watch,
        applies=only_with(*names),
        superseded_by=superseded_by,
        amounts=amounts,
    )


def _judged(used: int, inputs: InUseInputs | HighWaterInputs, what: str) -> Reaching:
    share = 100 * used / inputs.blocks
    return with_advice(
        Reaching(
            observed=share,
            limit=inputs.level_pct,
            unit="%",
            arithmetic=(f"{what} = 100 x {used} / {inputs.blocks} blocks = {figure(share)} %",),
            advice="Nothing to change: the sweeper has no cause to run.",
            caveats=("High water is lost at IPL: judge it after a long time up.",),
        ),
        "Define more MQM: sweeping moves messages to files and back.",
        lambda: (_more(used),),
    )


def _more(used_blocks: int) -> Change:
    wanted = math.ceil(used_blocks * 100 / SIZED_FOR_PCT)
    megabytes = math.ceil(wanted * PAGE_BYTES / 1e6)
    return Change(
        action=f"Define {figure(megabytes)} MB of MQM: {used_blocks} blocks are then at most "
        f"{SIZED_FOR_PCT} % of it.",
        amount=TypedAmount.of(TypedKind.mqm_mb, megabytes),
        side_effects="memory of that size; takes effect at IPL.",
    )


@rule("TPF-SWEEP-LEVEL", "MQM in use", LEVEL, _traits("in_use_blocks", amounts=(TypedKind.mqm_mb,)))
def tpf_sweep_level(inputs: InUseInputs) -> Reaching:
    """Reaching MQMSWPL (80 % by default) starts the sweeper."""
    return _judged(inputs.in_use_blocks, inputs, "in use")


class HighWaterInputs(Inputs):
    """Most blocks in use since the last IPL."""

    high_water_blocks: Annotated[NonNegativeInt, FromEstate("mqm_high_water_blocks", DISPLAY)]
    blocks: Blocks
    level_pct: Level = SWEEP_LEVEL_PCT


@rule(
    "TPF-HWM",
    "High water of MQM",
    UNDERSIZED,
    _traits("high_water_blocks", superseded_by="TPF-SWEEP-LEVEL", amounts=(TypedKind.mqm_mb,)),
)
def tpf_hwm(inputs: HighWaterInputs) -> Reaching:
    """At MQMSWPL the sweeper has run at least once; about 10 % would be oversized."""
    return _judged(inputs.high_water_blocks, inputs, "high water")


class SweepInputs(Inputs):
    """Sweeps of 64-bit queues in a day."""

    sweeps: Annotated[NonNegativeFloat, FromEstate("sweeps_per_day", "MQSC0801I of a day")]


@rule("TPF-SWEEP-FREQ", "Sweeps of a day", UNDERSIZED, _traits("sweeps", superseded_by="TPF-HWM"))
def tpf_sweep_freq(inputs: SweepInputs) -> Reaching:
    """Hundreds a day (100, ours) mean too little MQM; 31-bit queues do not count."""
    return with_advice(
        Reaching(
            observed=inputs.sweeps,
            limit=SWEEPS_MAX,
            unit="sweeps/day",
            arithmetic=(f"limit = {SWEEPS_MAX} sweeps a day (ours, for hundreds)",),
            states_limit=True,
            advice="Nothing to change: the sweeper seldom runs.",
        ),
        "Define more MQM (TPF-HWM says how much).",
    )
