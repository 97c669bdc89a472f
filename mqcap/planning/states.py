"""States of one resource, each applied and judged once however often a search asks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.judging.bound_dates import Standard
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, RuleOfSubject, State
from mqcap.planning.evaluation import facts_with, fails_on_bound, fails_proof
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable
from mqcap.settings.plan import PlanCostWeights

Standards = Mapping[RuleOfSubject, Standard]
"""The rules that a state has to keep, and how well."""
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
        self._proofs: dict[_Key, bool] = {}
        self._bounds: dict[_Key, bool] = {}

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

    def keeps(self, state: State, standards: Standards, until: date | None = None) -> bool:
        """Return whether a state keeps rules until the horizon, or until an earlier day.

        All are held against the bound first, which is cheaper than the dates of crossings.
        """
        horizon = until or self.context.horizon_date
        return not any(
            self.fails_bound(pair, state, standard, horizon) for pair, standard in standards.items()
        ) and not any(self.fails_proof(pair, state, horizon) for pair in standards)

    def fails_bound(
        self, pair: RuleOfSubject, state: State, standard: Standard, until: date | None = None
    ) -> bool:
        """Return whether a rule fails a standard on the bound of a day up to the horizon."""
        horizon = until or self.context.horizon_date
        key = (pair.rule.id, pair.subject, standard, horizon, *state.items())
        if key not in self._bounds:
            context = self.context._replace(horizon_date=horizon)
            self._bounds[key] = fails_on_bound(context, pair, self.facts(state), standard)
        return self._bounds[key]

    def fails_proof(self, pair: RuleOfSubject, state: State, until: date | None = None) -> bool:
        """Return whether what-if finds the rule wrong, or passed before the horizon."""
        horizon = until or self.context.horizon_date
        key = (pair.rule.id, pair.subject, horizon, *state.items())
        if key not in self._proofs:
            context = self.context._replace(horizon_date=horizon)
            self._proofs[key] = fails_proof(context, pair, self.facts(state))
        return self._proofs[key]


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
