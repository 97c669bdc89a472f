"""Settings of plans: horizon, confidence and the costs by which changes are compared (all ours)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

Weight = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class PlanCostWeights(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Cost of one unit of each part, relative to one 3390 cylinder (all ours)."""

    cylinder: Weight = 1.0
    real_storage_mib: Weight = 5.0
    cf_storage_mib: Weight = 10.0
    engine: Weight = 100_000.0
    chinit_restart: Weight = 500.0
    queue_manager_restart: Weight = 5_000.0
    ipl: Weight = 20_000.0
    """Of a z/TPF system."""
    file_system_mib: Weight = 1.0
    work_hour: Weight = 400.0


class PlanPrices(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """What one unit of each part costs in money; none is known unless the site states it."""

    currency: str = ""
    """Such as ``EUR``; empty: plans state no money."""
    cylinder: Weight | None = None
    real_storage_mib: Weight | None = None
    cf_storage_mib: Weight | None = None
    engine: Weight | None = None
    file_system_mib: Weight | None = None
    work_hour: Weight | None = None


class PlanSettings(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Horizon, confidence and costs of the plans of resources (all ours)."""

    horizon_days: Annotated[int, Field(ge=30, le=365)] = 180
    """Days from the evaluated day for which a plan keeps the rules of its resource."""
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.9
    """Share of the forecast distribution below the bound that a plan is held against."""
    cost: PlanCostWeights = PlanCostWeights()
    prices: PlanPrices = PlanPrices()
    data_set_hours: Annotated[float, Field(ge=0)] = 0.25
    """Hours of work to define, format and add one data set."""
    backup_hours: Annotated[float, Field(ge=0)] = 0.1
    """Hours of work that one more backup a week takes, as a cost of the change."""
    definition_hours: Annotated[float, Field(ge=0)] = 8.0
    """Hours of work to move one channel definition with its clients to another queue manager."""
    release_hours: Annotated[float, Field(ge=0)] = 40.0
    """Hours of work to move one queue manager to a newer release of MQ."""
    change_hours: Annotated[float, Field(ge=0)] = 2.0
    """Hours of work of one change request."""
