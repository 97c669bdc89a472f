"""Frame of every chart: colours, buttons, ticks and hover text."""

from __future__ import annotations

from typing import Any

import pytest

from mq_capacity_page.charts.frame import CONFIG, DATE_AXIS, corner_label, frame, hover_text
from mq_capacity_page.charts.themes import PALETTES, Theme

THREE_WEEKS_MS = 21 * 24 * 3_600 * 1_000


@pytest.mark.parametrize("theme", list(Theme))
def test_a_saved_picture_has_the_background_of_its_theme(theme: Theme) -> None:
    palette = PALETTES[theme]
    made = frame(palette)
    assert made["paper_bgcolor"] == made["hoverlabel"]["bgcolor"] == palette.ground
    assert made["font"]["color"] == made["hoverlabel"]["font"]["color"] == palette.text


def test_no_chart_is_sent_to_another_server() -> None:
    assert CONFIG["showSendToCloud"] is False
    assert CONFIG["plotlyServerURL"] == ""


def test_ticks_less_than_three_weeks_apart_are_days_and_others_months() -> None:
    axis: dict[str, Any] = dict(DATE_AXIS)
    days, months = axis["tickformatstops"]
    assert days["dtickrange"] == [None, THREE_WEEKS_MS]
    assert months["dtickrange"] == [THREE_WEEKS_MS, None]
    assert "%-d" in days["value"]
    assert "%-d" not in months["value"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("", "%{y:,.4~r} MB/hour"), ("Peak", "%{y:,.4~r} MB/hour<extra>Peak</extra>")],
)
def test_the_text_of_a_point_has_its_unit_and_the_name_of_its_line(name: str, text: str) -> None:
    assert hover_text("MB/hour", name) == text


def test_the_unit_is_above_the_value_axis_and_takes_no_width() -> None:
    label = corner_label("MB/hour", PALETTES[Theme.dark])
    assert (label["text"], label["x"], label["y"]) == ("MB/hour", 0, 1)
    assert label["font"]["color"] == PALETTES[Theme.dark].text
    assert -label["xshift"] < frame(PALETTES[Theme.dark])["margin"]["l"]
