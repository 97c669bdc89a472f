"""Log files of a distributed queue manager: LogPrimaryFiles, so that both limits rise.

Secondary files help only against the end of the log, at the same cost, so a plan leaves their
number as it is. The size of a file is fixed when the queue manager is created.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount, measured_count
from mqcap.whatif.distributed import FILE_PAGES, LOG_COUNTS, LOG_FILES_MAX, PRIMARY, SECONDARY
from sizing.operands import highest

PRIMARY_FILES_MAX: Final = highest(SubjectKind.distributed_queue_manager, PRIMARY)


def _today(context: PlanContext) -> int | None:
    """Return the primary files; ``None`` where the secondary files are not known either."""
    secondary = measured_count(context, LOG_COUNTS[SECONDARY])
    return None if secondary is None else measured_count(context, LOG_COUNTS[PRIMARY])


def _values(context: PlanContext, today: Number) -> Sequence[Number]:
    secondary = measured_count(context, LOG_COUNTS[SECONDARY]) or 0
    most = min(PRIMARY_FILES_MAX, LOG_FILES_MAX - secondary)
    return range(round(today) + 1, most + 1)


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    del before, after
    return PlanCost(queue_manager_restarts=1, work_hours=context.facts.settings.plan.change_hours)


def _text(context: PlanContext, before: Number, after: Number) -> str:
    days = context.facts.observed.days(FILE_PAGES, context.resource.owner_subject)
    pages = (after - before) * days[-1].peak if days else 0
    more = f", {figure(pages * PAGE_BYTES / MIB_BYTES)} MiB more" if pages else ""
    return f"Have {figure(after)} primary log files instead of {figure(before)}{more}."


MQ_LOG: Final = register(
    SingleSetting(
        kind=ResourceKind.mq_log,
        key=PRIMARY,
        today=_today,
        needs=("LogPrimaryFiles and LogSecondaryFiles (qm.ini, or DISPLAY QMSTATUS)",),
        values=_values,
        cost=_cost,
        text=_text,
        typed=amount(TypedKind.log_primary_files),
        ways_out="shorten units of work, or create the queue manager again with larger log files "
        "(LogFilePages)",
        side_effects="the file system of the log must have the space",
    ).settable()
)
