"""Buffers of a buffer pool, and the size of a page set.

Buffers go up to twenty times those of today (ours): the pages in use stay the same, so a larger
pool has more of them free (BP-FREE-15, BP-SYNC-5). A page set has cylinders of 3390, at most 64 GB
(PS-SIZE-MAX).
"""

from math import ceil
from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import CYLINDER_3390_BYTES, MIB_BYTES, PAGE_BYTES
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import Number, operand, register, round_values, to_least_used

BUFFERS_MIN: Final = SETTINGS["buffers"].lowest
BUFFERS_MAX: Final = SETTINGS["buffers"].highest
"""Most buffers with LOCATION(ABOVE) (DEFINE BUFFPOOL)."""
_MOST_RATIO: Final = 20


def _pool_values(_: PlanContext, today: Number) -> list[int]:
    """Return sizes from the least that MQ takes on: a record may state less."""
    most = min(max(today * _MOST_RATIO, BUFFERS_MIN), BUFFERS_MAX)
    return sorted({max(value, BUFFERS_MIN) for value in round_values(today, most)})


BUFFER_POOL: Final = register(
    operand(
        "buffers",
        values=_pool_values,
        cost=lambda _, before, after: {
            "real_storage_mib": round((after - before) * PAGE_BYTES / MIB_BYTES, 2)
        },
    ),
    alternatives=to_least_used(
        SubjectKind.buffer_pool,
        "buffer_pool_used_pct",
        "Move its busiest page sets to {name}, of which at most {used} % are in use: what one "
        "of them takes of a pool is in no record.",
        "page sets to {name}",
        "DEFINE PSID BUFFPOOL counts at the next start",
    ),
)


PAGES_PER_CYLINDER: Final = CYLINDER_3390_BYTES // PAGE_BYTES
PAGES_MAX: Final = SETTINGS["pages"].highest
"""A page set of 64 GB in DISPLAY USAGE."""


def _pages(_: PlanContext, today: Number) -> list[int]:
    first, last = today / PAGES_PER_CYLINDER, PAGES_MAX // PAGES_PER_CYLINDER
    return [cylinders * PAGES_PER_CYLINDER for cylinders in round_values(first, last)]


def _cylinders(pages: Number) -> int:
    return ceil(pages / PAGES_PER_CYLINDER)


PAGE_SET: Final = register(
    operand(
        "pages",
        today=lambda context: (
            None if (pages := context.whole_of("used_pages")) is None else round(pages)
        ),
        values=_pages,
        cost=lambda _, before, after: {
            "cylinders": (more := _cylinders(after) - _cylinders(before)),
            "dasd_mib": round(more * CYLINDER_3390_BYTES / MIB_BYTES),
        },
        text=lambda _, before, after: (
            f"Give the page set {figure(_cylinders(after))} cylinders "
            f"({figure(after)} pages) instead of {figure(before)} pages."
        ),
        typed=lambda pages: TypedAmount.of(TypedKind.cylinders, _cylinders(pages)).text,
        side_effects="a larger data set takes a restart of the queue manager (COPYPAGE); "
        "EXPAND grows the present one without",
    ),
    kind=ResourceKind.page_set,
    needs=("the pages of the page set (SMF 115 subtype 201)",),
    ways_out="spread its queues over more page sets, or find what keeps messages on them",
)
