"""Output buffer of the log: OUTBUFF, up to 4,000 KB."""

from __future__ import annotations

from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount
from sizing.operands import highest

OUTBUFF_MAX_KB: Final = highest(SubjectKind.queue_manager, "outbuff_kb")


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    del before, after
    return PlanCost(queue_manager_restarts=1, work_hours=context.facts.settings.plan.change_hours)


LOG_WRITING: Final = register(
    SingleSetting(
        kind=ResourceKind.log_writing,
        key="outbuff_kb",
        today=lambda context: context.whole_input_of("outbuff_kb"),
        needs=("outbuff_kb",),
        values=lambda _, today: [OUTBUFF_MAX_KB] if today < OUTBUFF_MAX_KB else [],
        cost=_cost,
        text=lambda _, before, after: f"Set OUTBUFF to {after} KB instead of {before} KB.",
        typed=amount(TypedKind.outbuff_kb),
        ways_out="faster devices for the logs, or less log",
    ).settable()
)
