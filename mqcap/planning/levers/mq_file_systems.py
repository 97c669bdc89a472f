"""File systems of a distributed queue manager: of the log, and of queues and other data.

Their sizes are not in every input, so a plan states the new one in per cent of that of today.
"""

from __future__ import annotations

from typing import Final

from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import Number, SingleSetting, amount
from mqcap.whatif.distributed import FILE_SYSTEMS

TODAY_PCT: Final = 100
SIZES_PCT: Final = (*range(110, 200, 10), *range(200, 1_001, 50))
"""Sizes that are looked at, up to ten times that of today (ours)."""


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    del before, after
    return PlanCost(work_hours=context.facts.settings.plan.change_hours)


def _file_system(kind: ResourceKind, key: str, holds: str, ways_out: str) -> Settable:
    def today(context: PlanContext) -> int | None:
        subject = context.resource.owner_subject
        return TODAY_PCT if context.facts.observed.days(FILE_SYSTEMS[key], subject) else None

    return register(
        SingleSetting(
            kind=kind,
            key=key,
            today=today,
            needs=(f"the use of the file system that holds {holds}",),
            values=lambda _, before: [size for size in SIZES_PCT if size > before],
            cost=_cost,
            text=lambda _, __, after: (
                f"Make the file system that holds {holds} {figure(after / TODAY_PCT)} times as "
                "large as it is."
            ),
            typed=amount(TypedKind.file_system_pct),
            ways_out=ways_out,
            side_effects="the size of the file system today is not in the inputs",
        ).settable()
    )


LOG_FILE_SYSTEM: Final = _file_system(
    ResourceKind.mq_log_file_system,
    "log_file_system_size_pct",
    "the log",
    "delete or archive extents that are not needed any more, and record media images more often",
)
DATA_FILE_SYSTEM: Final = _file_system(
    ResourceKind.mq_data_file_system,
    "data_file_system_size_pct",
    "queues and other data",
    "empty the queues that fill it, or move queues to another queue manager",
)
