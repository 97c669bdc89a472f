"""Weighted cost of a plan, by the weights of the site."""

from __future__ import annotations

from mqcap.domain.plan import PlanCost
from mqcap.settings.plan import PlanCostWeights


def weighted(cost: PlanCost, weights: PlanCostWeights) -> PlanCost:
    """Return the cost with its weighted sum; DASD counts by its cylinders."""
    total = (
        cost.cylinders * weights.cylinder
        + cost.real_storage_mib * weights.real_storage_mib
        + cost.cf_storage_mib * weights.cf_storage_mib
        + cost.engines * weights.engine
        + cost.chinit_restarts * weights.chinit_restart
        + cost.queue_manager_restarts * weights.queue_manager_restart
        + cost.work_hours * weights.work_hour
    )
    return cost.model_copy(update={"weighted": round(total, 2)})
