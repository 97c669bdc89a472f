"""Buffers of a buffer pool: ALTER BUFFPOOL, up to twenty times today's (ours).

The pages in use stay the same, so a larger pool has more of them free (BP-FREE-15, BP-SYNC-5).
"""

from __future__ import annotations

from typing import Final

from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount, round_values
from sizing.operands import highest, lowest

BUFFERS_MIN: Final = lowest(SubjectKind.buffer_pool, "buffers")
BUFFERS_MAX: Final = highest(SubjectKind.buffer_pool, "buffers")
"""Most buffers with LOCATION(ABOVE) (DEFINE BUFFPOOL)."""
_MOST_RATIO: Final = 20
_USED: Final = "buffer_pool_used_pct"


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    mib = round((after - before) * PAGE_BYTES / MIB_BYTES, 2)
    return PlanCost(real_storage_mib=mib, work_hours=context.facts.settings.plan.change_hours)


def _values(_: PlanContext, today: Number) -> list[int]:
    """Return sizes from the least that MQ takes on: a record may state less."""
    most = min(max(today * _MOST_RATIO, BUFFERS_MIN), BUFFERS_MAX)
    return sorted({max(value, BUFFERS_MIN) for value in round_values(today, most)})


def _other_pools(context: PlanContext) -> tuple[str, ...]:
    """Return the move of page sets to the least used pool; none where no other is measured."""
    own, observed = context.resource.path, context.facts.observed
    used = {
        pool: max(day.peak for day in days)
        for pool in observed.subjects(SubjectKind.buffer_pool) - {own}
        if (days := observed.days(_USED, pool))
    }
    if not used:
        return ()
    least = min(used, key=lambda pool: (used[pool], pool))
    name = least.rpartition(SERIES_SEPARATOR)[2]
    words = (
        f"Move its busiest page sets to {name}, of which at most {figure(used[least])} % are in "
        "use (DEFINE PSID BUFFPOOL, at the next start); what one of them takes of a pool is in "
        "no record."
    )
    return (words,)


BUFFER_POOL: Final = register(
    SingleSetting(
        kind=ResourceKind.buffer_pool,
        key="buffers",
        today=lambda context: context.whole_input_of("buffers"),
        needs=("the buffers of the pool (SMF 115 subtype 215)",),
        values=_values,
        cost=_cost,
        text=lambda _, before, after: (
            f"Give the pool {figure(after)} buffers instead of {figure(before)}."
        ),
        typed=amount(TypedKind.buffers),
        ways_out="move its busiest page sets to another pool, or find what keeps messages on "
        "their queues",
        alternatives=_other_pools,
        side_effects="the real storage must be there; the same figure in CSQINP1",
    ).settable()
)
