"""Archive logs that the BSDS lists: MAXARCH, up to 1,000 (LOG-MAXARCH)."""

from __future__ import annotations

from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount, round_values
from sizing.operands import highest

MAXARCH_MAX: Final = highest(SubjectKind.queue_manager, "maxarch")


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    del before, after
    return PlanCost(work_hours=context.facts.settings.plan.change_hours)


ARCHIVE: Final = register(
    SingleSetting(
        kind=ResourceKind.archive,
        key="maxarch",
        today=lambda context: context.whole_input_of("maxarch"),
        needs=("maxarch of the queue manager in the estate (DISPLAY LOG)",),
        values=lambda _, today: round_values(today, MAXARCH_MAX),
        cost=_cost,
        text=lambda _, before, after: (
            f"Keep {figure(after)} archive logs in the BSDS instead of {figure(before)}."
        ),
        typed=amount(TypedKind.maxarch),
        ways_out="larger active logs, which give fewer archive logs, or backups more often",
        side_effects="counts from the next offload on; the same figure in CSQ6LOGP",
    ).settable()
)
