from __future__ import annotations

from mqcap.domain.plan import PlanCost
from mqcap.planning.cost import weighted
from mqcap.settings.plan import PlanCostWeights

NO_WEIGHTS = dict.fromkeys(PlanCostWeights.model_fields, 0.0)


def test_each_part_counts_with_its_own_weight() -> None:
    cost = PlanCost(
        cylinders=3, dasd_mib=2, real_storage_mib=5, cf_storage_mib=7, engines=11,
        chinit_restarts=13, queue_manager_restarts=17, work_hours=19,
    )  # fmt: skip
    parts = {
        "cylinder": 3, "real_storage_mib": 5, "cf_storage_mib": 7, "engine": 11,
        "chinit_restart": 13, "queue_manager_restart": 17, "work_hour": 19,
    }  # fmt: skip
    for name, amount in parts.items():
        weights = PlanCostWeights.model_validate({**NO_WEIGHTS, name: 2})
        assert weighted(cost, weights).weighted == 2 * amount, name
