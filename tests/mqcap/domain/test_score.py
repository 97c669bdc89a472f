"""The accuracy of recent forecasts in words."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.domain.score import CrossingScore, RecentAccuracy
from tests.factories import crossing_score, forecast_score


def test_recent_accuracy_counts_days_inside_the_interval() -> None:
    accuracy = RecentAccuracy(inside_days=8, scored_days=10, lead_days=7)
    assert str(accuracy) == "8 of the last 10 inside the interval"


def test_scores_are_made_from_rows_of_the_store_and_do_not_change() -> None:
    score = crossing_score(probability=0.25, came=False)
    assert CrossingScore.model_validate(score, from_attributes=True) == score
    with pytest.raises(ValidationError, match="frozen"):
        score.probability = 1.0  # type: ignore[misc]


def test_a_forecast_without_a_back_test_has_no_promised_error() -> None:
    assert forecast_score().backtest_smape_pct is None
    assert forecast_score().backtest_coverage_ratio is None
