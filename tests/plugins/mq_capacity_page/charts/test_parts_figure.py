"""Bars of parts under the mean of the day."""

from __future__ import annotations

from datetime import date

import pytest

from mq_capacity_page.charts.parts_figure import PartsChartData, parts_figure
from mq_capacity_page.charts.themes import PALETTES, PART_COLOURS, Theme
from mqcap.domain.attribution import PartKind
from mqcap.domain.attribution.stack import Layer, Stack

DAYS = (date(2026, 10, 1), date(2026, 10, 3))
STACK = Stack(
    DAYS,
    (3.0, 4.0),
    (
        Layer(PartKind.queue, "PAY.IN", (1.0, 2.5)),
        Layer(PartKind.other, "others", (1.5, 1.5)),
        Layer(PartKind.unexplained, "unexplained", (0.5, 0.0)),
    ),
)


@pytest.mark.parametrize("theme", list(Theme))
def test_each_part_is_a_bar_and_the_metric_a_line(theme: Theme) -> None:
    drawn = parts_figure(PartsChartData("%", PartKind.queue, STACK), theme)
    bars = [trace for trace in drawn["data"] if trace["type"] == "bar"]
    assert [trace["name"] for trace in bars] == ["PAY.IN", "all others", "unexplained"]
    assert [trace["y"] for trace in bars] == [[1.0, 2.5], [1.5, 1.5], [0.5, 0.0]]
    palette = PALETTES[theme]
    assert [trace["marker"]["color"] for trace in bars] == [
        PART_COLOURS[theme][0],
        palette.cutoff,
        palette.grid,
    ]
    line = drawn["data"][-1]
    assert (line["name"], line["y"]) == ("Mean of the day", [3.0, 4.0])
    assert line["x"] == ["2026-10-01", "2026-10-03"]
    assert drawn["layout"]["barmode"] == "stack"
    assert drawn["layout"]["annotations"][0]["text"] == "%; by queue"


def test_the_axis_holds_the_highest_day() -> None:
    drawn = parts_figure(PartsChartData("%", PartKind.queue, STACK))
    assert drawn["layout"]["yaxis"]["range"] == [0, pytest.approx(4.32)]


def test_log_write_rates_are_drawn_in_the_unit_of_the_reader() -> None:
    drawn = parts_figure(PartsChartData("MiB/s", PartKind.queue, STACK))
    assert drawn["data"][-1]["y"] == [10_800.0, 14_400.0]
    assert drawn["layout"]["annotations"][0]["text"] == "MB/hour; by queue"


def test_no_days_are_an_empty_chart() -> None:
    drawn = parts_figure(PartsChartData("%", PartKind.queue, Stack((), (), ())))
    assert drawn["layout"]["yaxis"]["range"] == [0, 1.0]
