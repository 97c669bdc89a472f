"""Use of a page set. When it cannot expand any further, puts fail with reason 2192."""

import math
from typing import Annotated, Final

from mqcap.domain.finding import Change
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import CYLINDER_3390_BYTES, GIB_BYTES, PAGE_BYTES, Amount, UsedPercent
from sizing.rulebook.assessment import Assessment, Inputs
from sizing.rulebook.input_sources import FromMetric, ScalesWith
from sizing.rulebook.registry import rule
from sizing.sources import mp16

EXPANSION_PCT: Final = 90
PAGES_PER_CYLINDER: Final = CYLINDER_3390_BYTES // PAGE_BYTES
PAGE_SET_MAX_CYLINDERS: Final = 64 * GIB_BYTES // CYLINDER_3390_BYTES  # PS-MAX-SIZE


class PageSetInputs(Inputs):
    """Fullest state in the window; the page count sizes the advice."""

    used_pct: Annotated[UsedPercent, FromMetric("page_set_used_pct", record="SMF 115 subtype 201")]
    used_pages: Annotated[
        Amount | None, FromMetric("page_set_used_pages"), ScalesWith("used_pct")
    ] = None


class PageSetUse(Assessment):
    """Used against the level at which the page set starts to expand."""

    expansion_starts: bool


@rule(
    "PS-EXPAND-90",
    "Page set full",
    mp16("Size of page sets"),
    ResourceKind.page_set,
    watches="used_pct",
    amounts=(TypedKind.cylinders,),
)
def ps_expand_90(inputs: PageSetInputs) -> PageSetUse:
    """Expansion starts when 90 % is passed; exactly 90 is still inside."""
    return PageSetUse(
        observed=inputs.used_pct,
        limit=EXPANSION_PCT,
        unit="%",
        summary=f"{figure(inputs.used_pct)} % of the pages of the page set are in use; it expands "
        f"above {EXPANSION_PCT} %.",
        expansion_starts=inputs.used_pct > EXPANSION_PCT,
        arithmetic=f"limit = {EXPANSION_PCT} % of all pages of the page set",
        advice="Nothing to change: the page set has room.",
        caveats=(
            "Each put is slowed by some milliseconds while the page set expands.",
            "Size for an outage of the consumer: put rate x outage x pages per message.",
            "Page set 0 must never fill.",
        ),
    ).past_limit(
        "The page set is near its maximum of 64 GB: drain the queues and spread them over more "
        "page sets."
        if inputs.used_pages is not None and _wanted_cylinders(inputs) is None
        else "Allocate the page set at its largest size from the start, with a secondary extent; "
        "drain queues whose consumer is away.",
        lambda: _larger(inputs),
        also_near=False,
    )


@rule(
    "PS-DEPTH-FORECAST",
    "Page set in use",
    mp16("Size of page sets for a given number of messages"),
    ResourceKind.page_set,
    watches="used_pct",
    superseded_by="PS-EXPAND-90",
    amounts=(TypedKind.cylinders,),
)
def ps_depth_forecast(inputs: PageSetInputs) -> Assessment:
    """Up to 90 % in use; above it the page set expands, and where it cannot, puts end with 2192."""
    return Assessment(
        observed=inputs.used_pct,
        limit=EXPANSION_PCT,
        unit="%",
        of="the pages",
        arithmetic=f"limit = {EXPANSION_PCT} % of all pages; used = total - unused",
        advice="Nothing to change: what is put has room.",
        caveats="Capacity must cover a stalled consumer: put rate x outage x pages each.",
    ).past_limit(
        "Drain the queues or allocate a larger page set; start the consumer that is away.",
        lambda: _larger(inputs),
    )


def _wanted_cylinders(inputs: PageSetInputs) -> int | None:
    """Cylinders of which the pages in use are 90 %; ``None`` when not known or over the maximum."""
    if inputs.used_pages is None:
        return None
    pages = math.ceil(inputs.used_pages * 100 / EXPANSION_PCT)
    cylinders = math.ceil(pages / PAGES_PER_CYLINDER)
    return cylinders if cylinders <= PAGE_SET_MAX_CYLINDERS else None


def _larger(inputs: PageSetInputs) -> Change | None:
    cylinders = _wanted_cylinders(inputs)
    if cylinders is None:
        return None
    return Change(
        action=f"Allocate {figure(cylinders * PAGES_PER_CYLINDER)} pages "
        f"({figure(cylinders)} cylinders of 3390, {PAGES_PER_CYLINDER} pages each) or more: "
        f"the pages in use are then at most {EXPANSION_PCT} %.",
        amount=TypedAmount.of(TypedKind.cylinders, cylinders),
        side_effects="DASD of that size; backup and restart read more pages.",
    )
