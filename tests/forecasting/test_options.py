"""Options of forecasts: defaults and what is refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from forecasting import ForecastOptions


def test_the_defaults_forecast_by_prophet_with_an_interval_of_80_percent() -> None:
    options = ForecastOptions()
    assert (options.final_fit, options.interval_width) == ("prophet", 0.8)
    assert options.crossing_days >= options.horizon_days


@pytest.mark.parametrize("changed", [{"horizon_days": 0}, {"interval_width": 1.0}, {"colour": 1}])
def test_values_out_of_range_and_other_keys_are_refused(changed: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ForecastOptions.model_validate(changed)
