"""The seasonal naive model."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.model import ModelFailure
from forecasting.models import prophet
from forecasting.models.seasonal_naive import SeasonalNaive
from tests.forecasting.builders import forecast, history, noise


def test_the_naive_model_repeats_the_last_week() -> None:
    values = np.arange(21.0)
    prediction = SeasonalNaive().predict(history(values), 9)
    assert prediction.expected.tolist() == [14, 15, 16, 17, 18, 19, 20, 14, 15]


def test_the_naive_model_takes_the_last_known_value_of_a_weekday() -> None:
    values = np.arange(21.0)
    values[-1] = np.nan
    assert SeasonalNaive().predict(history(values), 7).expected[-1] == 13


def test_a_fit_that_fails_falls_back_to_the_naive_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_solution(*_: object) -> None:
        raise ModelFailure("no solution")

    monkeypatch.setattr(prophet, "_line", no_solution)
    predicted = forecast(20 + noise())
    assert predicted.model == "seasonal_naive"
    assert len(predicted.points) == 180
