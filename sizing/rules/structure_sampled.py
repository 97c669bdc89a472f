"""Use of an application structure as a monitor samples it, where SMF 74.4 is not collected."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import UsedPercent
from sizing.rulebook.assessment import Assessment, Inputs, with_advice
from sizing.rulebook.entry import RuleTraits, only_with
from sizing.rulebook.input_sources import FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16

FULLTHRESHOLD_PCT: Final = 80
RECORD: Final = "OMEGAMON Data Provider, qsg_cfstr"
_SOURCE: Final = mp16("Use of system initiated alter processing")
_TRAITS: Final = RuleTraits(
    subject_kind=SubjectKind.group_structure,
    resource=ResourceKind.structure,
    watches="used_pct",
    applies=only_with("used_pct"),
)


class SampledEntryInputs(Inputs):
    """Most entries of a sample in the window."""

    used_pct: Annotated[UsedPercent, FromMetric("odp_structure_entries_used_pct", record=RECORD)]


class SampledStorageInputs(Inputs):
    """Most storage of a sample in the window."""

    used_pct: Annotated[UsedPercent, FromMetric("odp_structure_storage_used_pct", record=RECORD)]


class SampledFull(Assessment):
    """FULLTHRESHOLD acts when it is reached."""

    strict: ClassVar[bool] = False


@rule(
    "CFS-SAMPLED-FULL",
    "Structure full, by samples: entries",
    _SOURCE,
    replace(_TRAITS, superseded_by="CFS-FULL"),
)
def cfs_sampled_full(inputs: SampledEntryInputs) -> SampledFull:
    """Entries must stay below 80 %, whoever measures."""
    return _assess(inputs, "list entries")


@rule(
    "CFS-SAMPLED-STORAGE",
    "Structure full, by samples: storage",
    _SOURCE,
    replace(_TRAITS, superseded_by="CFS-FULL-ELEMENTS"),
)
def cfs_sampled_storage(inputs: SampledStorageInputs) -> SampledFull:
    """Storage must stay below 80 %: OMEGAMON does not report elements, which the storage holds."""
    return _assess(inputs, "storage")


def _assess(inputs: SampledEntryInputs | SampledStorageInputs, what: str) -> SampledFull:
    return with_advice(
        SampledFull(
            observed=inputs.used_pct,
            limit=FULLTHRESHOLD_PCT,
            unit="%",
            arithmetic=(f"limit = {FULLTHRESHOLD_PCT} % of the structure's {what}",),
            states_limit=True,
            advice="Nothing to change: the structure has room.",
            caveats=(
                "Samples of a monitor, in whole per cent: SMF 74.4, where it has arrived, decides.",
                "OMEGAMON names the group and not the coupling facility, so a size is not advised.",
            ),
        ),
        "Enlarge the structure (SIZE up to twice INITSIZE), offload to SMDS, or spread queues over "
        "more structures; collect SMF 74.4 for a size.",
    )
