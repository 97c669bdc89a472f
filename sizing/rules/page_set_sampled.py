"""Use of a page set as a monitor samples it, where SMF has not arrived or is not collected."""

from __future__ import annotations

from typing import Annotated, Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import UsedPercent
from sizing.rulebook.assessment import Assessment, Inputs, with_advice
from sizing.rulebook.entry import RuleTraits, only_with
from sizing.rulebook.input_sources import FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16

EXPANSION_PCT: Final = 90


class SampledPageSetInputs(Inputs):
    """Fullest sample in the window."""

    used_pct: Annotated[
        UsedPercent, FromMetric("odp_page_set_used_pct", record="OMEGAMON Data Provider, qmps_lh")
    ]


@rule(
    "PS-SAMPLED-90",
    "Page set full, by samples",
    mp16("Size of page sets"),
    RuleTraits(
        subject_kind=SubjectKind.page_set,
        resource=ResourceKind.page_set,
        watches="used_pct",
        applies=only_with("used_pct"),
        superseded_by="PS-EXPAND-90",
    ),
)
def ps_sampled_90(inputs: SampledPageSetInputs) -> Assessment:
    """Expansion starts when 90 % is passed, whoever measures; exactly 90 is still inside."""
    return with_advice(
        Assessment(
            observed=inputs.used_pct,
            limit=EXPANSION_PCT,
            unit="%",
            of="the pages",
            arithmetic=(f"limit = {EXPANSION_PCT} % of all pages of the page set",),
            states_limit=True,
            advice="Nothing to change: the page set has room.",
            caveats=(
                "Samples of a monitor, in whole per cent: SMF, where it has arrived, decides.",
            ),
        ),
        "Drain the queues or allocate a larger page set; start the consumer that is away.",
    )
