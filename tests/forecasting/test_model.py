"""A model is what it says, and of what it is."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from forecasting.model import log_scale_fits
from forecasting.run import FAST, LAST_WEEK, PROPHET, SAWTOOTH
from forecasting.sawtooth import sawtooth_of
from forecasting.specification import specification
from mqcap.domain.forecast import SOLVED_MODELS
from tests.forecasting.builders import CUTOFF, DAYS, forecast_of_rows, history, noise, sawtooth

TIME = np.arange(DAYS)


def test_compound_growth_is_modelled_by_its_logarithm() -> None:
    assert log_scale_fits(history(np.exp(0.004 * TIME + noise(scale=0.05))).values)


def test_linear_growth_with_even_noise_is_not() -> None:
    assert not log_scale_fits(history(10 + 0.1 * TIME + noise()).values)


@pytest.mark.parametrize("values", [10 + noise(scale=0.1), noise(), np.ones(20)])
def test_a_flat_or_negative_or_short_series_stays_linear(values: Any) -> None:
    assert not log_scale_fits(history(values).values)


def test_a_solver_of_another_model_is_listed_with_that_model() -> None:
    assert {FAST.leading[0].name: PROPHET.leading[0].name} == SOLVED_MODELS


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
    names = [method.leading[0].candidate(series) for method in (LAST_WEEK, SAWTOOTH)]
    assert names == ["last week again", "sawtooth"]


@pytest.mark.thorough
def test_a_known_change_is_a_step_from_its_first_days_on() -> None:
    values = 20 + noise(scale=0.3) + np.where(TIME >= DAYS - 3, 15.0, 0.0)
    made = forecast_of_rows(values, known_changes=(CUTOFF - timedelta(days=2)).isoformat())
    assert made.refusal is None
    assert made.points[30].expected == pytest.approx(35, abs=2)


@pytest.mark.thorough
@pytest.mark.parametrize("is_log", [True, False])
def test_a_part_of_a_history_takes_the_scale_chosen_for_the_whole(is_log: bool) -> None:
    part = history(100.0 + noise(), usual_scale_is_log=is_log)
    assert specification(part, 30).log_scale is is_log
    assert specification(part, 30, usual_scale=False).log_scale is not is_log


@pytest.mark.thorough
def test_a_series_that_only_rises_until_it_is_emptied_is_a_sawtooth() -> None:
    shape = sawtooth_of(history(sawtooth(), last=CUTOFF))
    assert shape is not None
    assert np.allclose(shape.rates, 1.0)
    assert set(shape.floors) == {30.0}
    assert set(shape.tops) == {57.0}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "values",
    [
        20 + noise(),
        20 + 0.1 * TIME,
        np.where(TIME > 200, 0.1 * TIME - 15, 0.1 * TIME),
        np.ones(DAYS),
    ],
)
def test_noise_growth_and_one_restart_are_none(values: NDArray[np.float64]) -> None:
    assert sawtooth_of(history(values, last=CUTOFF)) is None
