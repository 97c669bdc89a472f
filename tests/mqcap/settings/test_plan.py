from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.settings.analysis import PlanCostWeights, PlanSettings


def test_a_plan_lasts_180_days_at_the_90_percent_bound_by_default() -> None:
    assert (PlanSettings().horizon_days, PlanSettings().confidence) == (180, 0.9)


@pytest.mark.parametrize(
    ("key", "value"),
    [("horizon_days", 29), ("horizon_days", 366), ("confidence", 0.5), ("confidence", 1.0)],
)
def test_a_horizon_or_confidence_out_of_range_is_refused_by_its_key(key: str, value: float) -> None:
    with pytest.raises(ValidationError, match=key):
        PlanSettings.model_validate({key: value})


@pytest.mark.parametrize("value", [-0.01, float("inf"), float("nan")])
def test_a_weight_that_is_no_cost_is_refused_by_its_key(value: float) -> None:
    with pytest.raises(ValidationError, match=r"cost\.cylinder"):
        PlanSettings.model_validate({"cost": {"cylinder": value}})


def test_an_unknown_cost_is_refused_by_its_key() -> None:
    with pytest.raises(ValidationError, match="tape"):
        PlanCostWeights.model_validate({"tape": 1})
