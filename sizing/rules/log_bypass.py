"""Fast writes to the volumes of the logs that non-volatile storage had no room for."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import NonNegativeFloat

from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from sizing.rulebook.assessment import Assessment, Inputs, with_advice
from sizing.rulebook.entry import RuleTraits, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16

NVS: Final = mp16(
    "Impact of I/O limitations on dual active and dual archive logs on older hardware"
)

BYPASS_MAX_PCT: Final = 1
CACHE: Final = "SMF 74 subtype 5 of the volumes in log_volumes (R745DFWB)"
REPORT: Final = (
    "100 x DFW BYPASS / I/O RATE of the RMF cache report; or set dfw_bypass_per_s and dasd_io_per_s"
)
SATURATION: Final = (
    "writes bypass the cache once its non-volatile storage is full; what has not happened has no "
    "trend to forecast"
)


class BypassInputs(Inputs):
    """Share of the I/Os to the volumes of the logs that bypass the cache."""

    bypass_pct: Annotated[
        NonNegativeFloat,
        FromMetric("log_dfw_bypass_pct", record=CACHE),
        FromEstate("dfw_bypass_pct", REPORT),
    ]


@rule(
    "LOG-DFWBP",
    "Non-volatile storage of the devices",
    NVS,
    RuleTraits(
        subject_kind=SubjectKind.queue_manager,
        resource=ResourceKind.log_writing,
        watches="bypass_pct",
        undated=SATURATION,
        applies=only_with("bypass_pct"),
    ),
)
def log_dfwbp(inputs: BypassInputs) -> Assessment:
    """At most 1 % of the I/Os may bypass the cache; exactly that is allowed."""
    return with_advice(
        Assessment(
            observed=inputs.bypass_pct,
            limit=BYPASS_MAX_PCT,
            unit="%",
            arithmetic=(f"limit = {BYPASS_MAX_PCT} % of the I/Os may bypass the cache",),
            states_limit=True,
            advice="Nothing to change: writes find room in the cache.",
        ),
        "Compress archives (zEDC), put log copy 2 and archives on other control units, enlarge "
        "the cache, or defer archiving.",
    )
