"""The chart of the days of a series."""

from datetime import timedelta
from typing import Any

import pytest

from mq_capacity_page.charts import (
    LEGEND_MOST,
    Bars,
    Chart,
    Event,
    Limit,
    Role,
    position,
)
from mq_capacity_page.pages.series.daily_chart import DailyFigure, days_chart
from mqcap.domain.metric import Statistic
from mqcap.domain.stated_figure import StatedFigure
from tests.factories import DAY, crossing
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import cf_finding


def daily(**changed: Any) -> DailyFigure:
    """Half a year of a coupling facility with its forecast and its limit."""
    of = cf_finding()
    values: dict[str, Any] = {
        "days": sorted(builders.history()),
        "unit": "%",
        "statistic": Statistic.peak,
        "day": DAY,
        "forecast": builders.forecast(of),
        "crossings": [crossing(of)],
        "title": "PLEX1/CF01: CF busy",
    }
    return DailyFigure(**values | changed)


def data(**changed: object) -> Chart:
    made = days_chart(daily())
    assert made is not None
    return made.model_copy(update=changed)


def test_the_weekly_peak_is_the_strong_line_over_each_day_and_the_forecast_follows_it() -> None:
    made = data()
    roles = {line.role: line for line in made.lines}
    assert roles[Role.strong].name == "Highest of the week"
    assert roles[Role.faint].name == "Peak of each day"
    assert len(roles[Role.strong].points) < len(roles[Role.faint].points) / 5
    assert roles[Role.forecast].points[0] == roles[Role.strong].points[-1]
    assert made.now == position(DAY)


def test_of_a_short_time_each_day_is_the_strong_line() -> None:
    made = days_chart(daily(first=DAY - timedelta(days=30)))
    assert made is not None
    assert [line.role for line in made.lines] == [Role.strong, Role.forecast]
    assert made.lines[0].name == "Peak of each day"


def test_a_time_that_a_rule_states_is_drawn_with_its_limits_and_the_worst_of_each_week() -> None:
    stated = StatedFigure(12.0, "h", 40.0, 1.0)
    made = days_chart(daily(stated=stated, stated_limits=[24.0]))
    assert made is not None
    assert made.unit == "h"
    assert [limit.words for limit in made.limits] == ["12 h", "24 h"]
    assert made.lines[0].name == "Lowest of the week"
    highest = max(value for _, value in daily().days)
    assert min(value for _, value in made.lines[0].points if value) == pytest.approx(
        12.0 * 40.0 / highest, rel=0.05
    )


def test_nothing_is_drawn_of_a_time_without_a_measured_day() -> None:
    assert days_chart(daily(days=[])) is None
    assert days_chart(daily(first=DAY + timedelta(days=1))) is None


def test_nothing_after_the_day_is_drawn_as_measured() -> None:
    later = [*daily().days, (DAY + timedelta(days=1), 99.0)]
    made = days_chart(daily(days=later, forecast=None))
    assert made is not None
    assert max(at for line in made.lines for at, _ in line.points) <= position(DAY)


def test_a_day_that_was_not_measured_is_a_gap() -> None:
    days = [(day, value) for day, value in daily().days if day != DAY - timedelta(days=3)]
    made = days_chart(daily(days=days))
    assert made is not None
    faint = next(line for line in made.lines if line.role is Role.faint)
    assert [at for at, value in faint.points if value is None] == [position(DAY) - 3]


def test_a_limit_has_its_value_and_steps_where_a_planned_change_moves_it() -> None:
    rule = crossing(cf_finding()).rule_id
    made = days_chart(daily(steps={rule: [(DAY + timedelta(days=10), 60.0)]}))
    assert made is not None
    [first, second] = made.limits
    assert first.words.endswith(" %")
    assert (first.last, second.first) == (position(DAY) + 10, position(DAY) + 10)
    assert second.words == "60 %"


def test_a_limit_far_above_all_values_is_named_and_not_drawn() -> None:
    made = data(limits=(Limit(value=1e6, words="1,000,000 %"),))
    assert made.top < 1_000
    assert ("limit", "Limit 1,000,000 % (above the chart)") in made.legend


def test_a_time_that_has_to_last_is_drawn_however_far_above_the_values() -> None:
    made = data(limits=(Limit(value=1e6, words="12 h", is_lower=True),))
    assert made.top > 1e6
    assert ("limit", "Limit 12 h") in made.legend


def test_the_legend_has_at_most_six_entries_and_limits_share_one() -> None:
    made = data(
        bars=tuple(Bars(name=f"part {n}", points=((0.0, 1.0),)) for n in range(9)),
        limits=(Limit(value=12, words="12 h"), Limit(value=24, words="24 h")),
        events=(Event(at=1.0, words="note"),),
    )
    assert len(made.legend) == LEGEND_MOST
    assert ("limit", "Limit 12 h, 24 h") in data(limits=made.limits).legend
