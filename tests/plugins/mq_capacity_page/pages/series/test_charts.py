"""The chart of the days of a series."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mq_capacity_page.charts import (
    LEGEND_MOST,
    ROOM_RATIO,
    Bars,
    Chart,
    Event,
    Limit,
    Line,
    Role,
    crossing_range,
    position,
)
from mq_capacity_page.pages.series.marks import LeftOut, cleaning
from mq_capacity_page.pages.series.panel import PanelQuery, SeriesDays, days_chart
from mq_capacity_page.pages.series.sub_daily import CHART_DAYS, parts_chart, parts_view
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.rendering import render_part
from mqcap.domain.crossing import CrossingState
from mqcap.domain.metric import Direction, Statistic
from mqcap.queries.courses import weekly
from mqcap.store.models import Observation
from tests.factories import DAY, crossing
from tests.mqcap.lake.parts import growing_log
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import cf_finding
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of


def observed(days: Iterable[tuple[date, float]]) -> list[Observation]:
    """Measured days of the coupling facility of a value each."""
    [newest] = builder.history(builder.CF, 1)
    return [
        newest.model_copy(update={"site_date": day, "peak": value}) for day, value in sorted(days)
    ]


def series(**changed: Any) -> SeriesDays:
    """Eight months of a coupling facility with its forecast and its limit."""
    of = cf_finding()
    values: dict[str, Any] = {
        "facts": builder.facts(builder.CF),
        "day": DAY,
        "observations": observed(builders.history()),
        "forecast": builders.forecast(of),
        "crossings": [crossing(of)],
        "findings": [of],
        "marks": [],
        "statistic": Statistic.peak,
    }
    return SeriesDays(**values | changed)


def daily(span: int = 180, **changed: Any) -> Chart:
    """The chart of half a year of it."""
    made = days_chart(series(**changed), PanelQuery(Statistic.peak, span=span))
    assert made is not None
    return made


def test_the_weekly_peak_is_the_strong_line_over_each_day_and_the_forecast_follows_it() -> None:
    made = daily()
    roles = {line.role: line for line in made.lines}
    assert roles[Role.strong].name == "Highest of the week"
    assert roles[Role.faint].name == "Peak of each day"
    assert len(roles[Role.strong].points) < len(roles[Role.faint].points) / 5
    assert roles[Role.forecast].points[0] == roles[Role.strong].points[-1]
    assert made.now == position(DAY)


def test_of_a_short_time_each_day_is_the_strong_line() -> None:
    made = daily(30)
    assert [line.role for line in made.lines] == [Role.strong, Role.forecast]
    assert made.lines[0].name == "Peak of each day"


def test_a_time_that_a_rule_states_is_drawn_with_its_limits_and_the_worst_of_each_week() -> None:
    stated = {"unit": "h", "direction": Direction.downward, "series_direction": Direction.upward,
              "series_limit": 40.0, "inputs": ()}  # fmt: skip
    findings = [
        builder.finding(rule_id=rule, limit_value=limit, **stated)
        for rule, limit in (("LOG-RUNWAY-12H", 12.0), ("LOG-DAY-ACTIVE", 24.0))
    ]
    made = daily(findings=findings)
    assert made.unit == "h"
    assert [limit.words for limit in made.limits] == ["12 h", "24 h"]
    assert made.lines[0].name == "Lowest of the week"
    highest = max(value for _, value in builders.history())
    assert min(value for _, value in made.lines[0].points if value) == pytest.approx(
        12.0 * 40.0 / highest, rel=0.05
    )


def test_nothing_is_drawn_of_a_time_without_a_measured_day() -> None:
    query = PanelQuery(Statistic.peak)
    assert days_chart(series(observations=[]), query) is None
    assert days_chart(series(), query._replace(span=-1)) is None


def test_nothing_after_the_day_is_drawn_as_measured() -> None:
    later = [*builders.history(), (DAY + timedelta(days=1), 99.0)]
    made = daily(observations=observed(later), forecast=None)
    assert max(at for line in made.lines for at, _ in line.points) <= position(DAY)


def test_a_day_that_was_not_measured_is_a_gap() -> None:
    days = [(day, value) for day, value in builders.history() if day != DAY - timedelta(days=3)]
    made = daily(observations=observed(days))
    faint = next(line for line in made.lines if line.role is Role.faint)
    assert [at for at, value in faint.points if value is None] == [position(DAY) - 3]


def test_a_limit_has_its_value_and_steps_where_a_planned_change_moves_it() -> None:
    rule = crossing(cf_finding()).rule_id
    made = daily(steps={rule: [(DAY + timedelta(days=10), 60.0)]})
    [first, second] = made.limits
    assert first.words.endswith(" %")
    assert (first.last, second.first) == (position(DAY) + 10, position(DAY) + 10)
    assert second.words == "60 %"


def test_a_limit_far_above_all_values_is_named_and_not_drawn() -> None:
    made = daily().model_copy(update={"limits": (Limit(value=1e6, words="1,000,000 %"),)})
    assert made.top < 1_000
    assert ("limit", "Limit 1,000,000 % (above the chart)") in made.legend


def test_a_time_that_has_to_last_is_drawn_however_far_above_the_values() -> None:
    made = daily().model_copy(update={"limits": (Limit(value=1e6, words="12 h", is_lower=True),)})
    assert made.top > 1e6
    assert ("limit", "Limit 12 h") in made.legend


def test_the_legend_has_at_most_six_entries_and_limits_share_one() -> None:
    made = small(
        bars=tuple(Bars(name=f"part {n}", points=((0.0, 1.0),)) for n in range(9)),
        limits=(Limit(value=12, words="12 h"), Limit(value=24, words="24 h")),
        events=(Event(at=1.0, words="note"),),
    )
    assert len(made.legend) == LEGEND_MOST
    assert ("limit", "Limit 12 h, 24 h") in small(limits=made.limits).legend


def test_a_week_ends_on_the_day_and_stands_for_its_worst_one() -> None:
    days = [(DAY - timedelta(days=back), float(back)) for back in range(16)]
    assert weekly(days, DAY) == [(DAY - timedelta(days=7), 13.0), (DAY, 6.0)]
    assert weekly(days, DAY, min) == [(DAY - timedelta(days=7), 7.0), (DAY, 0.0)]


def test_a_crossing_that_is_not_coming_or_beyond_the_chart_has_no_range() -> None:
    of = cf_finding()
    far = crossing(of, state=CrossingState.not_within_horizon)
    assert crossing_range([far], position(DAY) + 90) is None
    coming = crossing(
        of, state=CrossingState.will_cross, earliest_date=DAY + timedelta(days=5), latest_date=None
    )
    assert crossing_range([coming], position(DAY) + 90) == (position(DAY) + 5, position(DAY) + 90)
    assert crossing_range([coming], position(DAY) + 4) is None


@pytest.mark.parametrize("top", [0.003, 1.0, 7.3, 99.0, 1_234_567.0])
def test_ticks_of_values_are_round_and_few(top: float) -> None:
    highest = Line(name="x", role=Role.strong, points=((0, top / ROOM_RATIO),))
    steps = small(lines=(highest,), limits=()).value_ticks
    assert steps[0] == 0
    assert steps[-1] <= top
    assert 3 <= len(steps) <= 11


@pytest.mark.parametrize("days", [1, 3, 5, 10, 30, 90, 360, 900, 4_000])
def test_ticks_of_time_are_few_at_any_length(days: int) -> None:
    first = position(DAY)
    ticks = small(first=first, last=first + days).time_ticks
    assert 1 <= len(ticks) <= 20
    assert all(first <= at <= first + days for at, _ in ticks)


FACTS = builder.facts(builder.LOG)


@pytest.fixture
def grown(context: PageContext) -> PageContext:
    growing_log(Path(context.settings.lake), last=builder.DAY)
    return context


@pytest.mark.parametrize("is_measured", [True, False])
def test_a_day_without_any_load_is_left_out_as_an_outage(
    context: PageContext, *, is_measured: bool
) -> None:
    days = [each.model_copy(update={"peak": 3.0}) for each in builder.history(builder.LOG)[::-1]]
    outage = days[30].site_date
    days[30] = days[30].model_copy(update={"peak": 0.0})
    made = cleaning(
        context.settings, FACTS, Statistic.peak, days if is_measured else [], builder.DAY
    )
    assert made.removed == (((outage, LeftOut.outage),) if is_measured else ())


def test_the_table_has_values_of_both_ends_and_shares(grown: PageContext) -> None:
    view = parts_view(grown, FACTS, builder.DAY)
    assert view is not None
    assert str(view.growth) == "+720 MB/hour"
    assert view.then_days == "2 Jan to 8 Jan 2026"
    assert [(row["part"], row["share"]) for row in view.rows] == [
        ("PAY.IN", "100 %"),
        ("ORDER.IN", "0 %"),
        ("all others", "0 %"),
    ]


def test_the_chart_has_the_measured_days_of_two_months(grown: PageContext) -> None:
    chart = parts_chart(grown, FACTS, builder.DAY)
    assert chart is not None
    assert [part.name for part in chart.bars] == ["ORDER.IN", "PAY.IN", "all others"]
    assert {len(part.points) for part in chart.bars} == {30}
    assert chart.last - chart.first == CHART_DAYS


def test_days_before_the_first_part_have_no_parts(grown: PageContext) -> None:
    earlier = builder.DAY - timedelta(days=60)
    assert parts_view(grown, FACTS, earlier) is None
    assert parts_chart(grown, FACTS, earlier) is None
    assert parts_view(grown, builder.facts(builder.CF), builder.DAY) is None


def test_the_page_of_a_series_with_parts_has_their_table_and_chart(
    filled: TestClient, site_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing_log(site_folder / "parts", last=builder.DAY)
    monkeypatch.setenv("MQCAP_LAKE", str(site_folder / "parts"))
    answer = filled.get(f"/series?series={builder.LOG}&grain=parts")
    assert "Why it grew: +720 MB/hour" in text_of(answer)
    assert any(row.startswith("PAY.IN") for row in rows_of(answer))
    assert 'class="part-1"' in answer.text


HOSTILE = "<script>&\"'"


def drawn(chart: Chart) -> str:
    """Return the SVG of a chart."""
    page = bytes(render_part("chart.html", chart=chart).body).decode()
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
    rows = json.loads(chart.values)
    assert all(0 <= row["x"] <= 100 for row in rows)
    assert any(row["v"].get("Event") == "MQ 9.4" for row in rows)
    assert any("Range of 80 %" in row["v"] for row in rows)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", row["at"]) for row in rows)


def test_an_hour_has_the_address_of_its_records() -> None:
    line = Line(name="x", role=Role.strong, points=((20_000.25, 1.0),))
    [row] = json.loads(small(first=20_000, last=20_001, lines=(line,)).values)
    assert row["at"] == "2024-10-04T06:00Z"
