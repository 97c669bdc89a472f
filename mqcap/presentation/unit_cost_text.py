"""Learnt unit costs as rows for people and as objects for programs."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from mqcap.domain.numbers import ABSENT, quantity
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.presentation.listing import Listing

LABELS: Final = {
    UnitCostKind.log_bytes_per_persistent_put: "Log bytes per persistent put",
    UnitCostKind.chinit_31bit_kib_per_channel: "31-bit storage per channel",
    UnitCostKind.chinit_64bit_kib_per_channel: "64-bit storage per channel",
    UnitCostKind.cf_us_per_request: "CF CPU per request",
    UnitCostKind.archive_mib_per_s: "Archive rate",
    UnitCostKind.accounting_records_per_transaction: "Accounting records per transaction",
}
USED_MEANS: Final = (
    "Used: learnt, where the sample is large and the interval narrow enough (settings, "
    "unit_costs); else the book, where MP16 has such a figure; none where nothing has a use for it."
)
_HEADINGS: Final = ("used", "subject", "cost", "learnt", "base", "sample", "MP16")


class UsedFigure(StrEnum):
    """Figure that advice and what-if use."""

    learnt = "learnt"
    book = "book"
    none = "none"


class UnitCostRow(NamedTuple):
    """A learnt cost as printed."""

    used: UsedFigure
    subject: str
    label: str
    learnt: str
    """Value with its interval."""
    base: str
    sample: str
    book: str
    notes: tuple[str, ...]
    """Why it is not used, and what the interval rests on."""


def used_figure(cost: UnitCost) -> UsedFigure:
    """Return which figure is used: learnt, that of MP16, or none of them."""
    if cost.is_used:
        return UsedFigure.learnt
    return UsedFigure.book if cost.book and not cost.shown_only else UsedFigure.none


def unit_cost_rows(costs: Sequence[UnitCost]) -> list[UnitCostRow]:
    """Return a row for each cost, in the given order."""
    return [_row(cost) for cost in costs]


def unit_cost_listing(costs: Sequence[UnitCost], title: str) -> Listing:
    """Return the costs as a table, each note once below it."""
    rows = unit_cost_rows(costs)
    refused = [
        f"{LABELS[cost.kind]}, {cost.subject}: not used, since {cost.why_not_used}."
        for cost in costs
        if not cost.is_used
    ]
    caveats = dict.fromkeys(caveat for cost in costs for caveat in cost.caveats)
    return Listing(
        title=title,
        headings=_HEADINGS,
        rows=tuple(tuple(map(str, row[:-1])) for row in rows),
        caption="\n".join([USED_MEANS, *refused, *caveats]),
        styles={UsedFigure.learnt: "green"},
        name_count=2,
    )


def unit_cost_object(cost: UnitCost) -> dict[str, Any]:
    """Return the cost with the figure that is used, for programs."""
    document = cost.model_dump(mode="json")
    return {
        "subject": document.pop("subject"),
        "cost": document.pop("kind"),
        "used": str(used_figure(cost)),
        "why_not_used": cost.why_not_used,
        **document,
    }


def _row(cost: UnitCost) -> UnitCostRow:
    return UnitCostRow(
        used=used_figure(cost),
        subject=cost.subject,
        label=LABELS[cost.kind],
        learnt=cost.interval_text,
        base=ABSENT if cost.base is None else quantity(cost.base, cost.base_unit),
        sample=cost.sample_text,
        book=cost.book.describe() if cost.book else ABSENT,
        notes=tuple(filter(None, (cost.why_not_used, *cost.caveats))),
    )
