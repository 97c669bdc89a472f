"""Channel initiator storage: below the bar for channels and tasks, above it for the rest.

Two independent series; a breach of either is one. Available is used + free of the same
message. When nothing is left, channels end with CSQX112E and dispatchers abend.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Final

from mqcap.domain.finding import Change, Severity
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.domain.units import Amount, MqVersion, Positive, UsedPercent
from sizing.mq_release import has_buffers_below_the_bar, newer_release, use_above_bar
from sizing.rulebook.assessment import Assessment, Inputs, Reaching
from sizing.rulebook.input_sources import (
    FromEstate,
    FromLearnt,
    FromMetric,
    FromRecords,
    ScalesWith,
)
from sizing.rulebook.registry import form_of, rule
from sizing.sources import mp16

CITATION: Final = mp16("Rule of Thumb for channel initiator storage usage")
USED_MAX_PCT: Final = 80
SCAVENGER_PCT: Final = 75
"""Advice for 31-bit storage ends below it: the scavenger rests and no finding remains a watch."""
CHANNEL_KIB: Final = 90
"""A message channel with 1 KB messages (CHI-FOOTPRINT-MCA)."""
MEMLIMIT_MIN_MIB: Final = 2_048
CONSOLE_31BIT: Final = (
    "CSQX004I of the console log, or from SMF 115 subtype 231 once chinit_31bit_limit_mib of the "
    "queue manager is set in the estate, since SMF has no free part"
)
CONSOLE_64BIT: Final = (
    "SMF 115 subtype 231 of MQ 9.3.5 and later with a MEMLIMIT, or CSQX004I of the console log"
)

CAVEATS: Final = (
    (
        "Buffers of stopped and idle channels stay counted until the scavenger runs: a sawtooth is "
        "normal, and a straight line through it overstates growth. The daily maximum is compared."
    ),
    "The scavenger acts at 75 %, before this limit; frequent CSQX068I means it does not suffice.",
    (
        "Message size drives the footprint, so another message mix moves the level without one "
        "more channel."
    ),
)
BOOK_CHANNELS: Final = (
    "Kinds of channels are not measured: where channels are moved, message channels of MP16's "
    f"{CHANNEL_KIB} KB are assumed; those of this channel initiator may take more."
)
LEARNT_CHANNELS: Final = (
    "Kinds of channels are not measured: where channels are moved, each takes the mean of this "
    "channel initiator's own channels above its base, learnt from its storage."
)
CAVEATS_31BIT: Final = (
    "Extended private storage is unlikely to exceed 1.6 GB.",
    "MAXCHL ends at 9,999 whatever the storage.",
)
CAVEAT_64BIT: Final = "With MEMLIMIT=NOLIMIT the percentage means little."


Version = Annotated[
    MqVersion | None, FromEstate("mq_version", "DISPLAY QMGR VERSION"), FromRecords("mq_version")
]


class Below(Inputs):
    """31-bit storage: the percentage decides, the MiB and the release size the advice."""

    used_pct: Annotated[UsedPercent, FromMetric("chinit_31bit_used_pct", record=CONSOLE_31BIT)]
    used_mib: Annotated[
        Amount | None, FromMetric("chinit_31bit_used_mib"), ScalesWith("used_pct")
    ] = None
    mq_version: Version = None
    channel_kib: Annotated[
        Positive | None, FromLearnt(UnitCostKind.chinit_31bit_kib_per_channel)
    ] = None


class Above(Inputs):
    """64-bit storage: the percentage decides, the MiB size the advice."""

    used_pct: Annotated[UsedPercent, FromMetric("chinit_64bit_used_pct", record=CONSOLE_64BIT)]
    used_mib: Annotated[
        Amount | None, FromMetric("chinit_64bit_used_mib"), ScalesWith("used_pct")
    ] = None
    mq_version: Version = None


@rule(
    "CHI-80-31BIT",
    "Channel initiator 31-bit storage",
    CITATION,
    ResourceKind.chinit_storage_31bit,
    watches="used_pct",
    amounts=(TypedKind.channels,),
)
def chi_80_31bit(inputs: Below) -> Assessment:
    """Up to 80 % of used + free may be used; exactly 80 is allowed."""
    channels = BOOK_CHANNELS if inputs.channel_kib is None else LEARNT_CHANNELS
    return _use_of(inputs, "31-bit", channels, *CAVEATS_31BIT).past_limit(
        _advice_31bit(inputs),
        lambda: (*newer_release(inputs.mq_version), *_fewer_channels(inputs)),
        also_near=False,
    )


@rule(
    "CHI-80-64BIT",
    "Channel initiator 64-bit storage",
    CITATION,
    ResourceKind.chinit_storage_64bit,
    watches="used_pct",
    amounts=("memlimit_gib",),
)
def chi_80_64bit(inputs: Above) -> Assessment:
    """Up to 80 % of used + free may be used; exactly 80 is allowed."""
    above_bar = use_above_bar(inputs.mq_version)
    return _use_of(inputs, "above-bar (64-bit)", CAVEAT_64BIT, above_bar).past_limit(
        "Raise MEMLIMIT of the channel initiator once real and auxiliary storage are known "
        "to back it.",
        lambda: _memlimit(inputs),
        also_near=False,
    )


@form_of("CHI-80-31BIT")
@form_of("CHI-80-64BIT")
def share_of_message(used_mb: Amount, free_mb: Amount) -> Mapping[str, float | bool]:
    """Return four figures of CSQX004I, MB of 2^20; integer products make 80 % exact."""
    available = used_mb + free_mb
    return {
        "available_mb": available,
        "used_pct": 100 * used_mb / available,
        "limit_mb": USED_MAX_PCT * available / 100,
        "breach": 100 * used_mb > USED_MAX_PCT * available,
    }


class Scavenger(Reaching):
    """The channel initiator's own threshold: it acts when the value reaches it."""

    scavenger_runs: bool


