"""States of one resource, each applied and judged once however often a search asks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, RuleOfSubject, State
from mqcap.planning.evaluation import breaks, facts_with
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable
from mqcap.settings.plan import PlanCostWeights

_Key = tuple[object, ...]


class States:
    """The states of one resource: their facts, their cost and what they keep."""

    def __init__(self, context: PlanContext, settable: Settable, today: State) -> None:
        self.context: Final = context
        self.settable: Final = settable
        self.today: Final = today
        self.grids: Final[Grids] = {
            name: values[:1] if name in context.fixed else values
            for name, values in settable.grids(context, today).items()
        }
        self._facts: dict[_Key, DayFacts] = {}
        self._costs: dict[_Key, PlanCost] = {}
        self._breaks: dict[_Key, bool] = {}

    def changes(self, state: State) -> tuple[PlanChange, ...]:
        """Return the differences of a state from today's, as they are typed."""
        return self.settable.changes(self.context, self.today, state)

    def facts(self, state: State) -> DayFacts:
        """Return the facts of the resource in a state."""
        key = tuple(state.items())
        if key not in self._facts:
            parts = self.settable.parts(self.context, self.today, state)
            self._facts[key] = facts_with(self.context, parts)
        return self._facts[key]

    def cost(self, state: State) -> PlanCost:
        """Return the weighted cost of a state against today's."""
        key = tuple(state.items())
        if key not in self._costs:
            weights = self.context.facts.settings.plan.cost
            cost = self.settable.cost(self.context, self.today, state)
            self._costs[key] = weighted(cost, weights)
        return self._costs[key]

    def keeps(
        self, state: State, pairs: Iterable[RuleOfSubject], until: date | None = None
    ) -> bool:
        """Return whether a state keeps the limits of rules until the horizon, or an earlier day."""
        return not any(self.breaks(pair, state, until) for pair in pairs)

    def breaks(self, pair: RuleOfSubject, state: State, until: date | None = None) -> bool:
        """Return whether a rule is over its limit, as measured or at the bound up to a day."""
        horizon = until or self.context.horizon_date
        key = (pair.rule.id, pair.subject, horizon, *state.items())
        if key not in self._breaks:
            context = self.context._replace(horizon_date=horizon)
            self._breaks[key] = breaks(context, pair, self.facts(state))
        return self._breaks[key]


def weighted(cost: PlanCost, weights: PlanCostWeights) -> PlanCost:
    """Return the cost with its sum by the weights of the site; DASD counts by its cylinders.

    Storage that MEMLIMIT allows counts as the real storage that backs it once it is used.
    """
    total = (
        cost.cylinders * weights.cylinder
        + (cost.real_storage_mib + cost.above_bar_mib) * weights.real_storage_mib
        + cost.cf_storage_mib * weights.cf_storage_mib
        + cost.engines * weights.engine
        + cost.chinit_restarts * weights.chinit_restart
        + cost.queue_manager_restarts * weights.queue_manager_restart
        + cost.ipls * weights.ipl
        + cost.file_system_mib * weights.file_system_mib
        + cost.work_hours * weights.work_hour
    )
    return cost.model_copy(update={"weighted": round(total, 2)})
