"""Size of a page set, in cylinders of 3390: at most 64 GB (PS-SIZE-MAX)."""

from __future__ import annotations

from math import ceil
from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import CYLINDER_3390_BYTES, MIB_BYTES, PAGE_BYTES
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, round_values
from sizing.operands import highest

PAGES_PER_CYLINDER: Final = CYLINDER_3390_BYTES // PAGE_BYTES
PAGES_MAX: Final = highest(SubjectKind.page_set, "pages")
"""A page set of 64 GB in DISPLAY USAGE."""


def _today(context: PlanContext) -> int | None:
    used, share = context.input_of("used_pages"), context.input_of("used_pct")
    return None if used is None or not share else round(100 * used / share)


def _values(context: PlanContext, today: Number) -> list[Number]:
    del context
    first, last = today / PAGES_PER_CYLINDER, PAGES_MAX // PAGES_PER_CYLINDER
    return [cylinders * PAGES_PER_CYLINDER for cylinders in round_values(first, last)]


def _cylinders(pages: Number) -> int:
    return ceil(pages / PAGES_PER_CYLINDER)


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    cylinders = _cylinders(after) - _cylinders(before)
    return PlanCost(
        cylinders=cylinders,
        dasd_mib=round(cylinders * CYLINDER_3390_BYTES / MIB_BYTES),
        work_hours=context.facts.settings.plan.change_hours,
    )


PAGE_SET: Final = register(
    SingleSetting(
        kind=ResourceKind.page_set,
        key="pages",
        today=_today,
        needs=("the pages of the page set (SMF 115 subtype 201)",),
        values=_values,
        cost=_cost,
        text=lambda _, before, after: (
            f"Give the page set {figure(_cylinders(after))} cylinders "
            f"({figure(after)} pages) instead of {figure(before)} pages."
        ),
        typed=lambda pages: TypedAmount.of(TypedKind.cylinders, _cylinders(pages)),
        ways_out="spread its queues over more page sets, or find what keeps messages on them",
        side_effects="a larger data set takes a restart of the queue manager (COPYPAGE); EXPAND "
        "grows the present one without",
    ).settable()
)