@rule(
    "CHI-SCAV-75",
    "Channel initiator scavenger",
    mp16("Channel Initiator Scavenger Task"),
    ResourceKind.chinit_storage_31bit,
    watches="used_pct",
    breach_severity=Severity.watch,
    graded=False,
    superseded_by="CHI-80-31BIT",
)
def chi_scav_75(
    used_pct: Annotated[UsedPercent, FromMetric("chinit_31bit_used_pct", record=CONSOLE_31BIT)],
) -> Scavenger:
    """The scavenger runs once usage reaches or exceeds 75 %: the warning before CHI-80-31BIT."""
    runs = used_pct >= SCAVENGER_PCT
    return Scavenger(
        observed=used_pct,
        limit=SCAVENGER_PCT,
        unit="%",
        summary=f"{figure(used_pct)} % of the 31-bit storage available (used + free) is in "
        f"use; the scavenger runs from {SCAVENGER_PCT} % on.",
        scavenger_runs=runs,
        arithmetic=f"limit = {SCAVENGER_PCT} % of used + free, reached or exceeded",
        advice="Nothing to change: the scavenger has no cause to run.",
        caveats=(
            "It runs with the next CSQX004I (hourly or a change above 2 %): up to an hour later.",
            "It frees idle buffers only, except one of 4 KB and one of 36 KB per dispatcher.",
        ),
    ).past_limit(
        "Count CSQX068I: now and then is normal, frequent means that the working set does "
        "not fit; then act as for CHI-80-31BIT."
    )


def _known(inputs: Below | Above) -> tuple[float, float] | None:
    """Return MiB used, and used + free; ``None`` when either is not known."""
    if inputs.used_mib is None or not inputs.used_pct:
        return None
    return inputs.used_mib, 100 * inputs.used_mib / inputs.used_pct


def _use_of(inputs: Below | Above, storage: str, *caveats: str) -> Assessment:
    amount, lines = "", []
    if stated := _known(inputs):
        used, available = stated
        amount = f" ({figure(used)} of {figure(available)} MiB)"
        ceiling = USED_MAX_PCT * available / 100
        lines = [
            (
                f"available = 100 x {figure(used)} MiB / {figure(inputs.used_pct)} % = "
                f"{figure(available)} MiB"
            ),
            f"{USED_MAX_PCT} % x {figure(available)} MiB = {figure(ceiling)} MiB",
        ]
    return Assessment(
        observed=inputs.used_pct,
        limit=USED_MAX_PCT,
        unit="%",
        summary=f"{figure(inputs.used_pct)} % of the {storage} storage available (used + free) is "
        f"in use{amount}; the limit is {USED_MAX_PCT} %.",
        arithmetic=(f"limit = {USED_MAX_PCT} % of available, available = used + free", *lines),
        advice="Nothing to change: the storage suffices.",
        caveats=(*CAVEATS, *caveats),
    )


def _advice_31bit(inputs: Below) -> str:
    fewer = (
        "run fewer channels here: start another channel initiator, which means another queue "
        "manager; tune SHARECNV; smaller messages and fewer tasks take less."
    )
    if has_buffers_below_the_bar(inputs.mq_version):
        return (
            f"Decide on MQ 9.4 first (this is {inputs.mq_version}), which helps as far as client "
            f"channels take the storage; where that is not enough, {fewer}"
        )
    if inputs.mq_version is None:
        return f"Decide on MQ 9.4 first if this is an earlier release; else {fewer}"
    return fewer[0].upper() + fewer[1:]


def _fewer_channels(inputs: Below) -> tuple[Change, ...]:
    if inputs.used_mib is None:
        return ()
    excess = inputs.used_mib * (1 - SCAVENGER_PCT / inputs.used_pct)
    each, source = (
        (CHANNEL_KIB, "KB each with 1 KB messages")
        if inputs.channel_kib is None
        else (inputs.channel_kib, f"KiB each as learnt here (MP16: {CHANNEL_KIB} KB)")
    )
    channels = math.floor(excess * 1_024 / each) + 1
    return (
        Change(
            action=f"Move about {figure(channels)} message channels to another queue manager: "
            f"{figure(inputs.used_mib)} MiB x (1 - {SCAVENGER_PCT} / {figure(inputs.used_pct)}) = "
            f"{figure(excess)} MiB, at {figure(each)} {source}; less than "
            f"{SCAVENGER_PCT} % are then in use, where the scavenger rests.",
            amount=TypedAmount.of(TypedKind.channels, channels),
            side_effects="another channel initiator and queue manager; larger messages free more "
            "for each channel moved.",
        ),
    )


def _memlimit(inputs: Above) -> Change | None:
    stated = _known(inputs)
    if stated is None:
        return None
    gib = math.ceil(max(MEMLIMIT_MIN_MIB, stated[1]) / 1_024)
    while 100 * stated[0] / (gib * 1_024) > USED_MAX_PCT:
        gib += 1
    return Change(
        action=f"Set MEMLIMIT of the channel initiator to {gib} GiB: {figure(stated[0])} MiB "
        f"are then {figure(100 * stated[0] / (gib * 1_024))} % of it.",
        amount=TypedAmount.of("memlimit_gib", gib),
        side_effects="real and auxiliary storage must back it; takes effect at restart of the "
        "channel initiator; IEFUSI, SMFPRMxx and SMFLIMxx can override it.",
    )
