"""The model port: every model answers alike, and failure has a way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from forecasting.model import log_scale_fits, model_named
from mqcap.domain.forecast import SOLVED_MODELS
from tests import factories
from tests.forecasting.builders import DAYS, history, noise

TIME = np.arange(DAYS)


@pytest.mark.parametrize("name", ["prophet", "seasonal_naive"])
def test_every_model_answers_with_one_value_per_day(name: str) -> None:
    prediction = model_named(name).predict(history(20 + noise()), 25)
    assert prediction.expected.shape == prediction.variance.shape == prediction.excess.shape
    assert prediction.expected.shape == (25,)
    assert (np.diff(prediction.variance) >= 0).all()


def test_compound_growth_is_modelled_by_its_logarithm() -> None:
    assert log_scale_fits(history(np.exp(0.004 * TIME + noise(scale=0.05))).values)


def test_linear_growth_with_even_noise_is_not() -> None:
    assert not log_scale_fits(history(10 + 0.1 * TIME + noise()).values)


@pytest.mark.parametrize("values", [10 + noise(scale=0.1), noise(), np.ones(20)])
def test_a_flat_or_negative_or_short_series_stays_linear(values: Any) -> None:
    assert not log_scale_fits(history(values).values)


@pytest.mark.parametrize("name", ["prophet", "prophet_exact", "seasonal_naive"])
def test_every_model_has_a_rehearsal_that_exists(name: str) -> None:
    assert model_named(model_named(name).rehearsal).rehearsal == model_named(name).rehearsal


def test_the_former_name_of_the_sawtooth_model_is_still_read() -> None:
    assert model_named("ratchet").name == "sawtooth"  # codespell:ignore ratchet
    assert factories.forecast(model="ratchet").model == "sawtooth"  # codespell:ignore ratchet


def test_a_solver_of_another_model_is_listed_with_that_model() -> None:
    models = [model_named(name) for name in ("prophet", "prophet_exact", "seasonal_naive")]
    solvers = {model.rehearsal: model.name for model in models if model.rehearsal != model.name}
    assert solvers == SOLVED_MODELS


@pytest.mark.parametrize(("values", "usual"), [
    (10 + 0.1 * TIME + noise(), "linear"),
    (np.exp(0.004 * TIME + noise(scale=0.05)), "logarithmic"),
])  # fmt: skip
def test_the_candidates_of_prophet_are_named_by_trend_and_scale(values: Any, usual: str) -> None:
    other = {"linear": "logarithmic", "logarithmic": "linear"}[usual]
    for name in ("prophet", "prophet_exact"):
        names = [each.candidate(history(values)) for each in model_named(name).variants]
        assert names == [
            f"{trend} {scale} trend"
            for scale in (usual, other)
            for trend in ("bending", "straight")
        ] + ["last level"]


def test_models_of_one_candidate_are_named_by_what_they_extend() -> None:
    series = history(10 + noise())
    assert model_named("seasonal_naive").candidate(series) == "last week again"
    assert model_named("sawtooth").candidate(series) == "sawtooth"
