"""Charts are pictures of plain values, the same for the same values."""

from __future__ import annotations

import struct
from datetime import timedelta

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.presentation.charts import HISTORY_DAYS, ChartData, chart_data, draw
from tests.factories import DAY, crossing
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import cf_finding, problem

pytestmark = pytest.mark.thorough


def data(**changed: object) -> ChartData:
    of = cf_finding()
    made = chart_data(problem(of, crossing(of)), builders.history(), builders.forecast(of))
    assert made is not None
    return made.model_copy(update=changed)


def test_the_same_values_give_the_same_bytes() -> None:
    assert draw(data()) == draw(data())


def test_a_chart_is_a_png_that_a_phone_can_show() -> None:
    picture = draw(data())
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    assert (width, height) == (768, 408)
    assert len(picture) < 30_000


@pytest.mark.parametrize(
    "changed",
    [
        {"points": ()},
        {"limit_value": None},
        {"latest_date": None},
        {"latest_date": None, "points": ()},
        {"earliest_date": None, "latest_date": None},
        {"history": ((DAY, 0.0),), "points": (), "limit_value": None, "earliest_date": None},
        {"title": "PLEX$1/C$Q1: <peak>", "unit": "$_{x"},
    ],
)
def test_a_chart_is_drawn_whatever_is_absent(changed: dict[str, object]) -> None:
    assert draw(data(**changed)) != draw(data())


@pytest.mark.parametrize("days", range(1, 12))
def test_a_chart_of_few_days_has_days_below_it(days: int) -> None:
    of = cf_finding()
    short = chart_data(problem(of, crossing(of)), builders.history(days=days), None)
    assert short is not None
    assert draw(short.model_copy(update={"earliest_date": None})).startswith(b"\x89PNG")


def test_history_is_sorted_and_ends_on_the_day() -> None:
    later = [(DAY + timedelta(days=1), 99.0)]
    of = cf_finding()
    made = chart_data(problem(of, crossing(of)), [*later, *builders.history(days=300)], None)
    assert made is not None
    assert made.history == tuple(sorted(made.history))
    assert made.history[-1][0] == DAY
    assert len(made.history) == HISTORY_DAYS + 1


def test_without_history_or_series_there_is_no_chart() -> None:
    of = cf_finding()
    assert chart_data(problem(of, crossing(of)), [], None) is None
    assert chart_data(problem(of), builders.history(), None) is None


def test_a_crossing_that_is_not_coming_has_no_range() -> None:
    of = cf_finding()
    far = crossing(of, state=CrossingState.not_within_horizon)
    made = chart_data(problem(of, far), builders.history(), builders.forecast(of))
    assert made is not None
    assert made.earliest_date is None
