"""Text on what is behind a forecast."""

from datetime import timedelta
from typing import Any

import pytest

from mq_capacity_page.pages.series.view import forecast_text, why_date
from mqcap.domain.forecast import Forecast, ForecastMix, Past, PastSide
from mqcap.domain.metric import Statistic
from mqcap.domain.score import RecentAccuracy, SiteCorrection
from tests.factories import DAY, crossing, driver_effect, mix
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
        ({"mix": mix()}, "Candidates", f"{mix().text}."),
        ({"driver": driver_effect()}, "Driver", f"{driver_effect().text}."),
    ],
    ids=["no-outlier", "no-error", "not-tested", "mean", "note", "candidates", "driver"],
)
def test_a_forecast_states_what_it_has_and_what_is_absent(
    changed: dict[str, Any], term: str, words: str
) -> None:
    assert text(**changed)[term] == words


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


def test_the_first_expected_date_has_its_reason_in_a_sentence() -> None:
    made = builder.forecast(builder.LOG, removed_count=2, trained_days=59, coverage_ratio=0.83)
    first = crossing(
        rule_id="FIRST", earliest_date=DAY, expected_date=DAY + timedelta(days=9), latest_date=None
    )
    [(term, sentence)] = why_date(made, first)
    assert term == "Why this date"
    assert sentence == (
        "About half of the simulated courses of the daily peak have passed the limit of FIRST by "
        "2026-03-11, one in ten by 2026-03-02, nine in ten not within a year, corrected by what "
        "became of stated probabilities; they follow the mix of four trends, linear and "
        "logarithmic, and the last level, weighted by their errors at past origins, from 59 days "
        "without 2 outliers, "
        "and are spread like the errors at past origins, of which the interval held 83 %."
    )


@pytest.mark.parametrize("model", ["prophet", "prophet_exact"])
def test_the_reason_of_a_date_names_the_candidates(model: str) -> None:
    [(_, sentence)] = why_date(builder.forecast(builder.LOG, model=model, mix=mix()), crossing())
    assert (
        "they follow the mix of four trends, linear and logarithmic, and the last level, weighted "
        "by their errors at past origins (straight linear trend 60 % (fitted by Prophet), bending "
        "linear trend 40 %), from"
    ) in sentence


def test_a_single_candidate_is_named_once() -> None:
    only = ForecastMix(candidates=mix().candidates[:1])
    made = builder.forecast(builder.LOG, model="sawtooth", mix=only)
    [(_, sentence)] = why_date(made, crossing())
    assert "they follow fillings at the rates seen, emptied as they used to be, from" in sentence
    assert "corrected" not in sentence


@pytest.mark.parametrize(("days", "few"), [(60, True), (100, True), (101, False)])
def test_the_reason_of_a_date_says_where_a_history_is_too_short_to_know_much(
    days: int, few: bool
) -> None:
    side = PastSide(recent=1, year=1, ever=1)
    past = Past(days=days, base=1, highest=side, lowest=side)
    [(_, words)] = why_date(builder.forecast(builder.LOG, past=past), crossing())
    assert (f"; {days} days are few, so that probabilities are kept near" in words) is few


def test_an_interval_that_was_not_tried_is_named_so() -> None:
    made = builder.forecast(builder.LOG, removed_count=0, coverage_ratio=None)
    [(_, sentence)] = why_date(made, crossing())
    assert "half as wide again, for no past origin has tried it" in sentence
    assert "outlier" not in sentence


@pytest.mark.parametrize("made", [None, builder.refused(builder.LOG)])
def test_without_a_forecast_there_is_no_reason(made: Forecast | None) -> None:
    assert why_date(made, crossing()) == []


@pytest.mark.parametrize(("shift", "is_said"), [(0.0, False), (-0.1, True)])
def test_the_reason_of_a_date_names_the_correction_by_the_sites_own_outcomes_where_it_acts(
    shift: float, is_said: bool
) -> None:
    correction = SiteCorrection(cutoff_date=DAY, shift=shift, limit_count=60)
    words = (
        "stated probabilities, and by those of this site (log odds times 1.00 -0.10: "
        "10, 50 and 90 % become 9 %, 48 %, 89 %);"
    )
    [(_, sentence)] = why_date(builder.forecast(builder.LOG), crossing(), correction)
    assert (words in sentence) is is_said
    sawtooth = builder.forecast(builder.LOG, model="sawtooth")
    [(_, sentence)] = why_date(sawtooth, crossing(), correction)
    assert words not in sentence
