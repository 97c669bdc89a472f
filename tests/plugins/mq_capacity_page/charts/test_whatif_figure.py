"""The chart of a series with the forecast and the limits of a scenario."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from mq_capacity_page.charts.series_figure import RANGE_LABEL, series_figure
from mq_capacity_page.charts.themes import Theme
from mq_capacity_page.charts.whatif_figure import SCENARIO_COLOURS, ScenarioOverlay, whatif_figure
from mqcap.domain.crossing import CrossingState
from mqcap.domain.forecast import Forecast
from tests.factories import crossing
from tests.plugins import builder
from tests.plugins.mq_capacity_page.charts.test_series_figure import rows


def scaled(factor: float) -> Forecast:
    made = builder.forecast(builder.CF)
    points = tuple(
        replace(
            point,
            **{name: getattr(point, name) * factor for name in ("expected", "lower", "upper")},
        )
        for point in made.points
    )
    return made.model_copy(update={"points": points})


def traces(figure: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in figure["data"]}


def test_the_present_forecast_is_dotted_and_the_scenario_is_a_line_of_its_own() -> None:
    figure = whatif_figure(rows(), ScenarioOverlay([scaled(2.0)], [], None))
    drawn = traces(figure)
    before = drawn["Forecast peak, unchanged"]
    assert before["line"]["dash"] == "dot"
    assert drawn["With the scenario"]["y"][0] == round(2 * before["y"][0], 6)
    assert "With the scenario, low end" not in drawn


def test_a_range_has_two_lines_and_one_interval_around_both() -> None:
    drawn = traces(whatif_figure(rows(), ScenarioOverlay([scaled(1.5), scaled(3.0)], [], None)))
    low, high = (drawn[f"With the scenario, {end} end"]["y"][-1] for end in ("low", "high"))
    assert low < high
    assert drawn["Lower bound, scenario"]["y"][-1] < low
    assert drawn["Upper bound, scenario"]["y"][-1] > high
    assert drawn["Lower bound, scenario"]["fill"] == "tonexty"


def test_a_changed_limit_begins_with_the_scenario_and_ends_with_the_forecast() -> None:
    start = date(2026, 2, 15)
    overlay = ScenarioOverlay([scaled(1.0)], [4.0, 4.0, 2.25], start)
    drawn = traces(whatif_figure(rows(), overlay))
    limit = drawn["Limit with the scenario 4 %"]
    assert limit["x"] == ["2026-02-15", "2026-05-01"]
    assert limit["y"] == [4.0, 4.0]
    assert "Limit with the scenario 2.25 %" not in drawn  # it is the present one


def test_limits_of_today_and_of_the_scenario_have_labels_at_their_lines() -> None:
    figure = whatif_figure(rows(), ScenarioOverlay([scaled(1.0)], [4.0], None))
    named = [each["text"] for each in figure["layout"]["annotations"] if each.get("name")]
    today = [
        each["text"] for each in series_figure(rows())["layout"]["annotations"] if each.get("name")
    ]
    assert len(today) == 1
    assert sorted(named) == sorted(["limit 4 %", *today])


def test_a_scenario_that_began_earlier_changes_the_limit_from_the_day_shown() -> None:
    overlay = ScenarioOverlay([], [4.0], date(2025, 1, 1))
    drawn = traces(whatif_figure(rows(forecast=None), overlay))
    assert drawn["Limit with the scenario 4 %"]["x"] == ["2026-01-31", "2026-01-31"]


def test_crossing_dates_of_the_present_state_say_that_they_are_of_today() -> None:
    crossing = builder.crossing(
        state=CrossingState.will_cross,
        earliest_date=date(2026, 2, 10),
        expected_date=date(2026, 3, 1),
    )
    figure = whatif_figure(rows(crossings=[crossing]), ScenarioOverlay([scaled(1.0)], [], None))
    assert f"{RANGE_LABEL}, as it is today" in traces(figure)
    assert RANGE_LABEL not in traces(figure)
    labels = [label["text"] for label in figure["layout"]["annotations"]]
    assert "expected 1 Mar 2026, as it is today" in labels


def test_the_axis_reaches_to_the_highest_forecast_of_the_scenario() -> None:
    figure = whatif_figure(rows(), ScenarioOverlay([scaled(5.0)], [], None))
    highest = max(traces(figure)["Upper bound, scenario"]["y"])
    assert figure["layout"]["yaxis"]["range"][1] > highest


def test_a_refused_forecast_draws_nothing() -> None:
    refused = builder.refused(builder.CF)
    drawn = traces(whatif_figure(rows(), ScenarioOverlay([refused], [], None)))
    assert not any("scenario" in name for name in drawn)


def test_each_theme_has_its_own_colours() -> None:
    for theme in Theme:
        drawn = traces(whatif_figure(rows(), ScenarioOverlay([scaled(2.0)], [], None), theme))
        assert drawn["With the scenario"]["line"]["color"] == SCENARIO_COLOURS[theme][0]


@pytest.mark.parametrize(("limit", "growth", "is_far"), [(10.0, 1.0, True), (10.0, 2.0, False)])
def test_a_limit_that_growth_brings_into_the_chart_is_not_called_above_it(
    limit: float, growth: float, is_far: bool
) -> None:
    """The values end at 3.95 %, of which 10 % is more than the double, and not of 7.9 %."""
    far = crossing(limit_value=limit, rule_id="CF-BUSY-N", unit="%")
    data = rows()._replace(crossings=(*rows().crossings, far))
    figure = whatif_figure(data, ScenarioOverlay([scaled(growth)], [], None))
    [name] = [name for name in traces(figure) if name.startswith(f"Limit {limit:g} %")]
    assert name.endswith(", above the chart") is is_far
    assert (limit > figure["layout"]["yaxis"]["range"][1]) is is_far
