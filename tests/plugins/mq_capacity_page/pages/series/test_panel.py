"""The chart of a page as SVG, and what its pointer reads."""

import json
import re
import xml.etree.ElementTree as ET

from mq_capacity_page.charts import Bars, Chart, Event, Limit, Line, Role
from mq_capacity_page.pages.series.panel import chart_values, panel_of
from mq_capacity_page.web.rendering import render_part

HOSTILE = "<script>&\"'"


def drawn(chart: Chart) -> str:
    """Return the SVG of a chart."""
    page = bytes(render_part("chart.html", panel=panel_of(chart)).body).decode()
    return page[page.index('<svg class="chart-svg"') : page.index("<output")]


def small(**changed: object) -> Chart:
    """Four days; a limit at half of the height."""
    values: dict[str, object] = {
        "title": "CSQ1",
        "unit": "h",
        "first": 0.0,
        "last": 4.0,
        "lines": (
            Line(
                name="Each day",
                role=Role.strong,
                points=((0, 10.0), (1, 20.0), (2, None), (3, 10.0), (4, 10.0)),
            ),
        ),
        "limits": (Limit(value=12, words="12 h"),),
    }
    return Chart.model_validate(values | changed)


def test_a_chart_is_wellformed_whatever_its_words_are() -> None:
    hostile = small(
        title=HOSTILE, unit=HOSTILE, limits=(Limit(value=1, words=HOSTILE),),
        events=(Event(at=1, words=HOSTILE),),
    )  # fmt: skip
    text = drawn(hostile)
    ET.fromstring(text)  # noqa: S314 - our own text
    assert "<script>" not in text


def test_the_unit_is_on_the_axis_and_the_value_of_a_limit_beside_the_plot() -> None:
    text = drawn(small())
    assert '<text class="unit" x="-44" y="-14">h</text>' in text
    assert re.search(r'<text class="of-limit" x="100%" dx="6"[^>]*>12 h</text>', text)


def test_a_gap_divides_a_line() -> None:
    assert (drawn(small())).count('<polyline class="strong"') == 2


def test_values_of_limits_that_are_close_stand_apart() -> None:
    close = (Limit(value=12, words="12 h"), Limit(value=12.1, words="12.1 h"))
    text = drawn(small(limits=close))
    places = [float(y) for y in re.findall(r'class="of-limit"[^>]*y="([\d.]+)%"', text)]
    assert abs(places[0] - places[1]) > 5


def test_bars_stand_on_each_other() -> None:
    bars = tuple(Bars(name=name, points=((1, 5.0),)) for name in ("A", "B"))
    text = drawn(small(bars=bars))
    boxes = re.findall(r'class="part-\d" .*? y="([\d.]+)" height="([\d.]+)"', text)
    (upper, height), (above, _) = [(float(y), float(h)) for y, h in boxes]
    assert above + float(boxes[1][1]) == upper
    assert height > 0


def test_the_pointer_reads_day_figures_range_and_event() -> None:
    chart = small(events=(Event(at=3, words="MQ 9.4"),), band=((3.0, 9.0, 11.0),))
    rows = json.loads(chart_values(chart))
    assert all(0 <= row["x"] <= 100 for row in rows)
    assert any(row["v"].get("Event") == "MQ 9.4" for row in rows)
    assert any("Range of 80 %" in row["v"] for row in rows)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", row["at"]) for row in rows)


def test_an_hour_has_the_address_of_its_records() -> None:
    line = Line(name="x", role=Role.strong, points=((20_000.25, 1.0),))
    [row] = json.loads(chart_values(small(first=20_000, last=20_001, lines=(line,))))
    assert row["at"] == "2024-10-04T06:00Z"
