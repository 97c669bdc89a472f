"""Signs, vertical lines and stepping limits of a chart."""

from __future__ import annotations

from datetime import date

import pytest

from mq_capacity_page.charts.marks import (
    ChartMarks,
    DayMark,
    limit_line,
    mark_traces,
    release_marks,
    stop_marks,
)
from mq_capacity_page.charts.series_figure import SeriesChartData, series_figure
from mq_capacity_page.charts.themes import PALETTES, Theme
from tests.plugins import builder
from tests.plugins.mq_capacity_page.charts.test_series_figure import rows
from tests.plugins.mq_capacity_page.marked import note, stopped, upgraded

DAY = builder.DAY


@pytest.mark.parametrize(
    ("steps", "days", "values"),
    [
        ([], ["2026-01-01", "2026-03-01"], [2.0, 2.0]),
        (
            [(date(2026, 2, 1), 3.0)],
            ["2026-01-01", "2026-02-01", "2026-02-01", "2026-03-01"],
            [2.0, 2.0, 3.0, 3.0],
        ),
        ([(date(2026, 4, 1), 3.0)], ["2026-01-01", "2026-03-01"], [2.0, 2.0]),
    ],
    ids=["level", "step", "beyond"],
)
def test_a_limit_steps_on_the_day_of_the_planned_change(
    steps: list[tuple[date, float]], days: list[str], values: list[float]
) -> None:
    assert limit_line((date(2026, 1, 1), date(2026, 3, 1)), 2.0, steps) == (days, values)


def test_the_legend_says_from_when_the_limit_is_another() -> None:
    changed: SeriesChartData = rows(limit_steps={"LOG-FILL-30MIN": [(date(2026, 2, 20), 4.5)]})
    names = [trace["name"] for trace in series_figure(changed)["data"]]
    assert "Limit 2.25 %, 4.5 from 20 Feb 2026 (LOG-FILL-30MIN)" in names


def test_stops_are_those_that_the_records_show() -> None:
    [mark] = stop_marks([stopped(), builder.feed_days()[1]])
    assert mark.site_date == DAY
    assert mark.words == "PLEX1/CSQ1/CHINIT stopped 02:00 to 03:00 UTC"


def test_a_new_level_of_mq_is_marked_with_its_words_where_the_records_show_it() -> None:
    [mark] = release_marks(
        [upgraded(), upgraded().model_copy(update={"kind": "channel_initiator"})]
    )
    assert mark.words == "CSQ1: MQ 9.3.5 → 9.4.5"
    figure = series_figure(rows(marks=ChartMarks(releases=[mark])))
    assert mark.words in [label["text"] for label in figure["layout"]["annotations"]]
    assert DAY.isoformat() in [shape["x0"] for shape in figure["layout"]["shapes"]]
    [sign] = [trace for trace in figure["data"] if trace["name"] == "MQ release in the records"]
    assert (sign["x"], sign["text"]) == ([DAY.isoformat()], [f"31 Jan 2026: {mark.words}"])


def test_what_is_marked_has_a_sign_and_words_of_its_own() -> None:
    marks = ChartMarks(notes=[note()], stops=stop_marks([stopped()]))
    drawn = mark_traces(marks, PALETTES[Theme.light])
    assert [(item["name"], item["marker"]["symbol"]) for item in drawn] == [
        ("Notes", "diamond"),
        ("Stops and restarts", "x"),
    ]
    assert drawn[0]["text"] == ["20 Jan 2026: Batch ran twice (anna)"]
    assert mark_traces(ChartMarks(), PALETTES[Theme.light]) == []


def test_what_the_console_reported_is_drawn_on_its_day() -> None:
    mark = DayMark(DAY, "out of active log space (CSQJ111A)")
    [trace] = mark_traces(ChartMarks(states=[mark]), PALETTES[Theme.light])
    assert (trace["name"], trace["x"]) == ("On the console", [DAY.isoformat()])
    assert "CSQJ111A" in trace["text"][0]
