"""States of one resource, each applied and judged once however often a search asks."""

from collections.abc import Iterable
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import Grids, PlanContext, RuleOfSubject, State
from mqcap.planning.evaluation import breaks, facts_with
from mqcap.planning.settable import Settable
from mqcap.settings.analysis import PlanPrices, PlanSettings

_Key = tuple[object, ...]


class States:
    """The states of one resource: their facts, their cost and what they keep."""

    def __init__(self, context: PlanContext, settable: Settable, today: State) -> None:
        self.context: Final = context
        self.settable: Final = settable
        self.today: Final = today
        every = settable.grids(context, today)
        unsearched = context.fixed | settable.supposed
        self.grids: Final[Grids] = {
            name: values[:1] if name in unsearched else values for name, values in every.items()
        }
        self.supposed: Final[Grids] = {
            name: every[name] for name in settable.supposed - context.fixed if name in every
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
            parts = [part for each in self.changes(state) for part in each.scenario_parts]
            self._facts[key] = facts_with(self.context, parts)
        return self._facts[key]

    def cost(self, state: State) -> PlanCost:
        """Return the weighted cost of a state against today's."""
        key = tuple(state.items())
        if key not in self._costs:
            cost = self.settable.cost(self.context, self.today, state)
            self._costs[key] = weighted(cost, self.context.facts.settings.plan)
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


_WEIGHTED: Final = MappingProxyType(
    {
        "cylinder": "cylinders",
        "real_storage_mib": "real_storage_mib",
        "cf_storage_mib": "cf_storage_mib",
        "engine": "engines",
        "chinit_restart": "chinit_restarts",
        "queue_manager_restart": "queue_manager_restarts",
        "ipl": "ipls",
        "file_system_mib": "file_system_mib",
        "work_hour": "work_hours",
    }
)
"""Part of a cost by the name of its weight, and of its price."""


def weighted(cost: PlanCost, plan: PlanSettings) -> PlanCost:
    """Return the cost with its sum by the weights of the site, and in money by its prices.

    DASD counts by its cylinders; storage that MEMLIMIT allows counts as the real storage that backs
    it once it is used. Restarts and IPLs have no price.
    """
    total = sum(getattr(cost, part) * getattr(plan.cost, name) for name, part in _WEIGHTED.items())
    total += cost.above_bar_mib * plan.cost.real_storage_mib
    update: dict[str, Any] = {"weighted": round(total, 2)}
    if plan.prices.currency:
        parts = {name: part for name in PlanPrices.model_fields if (part := _WEIGHTED.get(name))}
        used = {name: amount for name, part in parts.items() if (amount := getattr(cost, part))}
        prices = {name: getattr(plan.prices, name) for name in used}
        update["currency"] = plan.prices.currency
        if not cost.unsized and None not in prices.values():
            update["money"] = round(sum(used[name] * prices[name] for name in used), 2)
    return cost.model_copy(update=update)
