"""Days of a forecast, and documents of older releases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.forecast import CandidateShare, DriverPlan, Forecast, ForecastMix
from tests.factories import DAY, driver_effect, forecast, mix, points


def test_every_day_is_the_horizon_and_the_days_after_it() -> None:
    ahead = points(DAY, [(1.0, 2.0, 3.0)] * 5)
    made = forecast(points=ahead[:3], beyond=ahead[3:])
    assert made.every_day == ahead
    assert [point.site_date for point in made.every_day][-1] == DAY + timedelta(days=5)


def test_a_refusal_has_no_days() -> None:
    assert forecast(points=(), refusal="constant").every_day == ()


def test_a_document_of_an_older_release_has_the_model_by_its_present_name() -> None:
    former = forecast().model_dump() | {"model": "ratchet"}  # codespell:ignore ratchet
    assert Forecast.model_validate(former).model == "sawtooth"
    assert Forecast.model_validate(former | {"model": "prophet"}).model == "prophet"


def test_a_forecast_without_a_driver_has_none_in_its_document() -> None:
    assert "driver" not in forecast().model_dump()
    made = forecast(driver=driver_effect())
    assert Forecast.model_validate_json(made.model_dump_json()) == made


def test_a_used_driver_states_elasticity_gain_and_plan() -> None:
    first = DAY + timedelta(days=30)
    assert driver_effect().text == (
        "payments, elasticity 0.7147; sMAPE at rolling origins 1.594 % with it, 3.919 % without; "
        f"plan +30 % from {first}"
    )
    assert driver_effect(plans=(), smape_pct=None).text == "payments, elasticity 0.7147"


def test_a_driver_that_is_not_used_says_why() -> None:
    assert driver_effect(is_used=False, reason="no gain").text == "payments, not used: no gain"


@pytest.mark.parametrize(("pct", "text"), [(-12.5, "-12.5 % from 2026-03-02"), (0, "+0 % from")])
def test_a_plan_names_change_and_day(pct: float, text: str) -> None:
    assert DriverPlan(first=DAY, pct=pct).text.startswith(text)


def test_candidates_are_named_with_shares_and_the_part_of_prophet() -> None:
    assert mix().text == (
        "straight linear trend 60 % (fitted by Prophet), bending linear trend 40 %; "
        "Prophet-type candidates make 100 % of the forecast"
    )


def test_a_candidate_without_a_solution_is_left_out() -> None:
    made = mix(1.0, 0.0)
    assert made.text == (
        "straight linear trend 100 % (fitted by Prophet), bending linear trend left out, no "
        "solution; Prophet-type candidates make 100 % of the forecast"
    )


@pytest.mark.parametrize(
    ("fitted_by", "ratio"),
    [
        ("prophet", 1.0),
        ("prophet_exact", 1.0),
        ("prophet_logistic", 1.0),
        ("sawtooth", 0.0),
        ("seasonal_naive", 0.0),
    ],
)
def test_prophet_and_the_solver_of_its_objective_are_of_its_type(
    fitted_by: str, ratio: float
) -> None:
    only = CandidateShare(name="one", fitted_by=fitted_by, share_ratio=1.0)
    assert ForecastMix(candidates=(only,)).prophet_ratio == ratio
