"""States of one resource, and the search of the cheapest that keeps its rules.

Each state is applied and judged once however often the search asks. The last setting of a resource
only helps its rules as it rises along its grid, so it is bisected; all combinations of the others
are tried, cheapest first, unless they cost more than what is found. Of two settings that both do
so, and that cost no less as they rise, both are bisected.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, timedelta
from itertools import product
from math import inf
from types import MappingProxyType
from typing import Any, Final

from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import Grids, PlanContext, RuleOfSubject, State, is_mandatory
from mqcap.planning.evaluation import breaks, facts_with, kept
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
            parts = [part for change in self.changes(state) for part in change.scenario_parts]
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


def base_pairs(context: PlanContext) -> tuple[RuleOfSubject, ...]:
    """Return the rules whose limits a plan keeps: the mandatory ones, of a kind without any all."""
    mandatory = tuple(pair for pair in context.pairs if is_mandatory(context, pair))
    return mandatory or context.pairs


def keepable(states: States, pairs: Iterable[RuleOfSubject]) -> tuple[RuleOfSubject, ...]:
    """Return the rules whose limits the state with the most of each setting keeps."""
    most = _most(states)
    return tuple(pair for pair in pairs if not states.breaks(pair, most))


def least_state(
    states: States,
    pairs: Collection[RuleOfSubject],
    reachable: Mapping[RuleOfSubject, date],
    grids: Grids | None = None,
) -> State | None:
    """Return the cheapest state that keeps rules, and others as long as they can be kept.

    ``None`` where none of the grids does; ``grids`` are those of the resource unless given.
    """
    search = cheapest_of_rising if states.settable.rises else cheapest
    return search(
        grids or states.grids,
        lambda state: keeps_as_much(states, state, pairs, reachable),
        lambda state: states.cost(state).weighted,
    )


def keeps_as_much(
    states: States,
    state: State,
    pairs: Iterable[RuleOfSubject],
    reachable: Mapping[RuleOfSubject, date],
) -> bool:
    """Return whether a state keeps what can be kept, and the other rules as long as they can be."""
    return states.keeps(state, pairs) and all(
        states.keeps(state, [pair], until) for pair, until in reachable.items()
    )


def reachable_dates(
    states: States, pairs: Iterable[RuleOfSubject], kept_pairs: Collection[RuleOfSubject]
) -> Mapping[RuleOfSubject, date]:
    """Return the last day to which any state keeps each rule that none keeps to the end.

    The state with the most of each setting lasts longest. Rules that fail in it from the earliest
    day on are left out: no state is better than another.
    """
    context = states.context
    facts = states.facts(_most(states))
    reachable: dict[RuleOfSubject, date] = {}
    for pair in pairs:
        if pair in kept_pairs:
            continue
        fails_from = kept(context, pair, facts).fails_from
        if fails_from is not None and fails_from > context.earliest_date:
            reachable[pair] = min(fails_from - timedelta(days=1), context.horizon_date)
    return reachable


def _most(states: States) -> State:
    return {name: values[-1] for name, values in states.grids.items()}


def cheapest(
    grids: Grids, is_kept: Callable[[State], bool], cost: Callable[[State], float]
) -> State | None:
    """Return the cheapest state of the grids that keeps the rules; ``None`` when none does.

    Of states with equal costs the first of the grids is returned. Today's state, which a planned
    change may mend where a small change would replace it, is tried by itself.
    """
    today: State = {name: values[0] for name, values in grids.items()}
    if is_kept(today):
        return today
    *others, last = grids
    values = grids[last]
    best: State | None = None
    best_cost = inf
    combinations = [
        dict(zip(others, chosen, strict=True))
        for chosen in product(*(grids[name] for name in others))
    ]
    for combination in sorted(combinations, key=lambda state: cost({**state, last: values[0]})):
        affordable = (
            values
            if best is None
            else [value for value in values if cost({**combination, last: value}) < best_cost]
        )
        if not affordable or not is_kept({**combination, last: affordable[-1]}):
            continue
        index = bisect_left(
            range(len(affordable) - 1),
            True,
            key=lambda at: is_kept({**combination, last: affordable[at]}),
        )
        best = {**combination, last: affordable[index]}
        best_cost = cost(best)
    return best


def cheapest_of_rising(
    grids: Grids, is_kept: Callable[[State], bool], cost: Callable[[State], float]
) -> State | None:
    """Return what ``cheapest`` does for one or two settings that only help, and cost, as they rise.

    The cheapest state is one in which neither setting can be smaller: the values of the first rise
    from one such state to the next, those of the last fall.
    """
    today: State = {name: values[0] for name, values in grids.items()}
    if is_kept(today):
        return today
    *others, last = grids
    rows: list[State] = [{name: value} for name in others for value in grids[name]] or [{}]
    values = grids[last]

    def kept(row: int, column: int) -> bool:
        return is_kept({**rows[row], last: values[column]})

    best: State | None = None
    best_cost = inf
    row, column = 0, len(values) - 1
    while column >= 0:
        top = column
        row = bisect_left(range(len(rows)), True, lo=row, key=lambda at: kept(at, top))
        if row == len(rows) or cost({**rows[row], last: values[0]}) >= best_cost:
            break
        here = row
        column = bisect_left(range(top), True, key=lambda at: kept(here, at))
        found = {**rows[row], last: values[column]}
        if cost(found) < best_cost:
            best, best_cost = found, cost(found)
        column -= 1
    return best
