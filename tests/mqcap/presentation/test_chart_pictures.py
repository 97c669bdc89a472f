"""Charts are pictures of plain values, the same for the same values, with the key of these."""

from __future__ import annotations

import struct

import pytest

from mqcap.presentation.chart_pictures import draw
from mqcap.presentation.charts import chart_data, key_of_picture, picture_key
from tests.factories import DAY, crossing
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import cf_finding, problem
from tests.mqcap.presentation.test_charts import data

pytestmark = pytest.mark.thorough


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


def test_a_picture_has_the_key_of_what_it_was_drawn_from() -> None:
    for content in (data(), data(unit="MiB")):
        assert key_of_picture(draw(content)) == picture_key(content)
