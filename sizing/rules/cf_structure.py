"""Use of an application structure: entries or elements, whichever is exhausted first.

At 100 % puts fail with reason 2192; on the way messages are offloaded in tiers, and the
system alters the structure, which can take minutes.
"""

import math
from functools import partial
from typing import Annotated, Final

from mqcap.domain.finding import Change
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import Percent, Positive, UsedPercent
from sizing.rulebook.assessment import Reaching
from sizing.rulebook.input_sources import FromMetric
from sizing.rulebook.registry import form_of, rule
from sizing.sources import mp16

CITATION: Final = mp16("Use of system initiated alter processing")
FULLTHRESHOLD_PCT: Final = 80
FIRST_TIER_PCT: Final = 70
SCM_PCT: Final = 90
RECORD: Final = "SMF 74 subtype 4"

CAVEATS: Final = (
    "Entries and elements are forecast apart; the structure is full when either is.",
    "Offload tiers start at 70, 80 and 90 %; storage class memory is pre-staged at 90 %.",
    "Altering can take minutes, so a fast rise can reach reason 2192 first.",
    "A structure that the system may shrink (ALLOWAUTOALT) looks full by design.",
)

Size = Annotated[Positive | None, FromMetric("structure_size_mib", days=7)]


_full_rule: Final = partial(
    rule, resource=ResourceKind.structure, watches="used_pct", amounts=("structure_kib",)
)


@_full_rule("CFS-FULL", "Structure full: entries", CITATION)
def cfs_full(
    used_pct: Annotated[UsedPercent, FromMetric("structure_entries_used_pct", record=RECORD)],
    size_mib: Size = None,
) -> Reaching:
    """Entries must stay below 80 %, where FULLTHRESHOLD and the second offload tier begin."""
    return _assess(used_pct, size_mib, "entries")


@_full_rule("CFS-FULL-ELEMENTS", "Structure full: elements", CITATION)
def cfs_full_elements(
    used_pct: Annotated[UsedPercent, FromMetric("structure_elements_used_pct", record=RECORD)],
    size_mib: Size = None,
) -> Reaching:
    """Elements must stay below 80 %; the second half of CFS-FULL."""
    return _assess(used_pct, size_mib, "elements")


@form_of("CFS-FULL")
def fuller_of_both(
    entries_used_pct: Percent, elements_used_pct: Percent
) -> dict[str, float | str | bool]:
    """Return which of the two is exhausted first, and the levels that it has reached."""
    used = max(entries_used_pct, elements_used_pct)
    first = "elements" if elements_used_pct >= entries_used_pct else "entries"
    return {
        "used_pct": used,
        "exhausts_first": first,
        "breach": used >= FULLTHRESHOLD_PCT,
        "offload_tier_1": used >= FIRST_TIER_PCT,
        "scm_prestaging": used >= SCM_PCT,
    }


def _assess(used_pct: float, size_mib: float | None, what: str) -> Reaching:
    return Reaching(
        observed=used_pct,
        limit=FULLTHRESHOLD_PCT,
        unit="%",
        summary=f"{figure(used_pct)} % of the structure's {what} are in use; "
        f"{FULLTHRESHOLD_PCT} % is the full threshold.",
        arithmetic=f"limit = {FULLTHRESHOLD_PCT} % of the structure's {what}",
        advice="Nothing to change: the structure has room.",
        caveats=CAVEATS,
    ).past_limit(
        "Enlarge the structure (SIZE up to twice INITSIZE), offload to SMDS, add storage "
        "class memory, or spread queues over more structures.",
        lambda: _changes(used_pct, size_mib),
        also_near=False,
    )


def _changes(used_pct: float, size_mib: float | None) -> Change | None:
    """A size that brings the use back below the first offload tier."""
    if size_mib is None:
        return None
    wanted_mib = math.floor(used_pct * size_mib / FIRST_TIER_PCT) + 1
    size, wanted = figure(size_mib), figure(wanted_mib)
    return Change(
        action=f"Enlarge the structure from {size} to {wanted} MiB ({figure(used_pct)} % x {size} "
        f"MiB / {FIRST_TIER_PCT} %, the first offload tier): raise SIZE in the CFRM policy to that "
        "or more, and alter it.",
        amount=TypedAmount.of("structure_kib", wanted_mib * 1_024),
        side_effects=f"{figure(math.ceil(wanted_mib - size_mib))} MiB of CF storage, "
        "in both CFs when duplexed; INITSIZE should be at least half of SIZE.",
    )
