"""Charts are pictures of plain values, the same for the same values, with the key of these."""

from __future__ import annotations

import struct

import pytest

from mqcap.presentation.chart_colours import LIGHT
from mqcap.presentation.chart_pictures import draw
from mqcap.presentation.charts import Bars, Event, Role
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
        {"band": ()},
        {"limits": ()},
        {"lines": (), "band": (), "limits": ()},
        {"crossing": (10.0, 20.0)},
        {"bars": (Bars(name="A", points=((20_000.0, 5.0),)),)},
        {"events": (Event(at=20_000.0, words="x"),)},
        {"title": "PLEX$1/C$Q1: <peak>", "unit": "$_{x"},
    ],
)
def test_a_chart_is_drawn_whatever_is_in_it(changed: dict[str, object]) -> None:
    assert draw(data(**changed)) != draw(data())


def test_every_kind_of_line_has_its_colour() -> None:
    assert set(Role) <= set(LIGHT)
