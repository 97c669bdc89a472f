"""Lines of an email about a forecast."""

from __future__ import annotations

from mqcap.domain.score import RecentAccuracy
from mqcap.notifications.outlook import OutlookLine, forecast_lines
from tests.factories import crossing
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import cf_finding

QUALITY = OutlookLine(
    "Forecast",
    "prophet on 240 days, 3 more excluded as outliers or artefacts; 78 % of the hold-out "
    "days inside the prediction interval (nominal 80 %), error 4.2 %.",
)


def test_the_lines_are_growth_model_and_incomplete_data() -> None:
    soon = builders.problem(cf_finding(), crossing(cf_finding()))
    measured = builders.forecast(soon.finding).model_copy(
        update={"coverage_ratio": 0.78, "smape_pct": 4.2, "removed_count": 3}
    )
    assert forecast_lines(soon, measured) == (
        OutlookLine("Growth", "+1.8 points a month (+3.583 %), by the forecast."),
        QUALITY,
    )
    lacking = measured.model_copy(update={"data_note": "3 of 240 days are incomplete."})
    assert forecast_lines(soon, lacking)[-1] == (
        "Data",
        "Forecast on incomplete data. 3 of 240 days are incomplete.",
    )
    refused = measured.model_copy(update={"refusal": "12 days of data"})
    assert forecast_lines(soon, refused) == (OutlookLine("No forecast", "12 days of data."),)
    assert forecast_lines(soon, None) == ()


def test_the_accuracy_of_earlier_forecasts_is_a_line_of_its_own() -> None:
    soon = builders.problem(cf_finding(), crossing(cf_finding()))
    accuracy = RecentAccuracy(inside_days=8, scored_days=10, lead_days=7)
    lines = forecast_lines(soon, builders.forecast(soon.finding), accuracy)
    assert lines[-1] == OutlookLine("Accuracy", f"{accuracy}, as forecast at least 7 days before.")
    refused = builders.forecast(soon.finding).model_copy(update={"refusal": "12 days of data"})
    assert forecast_lines(soon, refused, accuracy) == (
        OutlookLine("No forecast", "12 days of data."),
    )


def test_a_forecast_that_was_not_evaluated_names_its_model_only() -> None:
    soon = builders.problem(cf_finding(), crossing(cf_finding()))
    plain = builders.forecast(soon.finding).model_copy(
        update={"coverage_ratio": None, "smape_pct": None, "removed_count": 0}
    )
    assert OutlookLine("Forecast", "prophet on 240 days.") in forecast_lines(soon, plain)


def test_a_forecast_without_points_has_no_growth() -> None:
    soon = builders.problem(cf_finding(), crossing(cf_finding()))
    empty = builders.forecast(soon.finding).model_copy(update={"points": ()})
    assert not any(line.label == "Growth" for line in forecast_lines(soon, empty))
