"""IMS bridge, from figures of the IMS monitor: site figures, else those that the estate gives."""

import math
from functools import partial
from typing import Annotated, Final

from pydantic import Field

from mqcap.domain.finding import Change, Severity
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import Amount, Count, Percent, Positive, PositiveCount
from sizing.rulebook.assessment import Assessment, Inputs, Reaching, first_step
from sizing.rulebook.entry import Figures, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import form_of, rule
from sizing.sources import mp16
from sizing.trend import EVENT

OCCUPANCY_MAX_PCT: Final = 95
"""Ours: MP16 says near 100 %, and that 72 % is no constraint."""
QBUF_MIN: Final = 200
"""Value to which IMS raises a smaller figure (documentation of IMS 15, QBUF=)."""
QBUF_MAX: Final = 9_999
"""Four digits at most (documentation of IMS 15, QBUF=)."""
BRIDGE_QUEUES: Final = "SMF 115 subtype 216 of the queues in ims_bridge_queues (STATQ)"
SITE: Final = "a file of site figures"
UNSTATED: Final = "the monitor counts waits, not how many buffers would have ended them"


_bridge_rule: Final = partial(
    rule, resource=ResourceKind.ims_bridge, breach_severity=Severity.watch
)

CHECKPOINT_MIN: Final = (10, 20)


@_bridge_rule(
    "IMS-MPR",
    "Message processing regions",
    mp16("When do I need more message processing regions?"),
    watches="busiest_pct",
    applies=only_with("busiest_pct"),
    amounts=(TypedKind.ims_regions,),
)
def ims_mpr(
    busiest_pct: Annotated[
        float,
        Field(ge=0, le=100),
        FromMetric("ims_region_occupancy_pct", record=SITE),
        FromEstate("ims_region_occupancy_pct", "the IMS monitor"),
    ],
    regions: Annotated[PositiveCount | None, FromEstate("ims_regions")] = None,
) -> Reaching:
    """Occupied nearly all the time (95 %, ours): add a region."""

    def changes() -> Change | None:
        if regions is None:
            return None
        occupied = busiest_pct * regions
        wanted = math.floor(occupied / OCCUPANCY_MAX_PCT) + 1
        return Change(
            action=f"Run {wanted} regions instead of {regions}: "
            f"{figure(busiest_pct)} % x {regions} / {wanted} = "
            f"{figure(occupied / wanted)} % each, if the work stays the same.",
            amount=TypedAmount.of(TypedKind.ims_regions, wanted),
            side_effects="storage and processor time of the LPAR for each region.",
        )

    return Reaching(
        observed=busiest_pct,
        limit=OCCUPANCY_MAX_PCT,
        unit="%",
        arithmetic=f"limit = {OCCUPANCY_MAX_PCT} % (ours, for near 100 %)",
        advice="Nothing to change: the regions wait for work.",
    ).past_limit("Add a message processing region while the LPAR has processor time left.", changes)


@_bridge_rule(
    "IMS-TPIPE",
    "Bridge queues",
    mp16("When do I need more TPIPEs?"),
    watches="request_high_depth",
    undated="requests that wait count while regions are idle, which no record shows daily",
    applies=only_with("request_high_depth", "idle_regions"),
    graded=False,
)
def ims_tpipe(
    request_high_depth: Annotated[
        Count,
        FromMetric("bridge_queue_depth_count", record=BRIDGE_QUEUES),
        FromEstate("ims_request_high_depth", "HIQDEPTH of RESET QSTATS"),
    ],
    idle_regions: Annotated[
        Count, FromEstate("ims_idle_regions", "the IMS monitor: regions that wait")
    ],
) -> Assessment:
    """Requests wait while regions are idle: the bridge queue's task is the limit."""
    waiting = request_high_depth if idle_regions else 0
    return Assessment(
        observed=waiting,
        limit=0,
        unit="requests",
        arithmetic=f"{request_high_depth} waiting at most, {idle_regions} regions idle",
        advice="Nothing to change: requests wait for regions only.",
    ).past_limit("Add a bridge queue (TPIPE), or a queue manager, unless the LPAR is full.")


class ImsBufferInputs(Inputs):
    """Waits for a queue buffer, and what is defined."""

    waits: Annotated[
        Amount,
        FromMetric("ims_buffer_wait_count", record=SITE),
        FromEstate("ims_buffer_waits", "the IMS monitor"),
    ]
    qbuf: Annotated[PositiveCount | None, FromEstate("ims_qbuf")] = None
    regions: Annotated[PositiveCount | None, FromEstate("ims_regions")] = None


@_bridge_rule(
    "IMS-BUFFERS",
    "IMS queue buffers",
    mp16("Tuning the IMS subsystem"),
    watches="waits",
    undated=EVENT,
    applies=only_with("waits"),
    graded=False,
    first_step=UNSTATED,
    amounts=(TypedKind.ims_buffers,),
)
def ims_buffers(inputs: ImsBufferInputs) -> Assessment:
    """Any wait for a buffer is a breach; as many buffers as regions at least."""
    return Assessment(
        observed=inputs.waits,
        limit=0,
        unit="waits",
        arithmetic="limit = 0 waits for a buffer",
        advice="Nothing to change: no task waited for a buffer.",
    ).past_limit(
        "Define more queue buffers (QBUF) until no task waits, at least one a region."
        if inputs.qbuf is None or inputs.qbuf < QBUF_MAX
        else "QBUF is at its maximum: spread the work over another IMS subsystem.",
        lambda: _twice_as_many(inputs),
    )


def _twice_as_many(inputs: ImsBufferInputs) -> Change | None:
    if inputs.qbuf is None or inputs.qbuf >= QBUF_MAX:
        return None
    wanted = min(max(2 * inputs.qbuf, inputs.regions or 1, QBUF_MIN), QBUF_MAX)
    return first_step(
        f"Define {figure(wanted)} buffers, twice as many (ours) and one a region at least; "
        "then look again.",
        TypedAmount.of(TypedKind.ims_buffers, wanted),
        "31-bit storage of the IMS control region for each buffer.",
        UNSTATED,
    )


@form_of("IMS-MPR")
def regions(occupancy_pct: Percent) -> Figures:
    """Add a region when the busiest are occupied nearly all the time."""
    return {"add_mpr": occupancy_pct >= OCCUPANCY_MAX_PCT}


@form_of("IMS-TPIPE")
def tpipe_gain(from_per_s: Positive, to_per_s: Amount) -> Figures:
    """Return the gain from another bridge queue, per cent."""
    return {"increase_pct": 100 * (to_per_s - from_per_s) / from_per_s}


@form_of("IMS-TPIPE")
def tpipe_needed(regions_idle: bool, lpar_full: bool, request_hiqdepth: Count) -> Figures:
    """Idle regions, a free LPAR, and requests that wait all the same: add a bridge queue."""
    return {"add_tpipe": regions_idle and not lpar_full and request_hiqdepth > 0}


@form_of("IMS-CKPT")
def checkpoint_gap(minutes_between: Positive) -> Figures:
    """Compare with one checkpoint in 10 to 20 minutes: more often than every 10 is a breach."""
    low, high = CHECKPOINT_MIN
    return {"warn": minutes_between < high, "breach": minutes_between < low}


@form_of("IMS-BUFFERS")
def queue_buffers(waits_for_buffer: Count, qbuf: PositiveCount, regions: PositiveCount) -> Figures:
    """Any wait is a breach; as many buffers as regions at least."""
    return {"breach": waits_for_buffer > 0, "qbuf": max(qbuf, regions)}
