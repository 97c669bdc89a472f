"""The candidates: each is named by what it extends, and knows the scale of its series."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from forecasting.model import log_scale_fits
from forecasting.run import FAST, LAST_WEEK, PROPHET, SAWTEETH
from mqcap.domain.forecast import SOLVED_MODELS
from tests import factories
from tests.forecasting.builders import DAYS, history, noise

TIME = np.arange(DAYS)


def test_compound_growth_is_modelled_by_its_logarithm() -> None:
    assert log_scale_fits(history(np.exp(0.004 * TIME + noise(scale=0.05))).values)


def test_linear_growth_with_even_noise_is_not() -> None:
    assert not log_scale_fits(history(10 + 0.1 * TIME + noise()).values)


@pytest.mark.parametrize("values", [10 + noise(scale=0.1), noise(), np.ones(20)])
def test_a_flat_or_negative_or_short_series_stays_linear(values: Any) -> None:
    assert not log_scale_fits(history(values).values)


def test_the_former_name_of_the_sawtooth_model_is_still_read() -> None:
    assert factories.forecast(model="ratchet").model == "sawtooth"  # codespell:ignore ratchet


def test_a_solver_of_another_model_is_listed_with_that_model() -> None:
    assert {FAST.name: PROPHET.name} == SOLVED_MODELS


@pytest.mark.parametrize(("values", "usual"), [
    (10 + 0.1 * TIME + noise(), "linear"),
    (np.exp(0.004 * TIME + noise(scale=0.05)), "logarithmic"),
])  # fmt: skip
def test_the_candidates_of_prophet_are_named_by_trend_and_scale(values: Any, usual: str) -> None:
    other = {"linear": "logarithmic", "logarithmic": "linear"}[usual]
    trends = [
        f"{trend} {scale} trend" for scale in (usual, other) for trend in ("bending", "straight")
    ]
    for method in (PROPHET, FAST):
        assert [each.candidate(history(values)) for each in method.leading] == trends
        names = [each.candidate(history(values)) for each in method.rehearsed]
        assert names == [*trends, "last level"]


def test_models_of_one_candidate_are_named_by_what_they_extend() -> None:
    series = history(10 + noise())
    names = [method.leading[0].candidate(series) for method in (LAST_WEEK, SAWTEETH)]
    assert names == ["last week again", "sawtooth"]
