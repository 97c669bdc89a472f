"""Learnt unit costs as rows for people and as objects for programs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mqcap.domain.numbers import ABSENT, figure, quantity
from mqcap.domain.unit_cost import BOOK_RATIO_MAX, UnitCost, UnitCostKind
from mqcap.presentation.listing import Listing, listing_of

LABELS: Final = {
    UnitCostKind.log_bytes_per_persistent_put: "Log bytes per persistent put",
    UnitCostKind.chinit_31bit_kib_per_channel: "31-bit storage per channel",
    UnitCostKind.chinit_64bit_kib_per_channel: "64-bit storage per channel",
    UnitCostKind.cf_us_per_request: "CF CPU per request",
    UnitCostKind.archive_mib_per_s: "Archive rate",
    UnitCostKind.accounting_records_per_transaction: "Accounting records per transaction",
    UnitCostKind.mq_log_bytes_per_put: "Log bytes per put",
}
USED_MEANS: Final = (
    "Used: learnt, where the sample is large and the interval narrow enough (settings, "
    "unit_costs); else the book, where MP16 has such a figure; none where nothing has a use for it."
)
_FIGURES: Final = ("value", "lower", "upper", "base", "correlation")
LEARNT: Final = "learnt"


def used_figure(cost: UnitCost) -> str:
    """Return which figure is used: ``learnt``, that of MP16 (``book``), or ``none`` of them."""
    if cost.is_used:
        return LEARNT
    return "book" if cost.book and not cost.shown_only else "none"


def unit_cost_row(cost: UnitCost) -> dict[str, str]:
    """Return a learnt cost by heading; a fitted base below 0 is none."""
    base = None if cost.base is None or cost.not_measurable else max(cost.base, 0.0)
    check = f"; CHECK: learnt is {cost.far_from_book}" if cost.far_from_book else ""
    return {
        "used": used_figure(cost),
        "subject": cost.subject,
        "cost": LABELS[cost.kind],
        "learnt": cost.interval_text,
        "base": ABSENT if base is None else quantity(base, cost.base_unit),
        "sample": cost.sample_text,
        "MP16": f"{cost.book.describe()}{check}" if cost.book else ABSENT,
    }


def unit_cost_listing(costs: Sequence[UnitCost], title: str) -> Listing:
    """Return the costs as a table; below it each note once, with those whose it is."""
    caption = "\n".join([USED_MEANS, *_notes(costs)])
    return listing_of(list(map(unit_cost_row, costs)), title, caption, 2, {LEARNT: "green"})


def _notes(costs: Sequence[UnitCost]) -> Iterator[str]:
    """Yield each note with its owners: all that have a cost of the kind are not named."""
    owners: dict[tuple[UnitCostKind, str], list[str]] = {}
    kinds: dict[UnitCostKind, list[str]] = {}
    for cost in costs:
        kinds.setdefault(cost.kind, []).append(cost.subject)
        for note in notes(cost):
            owners.setdefault((cost.kind, note), []).append(cost.subject)
    for (kind, note), subjects in owners.items():
        every = subjects == kinds[kind] and len(subjects) > 1
        whose = "all of them" if every else " ".join(subjects)
        yield f"{LABELS[kind]}, {whose}: {note}"


def notes(cost: UnitCost) -> tuple[str, ...]:
    """Return why a cost is not used, whether it is to be checked, and what it rests on."""
    state = "Not measurable" if cost.not_measurable else "Not used"
    used = f"{state}: {cost.why_not_used}." if cost.why_not_used else ""
    far = cost.far_from_book
    check = f"Check: the learnt figure is {far}, beyond {figure(BOOK_RATIO_MAX)} x." if far else ""
    return tuple(filter(None, (used, check, *cost.caveats)))


def unit_cost_object(cost: UnitCost) -> dict[str, Any]:
    """Return the cost for programs; figures of what is not measurable are null."""
    document = cost.model_dump(mode="json")
    return {
        "subject": document.pop("subject"),
        "cost": document.pop("kind"),
        "used": used_figure(cost),
        "why_not_used": cost.why_not_used,
        **document,
        **(dict.fromkeys(_FIGURES) if cost.not_measurable else {}),
        "far_from_book": cost.far_from_book,
    }
