"""What is stored is what Prophet would store, and reads."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from prophet.serialize import model_from_json, model_to_json

from forecasting.models.prophet_logistic import quietly
from forecasting.stan.program import WRITTEN_RATIO
from tests.forecasting.stan.by_prophet import SERIES, by_prophet, ours


@pytest.mark.thorough
@pytest.mark.parametrize("name", SERIES)
def test_a_stored_model_is_that_of_prophet_to_the_byte_but_for_its_parameters(name: str) -> None:
    stored = ours(*SERIES[name]).stored
    theirs = model_to_json(by_prophet(*SERIES[name]))
    found, wanted = (json.loads(text)["params"] for text in (stored, theirs))
    assert stored.replace(json.dumps(found), "") == theirs.replace(json.dumps(wanted), "")
    assert found.keys() == wanted.keys()
    for parameter, values in wanted.items():
        assert np.allclose(found[parameter], values, rtol=WRITTEN_RATIO, atol=1e-12), parameter


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
