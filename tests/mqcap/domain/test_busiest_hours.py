"""The curve of the busiest consecutive hours."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from mqcap.domain.busiest_hours import BUSIEST_LENGTHS_H, BusiestHours
from mqcap.domain.finding import InputValue

CURVE = BusiestHours(volumes_mib=(100, 150, 160))
"""100 MiB in the busiest hour, 150 in the busiest two, 160 in the busiest three."""


@pytest.mark.parametrize(
    ("capacity", "hours"),
    [(0, 0), (50, 0.5), (100, 1), (125, 1.5), (160, 3), (210, 3.5), (320, 6), (1_600, 30)],
)
def test_a_capacity_is_filled_by_the_busiest_hours_again_and_again(
    capacity: float, hours: float
) -> None:
    assert CURVE.hours_to_fill(capacity) == pytest.approx(hours)
    assert CURVE.volume_mib(hours) == pytest.approx(capacity)


def test_nothing_fills_where_nothing_is_logged() -> None:
    assert BusiestHours.at_rate(0).hours_to_fill(1) is None


def test_hours_in_which_nothing_is_logged_are_waited_for() -> None:
    pause = BusiestHours(volumes_mib=(100, 100, 100))
    assert pause.hours_to_fill(100) == 3
    assert pause.hours_to_fill(99) == pytest.approx(0.99)


def test_one_rate_fills_in_proportion() -> None:
    assert BusiestHours.at_rate(1).hours_to_fill(43_200) == 12
    assert BusiestHours.at_rate(1).volume_mib(168) == 604_800


def test_growth_multiplies_and_added_work_adds_by_the_hour() -> None:
    assert CURVE.grown(2).volumes_mib == (200, 300, 320)
    assert CURVE.grown(1, 0.01).volumes_mib == (136, 222, 268)
    assert CURVE.grown(1, -1).volumes_mib == (0, 0, 0)


@given(
    st.lists(st.floats(0.1, 1e4), min_size=1, max_size=len(BUSIEST_LENGTHS_H)),
    st.floats(1, 1e6),
    st.floats(0.01, 100),
)
def test_growth_shortens_the_time_as_less_capacity_would(
    rises: list[float], capacity: float, ratio: float
) -> None:
    curve = BusiestHours(volumes_mib=tuple(accumulate(rises)))
    grown = curve.grown(ratio).hours_to_fill(capacity)
    assert grown == pytest.approx(curve.hours_to_fill(capacity / ratio), rel=1e-6, abs=1e-6)


def test_the_text_names_an_hour_half_a_day_and_a_day() -> None:
    assert str(CURVE) == "100 MiB in 1 h"
    assert str(BusiestHours(volumes_mib=tuple(range(1, 25)))) == (
        "1 MiB in 1 h, 12 MiB in 12 h, 24 MiB in 24 h"
    )


def test_an_input_keeps_its_curve_in_a_stored_document() -> None:
    value = InputValue(name="busiest_hours", value=CURVE)
    kind = TypeAdapter(InputValue)
    assert kind.validate_json(kind.dump_json(value)) == value


@pytest.mark.parametrize("volumes", [(), (-1,), (0,) * (len(BUSIEST_LENGTHS_H) + 1)])
def test_a_curve_has_one_volume_a_length_and_none_below_zero(volumes: tuple[float, ...]) -> None:
    with pytest.raises(ValidationError):
        BusiestHours(volumes_mib=volumes)
