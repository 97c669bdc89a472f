"""File systems of a distributed queue manager: of the log, and of queues and other data.

Their sizes are not in every input, so a plan states the new one in per cent of that of today. That
of the log counts the log files that its own plan adds.
"""

from __future__ import annotations

from math import ceil
from typing import Final

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.log_room import SIZES_PCT, TODAY_PCT
from mqcap.planning.settable import Settable, counted_text, register
from mqcap.planning.single_setting import Number, SingleSetting, amount
from mqcap.whatif.distributed import FILE_SYSTEMS, LOG_FILE_SYSTEM, log_room


def _file_system(kind: ResourceKind, key: str, name: str, holds: str, ways_out: str) -> Settable:
    def cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
        subject, hours = context.resource.owner_subject, context.facts.settings.plan.change_hours
        size_mib = _size_mib(context, key)
        if size_mib is None:
            more = f"+{figure(after - before)} % of the {name} file system of "
            manager = unescaped(subject.rpartition(SERIES_SEPARATOR)[2])
            return PlanCost(work_hours=hours, unsized=(f"{more}{manager}",))
        more_mib = ceil(size_mib * (after - before) / TODAY_PCT)
        return PlanCost(work_hours=hours, file_system_mib=more_mib)

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
            cost=cost,
            counts_on=frozenset(
                {ResourceKind.mq_log} if kind is ResourceKind.mq_log_file_system else ()
            ),
            text=lambda context, _, after: (
                f"Make the file system that holds {holds} {figure(after / TODAY_PCT)} times as "
                f"large as it is{_size_text(context, key, after)}{counted_text(context)}."
            ),
            typed=amount(TypedKind.file_system_pct),
            ways_out=ways_out,
            side_effects="what else the file system holds is not in the inputs",
        ).settable()
    )


def _size_text(context: PlanContext, key: str, after: Number) -> str:
    """Return both sizes in brackets, where today's is known."""
    size_mib = _size_mib(context, key)
    if size_mib is None:
        return ""
    return f" ({figure(size_mib * after / TODAY_PCT)} MiB instead of {figure(size_mib)})"


def _size_mib(context: PlanContext, key: str) -> float | None:
    """Return the size of today; ``None`` where it is in no input, as that of data always is."""
    if key != LOG_FILE_SYSTEM:
        return None
    return log_room(context.facts, context.resource.owner_subject).size_mib


LOG_FILE_SYSTEM_SIZE: Final = _file_system(
    ResourceKind.mq_log_file_system,
    LOG_FILE_SYSTEM,
    "log",
    "the log",
    "delete or archive extents that are not needed any more, and record media images more often",
)
DATA_FILE_SYSTEM: Final = _file_system(
    ResourceKind.mq_data_file_system,
    "data_file_system_size_pct",
    "data",
    "queues and other data",
    "empty the queues that fill it, or move queues to another queue manager",
)
