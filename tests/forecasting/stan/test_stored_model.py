"""What is stored is what Prophet would store, and reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from prophet.serialize import model_from_json, model_to_json

from forecasting.models.prophet_logistic import quietly
from tests.forecasting.stan.by_prophet import SERIES, by_prophet, ours


@pytest.mark.thorough
@pytest.mark.parametrize("name", SERIES)
def test_a_stored_model_is_that_of_prophet_to_the_byte(name: str) -> None:
    assert ours(*SERIES[name]).stored == model_to_json(by_prophet(*SERIES[name]))


@pytest.mark.thorough
def test_prophet_goes_on_from_a_stored_model() -> None:
    series, configuration = SERIES["half a year"]
    stored = ours(series, configuration).stored
    with quietly():
        model: Any = model_from_json(stored)
        rows = pd.DataFrame({"ds": series.days.astype("datetime64[ns]")})
        for name in model.extra_regressors:
            rows[name] = model.history[name]
        fitted = model.predict(rows)["yhat"].to_numpy()
    assert np.abs(fitted - series.values).mean() < 2.0
