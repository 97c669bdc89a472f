"""The chart of hours and of intervals."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from mq_capacity_page.charts.marks import ChartMarks, DayMark
from mq_capacity_page.charts.sub_daily_figure import (
    HOUR,
    SubDailyChartData,
    hour_address,
    sub_daily_figure,
)
from mq_capacity_page.charts.themes import PALETTES, Theme
from mqcap.lake.readers import HourValue, IntervalValue
from tests.plugins import builder

BEGIN = datetime(2026, 1, 30, tzinfo=UTC)
END = BEGIN + timedelta(days=2)


def hour(number: int, value: float = 1.0) -> HourValue:
    start = BEGIN + number * HOUR
    return HourValue(
        hour_utc=start,
        value=value,
        peak=2 * value,
        peak_interval_start_utc=start,
        covered_seconds=3_600.0,
        interval_count=2,
    )


def interval(minutes: int, level: float) -> IntervalValue:
    start = BEGIN + timedelta(minutes=minutes)
    return IntervalValue(start_utc=start, end_utc=start + timedelta(minutes=30), level=level)


def data(**changed: Any) -> SubDailyChartData:
    values: dict[str, Any] = {"unit": "%", "begin": BEGIN, "end": END}
    return SubDailyChartData(**values | changed)


def traces(figure: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in figure["data"]}


def test_an_hour_that_was_not_measured_is_a_gap() -> None:
    drawn = traces(sub_daily_figure(data(hours=[hour(0), hour(2, 3.0)])))
    assert drawn["Mean of the hour"]["y"] == [1.0, None, 3.0]
    assert drawn["Highest interval of the hour"]["y"] == [2.0, None, 6.0]
    assert drawn["Mean of the hour"]["customdata"] == [
        "2026-01-30T00:00Z",
        "2026-01-30T01:00Z",
        "2026-01-30T02:00Z",
    ]


def test_intervals_are_steps_with_gaps_between_distant_ones() -> None:
    intervals = [interval(0, 1.0), interval(30, 2.0), interval(90, 3.0)]
    each = traces(sub_daily_figure(data(intervals=intervals)))["Each interval"]
    assert each["y"] == [1.0, 1.0, 2.0, 2.0, None, 3.0, 3.0]
    assert each["x"][4:6] == ["2026-01-30T01:00:00", "2026-01-30T01:30:00"]
    assert each["customdata"][0] == "2026-01-30T00:00Z"
    assert len(each["x"]) == len(each["y"]) == len(each["customdata"])


def test_log_growth_is_drawn_in_the_preferred_unit() -> None:
    figure = sub_daily_figure(data(unit="MiB/s", hours=[hour(0)]))
    assert traces(figure)["Mean of the hour"]["y"] == [3_600.0]
    assert figure["layout"]["annotations"][0]["text"] == "MB/hour; hours in UTC"


def test_rules_with_the_same_limit_share_a_line_over_the_full_width() -> None:
    crossings = [builder.crossing(rule_id=rule, limit_value=90.0) for rule in ("A", "B")]
    drawn = traces(sub_daily_figure(data(hours=[hour(0, 40.0)], crossings=crossings)))
    limit = drawn["Limit 90 % (A, B)"]
    assert limit["y"] == [90.0, 90.0]
    assert limit["x"] == ["2026-01-30T00:00:00", "2026-02-01T00:00:00"]


def test_only_marks_of_the_days_shown_are_drawn() -> None:
    inside = DayMark(date(2026, 1, 30), "stopped")
    timed = DayMark(date(2026, 1, 31), "MQ 9.4", at_utc=BEGIN + 26 * HOUR)
    outside = DayMark(date(2026, 1, 2), "stopped before")
    marks = ChartMarks(stops=[inside, outside], releases=[timed])
    figure = sub_daily_figure(data(hours=[hour(0)], marks=marks))
    drawn = traces(figure)
    assert drawn["Stops and restarts"]["x"] == ["2026-01-30T12:00"]
    assert drawn["MQ release in the records"]["x"] == ["2026-01-31T02:00:00"]
    assert figure["layout"]["shapes"][0]["x0"] == "2026-01-31T02:00:00"


def test_without_any_value_there_are_still_axes() -> None:
    figure = sub_daily_figure(data())
    assert figure["data"] == []
    assert figure["layout"]["yaxis"]["range"] == [0, 1.0]
    assert figure["layout"]["xaxis"]["range"] == ["2026-01-30T00:00:00", "2026-02-01T00:00:00"]


@pytest.mark.parametrize("theme", list(Theme))
def test_the_colours_are_those_of_the_theme(theme: Theme) -> None:
    drawn = traces(sub_daily_figure(data(hours=[hour(0)]), theme))
    assert drawn["Highest interval of the hour"]["line"]["color"] == PALETTES[theme].peak


def test_the_address_of_an_instant_is_in_utc() -> None:
    local = datetime.fromisoformat("2026-01-05T07:30+01:00")
    assert hour_address(local) == "2026-01-05T06:30Z"
