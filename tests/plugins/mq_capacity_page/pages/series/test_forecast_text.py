"""Text on what is behind a forecast."""

from __future__ import annotations

from typing import Any

import pytest

from mq_capacity_page.pages.series.forecast_text import forecast_text
from mqcap.domain.metric import Statistic
from mqcap.domain.score import RecentAccuracy
from tests.factories import driver_effect
from tests.plugins import builder


def text(accuracy: RecentAccuracy | None = None, **changed: Any) -> dict[str, str]:
    return dict(forecast_text(builder.forecast(builder.LOG, **changed), True, accuracy))


def test_a_forecast_states_model_training_error_and_interval() -> None:
    assert text() == {
        "Model": "prophet",
        "Statistic": "daily peak",
        "Trained on": "59 days; 2 excluded as outliers",
        "Horizon": "90 days",
        "Error": "6.2 % on the hold-out (symmetric mean absolute error)",
        "Prediction interval": "nominal coverage 80 %; covered 83 % of the hold-out days",
        "Accuracy": "None yet: no measured day had a forecast a week before.",
    }


@pytest.mark.parametrize(
    ("changed", "term", "words"),
    [
        ({"removed_count": 0}, "Trained on", "59 days; none excluded"),
        ({"smape_pct": None}, "Error", "Unknown: the history is too short for a hold-out."),
        ({"coverage_ratio": None}, "Prediction interval", "nominal coverage 80 %; not tested"),
        ({"statistic": Statistic.mean}, "Statistic", "daily mean"),
        ({"data_note": "2 hours are missing"}, "Data incomplete", "2 hours are missing"),
    ],
    ids=["no-outlier", "no-error", "not-tested", "mean", "note"],
)
def test_absent_parts_are_reported(changed: dict[str, Any], term: str, words: str) -> None:
    assert text(**changed)[term] == words


def test_a_forecast_by_a_driver_states_its_elasticity() -> None:
    assert text(driver=driver_effect())["Driver"] == f"{driver_effect().text}."
    assert "elasticity 0.7147" in driver_effect().text


def test_accuracy_names_the_days_and_how_early_they_were_forecast() -> None:
    accuracy = RecentAccuracy(inside_days=8, scored_days=10, lead_days=7)
    assert text(accuracy)["Accuracy"] == f"{accuracy}, as forecast at least 7 days before"


def test_a_refused_forecast_begins_with_the_reason_and_promises_nothing() -> None:
    rows = forecast_text(builder.refused(builder.LOG), True)
    assert rows[0] == ("Refused", "only 12 days were measured; 60 are needed")
    assert {term for term, _ in rows}.isdisjoint({"Horizon", "Error", "Prediction interval"})


@pytest.mark.parametrize(
    ("is_forecast", "words"),
    [(True, "None was made for this day."), (False, "it is not forecast.")],
)
def test_a_series_without_a_forecast_says_why(is_forecast: bool, words: str) -> None:
    [(term, reason)] = forecast_text(None, is_forecast)
    assert term == "Forecast"
    assert words in reason
