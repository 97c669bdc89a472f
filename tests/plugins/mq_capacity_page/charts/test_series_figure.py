"""Rows in, Plotly's JSON out."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mq_capacity_page.charts.series_figure import (
    RANGE_LABEL,
    DailyValue,
    SeriesChartData,
    series_figure,
)
from mq_capacity_page.charts.themes import PALETTES, Theme
from mqcap.domain.crossing import CrossingState
from mqcap.domain.metric import Statistic
from tests.plugins import builder

FIRST = date(2026, 1, 1)


def rows(**changed: Any) -> SeriesChartData:
    values: dict[str, Any] = {
        "unit": "%",
        "days": [
            DailyValue(day.site_date, day.peak, day.p95) for day in builder.history(builder.CF)
        ],
        "statistic": Statistic.peak,
        "forecast": builder.forecast(builder.CF),
        "crossings": [builder.crossing()],
        "site_date": builder.DAY,
    }
    return SeriesChartData(**values | changed)


def traces(figure: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in figure["data"]}


def test_the_figure_has_history_forecast_interval_and_limit() -> None:
    assert list(traces(series_figure(rows()))) == [
        "Highest of the week",
        "13 weeks earlier",
        "95th percentile of hours",
        "Daily peak",
        "Upper bound",
        "80 % prediction interval",
        "Forecast peak",
        "Limit 2.25 % (LOG-FILL-30MIN)",
    ]


def test_a_history_of_less_than_a_quarter_is_compared_with_nothing() -> None:
    short = rows(days=builder_days_with_gap(), site_date=date(2026, 1, 3), forecast=None)
    assert "13 weeks earlier" not in traces(series_figure(short))
    assert "Highest of the week" in traces(series_figure(short))


def test_the_quarter_before_goes_on_into_the_days_that_are_forecast() -> None:
    data = rows()
    earlier = traces(series_figure(data))["13 weeks earlier"]
    measured = min(data.days)
    later = (measured.site_date + timedelta(weeks=13)).isoformat()
    assert dict(zip(earlier["x"], earlier["y"], strict=True))[later] == pytest.approx(measured.peak)


def test_a_limit_in_the_chart_is_labelled_at_its_line() -> None:
    words = [label["text"] for label in series_figure(rows())["layout"]["annotations"]]
    assert "limit 2.25 %" in words


def test_a_limit_of_a_rule_in_another_unit_names_that_too() -> None:
    stated = series_figure(rows(rule_limits={"LOG-FILL-30MIN": "30 min"}))
    assert "Limit 2.25 % (LOG-FILL-30MIN, 30 min)" in traces(stated)


def test_a_day_not_measured_is_a_gap() -> None:
    peak = traces(series_figure(rows(days=builder_days_with_gap())))["Daily peak"]
    assert peak["x"] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    assert peak["y"] == [1.0, None, 3.0]
    assert peak["connectgaps"] is False


def test_log_growth_is_drawn_in_mb_per_hour() -> None:
    figure = series_figure(rows(unit="MiB/s"))
    assert "MB/hour" in [label["text"] for label in figure["layout"]["annotations"]]
    limit = traces(figure)["Limit 8,100 MB/hour (LOG-FILL-30MIN)"]
    assert limit["y"] == [8100.0, 8100.0]


def test_the_interval_is_the_space_between_lower_and_upper_bound() -> None:
    drawn = traces(series_figure(rows()))
    upper, lower = drawn["Upper bound"]["y"], drawn["80 % prediction interval"]
    assert lower["fill"] == "tonexty"
    assert all(low < high for low, high in zip(lower["y"], upper, strict=True))


def test_no_button_offers_to_send_the_figures_elsewhere() -> None:
    config = series_figure(rows())["config"]
    assert config["showSendToCloud"] is False
    assert config["plotlyServerURL"] == ""


def test_the_words_at_a_point_are_readable_in_both_themes() -> None:
    for theme in Theme:
        label = series_figure(rows(), theme)["layout"]["hoverlabel"]
        assert label["bgcolor"] == PALETTES[theme].ground
        assert label["font"]["color"] == PALETTES[theme].text


def test_the_range_of_crossing_dates_is_shaded_from_earliest_to_latest() -> None:
    crossing = builder.crossing(
        state=CrossingState.will_cross,
        earliest_date=date(2026, 2, 10),
        expected_date=date(2026, 3, 1),
        latest_date=date(2026, 4, 1),
    )
    layout = series_figure(rows(crossings=[crossing]))["layout"]
    strips = [shape for shape in layout["shapes"] if shape["type"] == "rect"]
    assert [(strip["x0"], strip["x1"]) for strip in strips] == [("2026-02-10", "2026-04-01")]
    assert "expected 1 Mar 2026" in [label["text"] for label in layout["annotations"]]


def test_the_shaded_range_is_named_in_the_legend_and_draws_no_point() -> None:
    crossing = builder.crossing(state=CrossingState.will_cross, earliest_date=date(2026, 2, 10))
    named = traces(series_figure(rows(crossings=[crossing])))[RANGE_LABEL]
    assert named["y"] == [None]
    assert RANGE_LABEL not in traces(series_figure(rows()))


def test_a_range_without_latest_date_reaches_to_the_end() -> None:
    crossing = builder.crossing(state=CrossingState.will_cross, earliest_date=date(2026, 2, 10))
    shapes = series_figure(rows(crossings=[crossing]))["layout"]["shapes"]
    end = builder.DAY + timedelta(days=90)
    assert [s["x1"] for s in shapes if s["type"] == "rect"] == [end.isoformat()]


def test_a_limit_already_passed_is_not_shaded() -> None:
    shapes = series_figure(rows())["layout"]["shapes"]
    assert {shape["type"] for shape in shapes} == {"line"}


def test_rules_with_the_same_limit_share_a_line() -> None:
    both = [builder.crossing(), builder.crossing(rule_id="OTHER")]
    assert "Limit 2.25 % (LOG-FILL-30MIN, OTHER)" in traces(series_figure(rows(crossings=both)))


def test_the_chosen_statistic_is_drawn_strongest_and_named_first() -> None:
    drawn = traces(series_figure(rows(statistic=Statistic.p95)))
    assert drawn["95th percentile of hours"]["legendrank"] == 1
    assert drawn["95th percentile of hours"]["line"]["width"] > drawn["Daily peak"]["line"]["width"]


def test_both_themes_draw_the_same_in_other_colours() -> None:
    light, dark = (json.dumps(series_figure(rows(), theme)) for theme in Theme)
    assert light != dark
    for item, other in zip(PALETTES[Theme.light], PALETTES[Theme.dark], strict=True):
        light = light.replace(json.dumps(item), json.dumps(other))
    assert light == dark


def test_a_series_with_nothing_still_has_axes() -> None:
    figure = series_figure(rows(days=[], forecast=None, crossings=[]))
    assert figure["data"] == []
    assert figure["layout"]["yaxis"]["range"][1] > 0


values = st.floats(min_value=0, max_value=1e9)


@pytest.mark.thorough
@given(st.lists(st.tuples(st.integers(0, 400), values, values), max_size=40), values)
def test_every_value_fits_below_the_top_and_survives_json(
    measured: list[tuple[int, float, float]], limit: float
) -> None:
    days = [DailyValue(FIRST + timedelta(days=ahead), a, b) for ahead, a, b in measured]
    figure = series_figure(rows(days=days, crossings=[builder.crossing(limit_value=limit)]))
    top = figure["layout"]["yaxis"]["range"][1]
    for trace in figure["data"]:
        drawn = [y for y in trace["y"] if y is not None]
        assert all(y <= top for y in drawn) or trace["name"].endswith(", above the chart")
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure


def builder_days_with_gap() -> list[DailyValue]:
    return [DailyValue(FIRST, 1.0, 0.5), DailyValue(FIRST + timedelta(days=2), 3.0, 2.5)]


@pytest.mark.parametrize(
    ("since", "label"),
    [
        (builder.DAY - timedelta(days=300), "← over the limit since 6 Apr 2025"),
        (builder.DAY - timedelta(days=3), "over the limit since 28 Jan 2026"),
    ],
)
def test_a_limit_that_is_passed_is_labelled_since_when_and_with_an_arrow_left_of_the_chart(
    since: date, label: str
) -> None:
    passed = builder.crossing(
        state=CrossingState.breached,
        breached_since=since,
        earliest_date=None,
        expected_date=None,
        latest_date=None,
    )
    layout = series_figure(rows(crossings=[passed]))["layout"]
    assert label in [words["text"] for words in layout["annotations"]]
    assert since.isoformat() in [shape["x0"] for shape in layout["shapes"]]
