"""Sizes of the mainframe and of memory."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from mqcap.domain import units
from mqcap.domain.units import (
    CYLINDER_3390_BYTES,
    GIB_BYTES,
    KIB_BYTES,
    MIB_BYTES,
    PAGE_BYTES,
    SECONDS_PER_DAY,
    SECONDS_PER_HOUR,
)


def test_a_cylinder_holds_180_control_intervals() -> None:
    assert CYLINDER_3390_BYTES == 180 * PAGE_BYTES


def test_binary_units_are_powers_of_1024() -> None:
    assert [1024**power for power in (1, 2, 3)] == [KIB_BYTES, MIB_BYTES, GIB_BYTES]


def test_a_day_has_24_hours() -> None:
    assert SECONDS_PER_DAY == 24 * SECONDS_PER_HOUR == 86_400


INSIDE: list[tuple[Any, Any]] = [
    (units.Amount, 0.0),
    (units.Positive, 1e-9),
    (units.Count, 0),
    (units.PositiveCount, 1),
    (units.Percent, 0.0),
    (units.Percent, 100.0),
    (units.UsedPercent, 100.1),
    (units.Share, 0.0),
    (units.Share, 1.0),
    (units.Rba, "0"),
    (units.Rba, "00000003A0000000"),
    (units.Rba, "ff"),
]
OUTSIDE: list[tuple[Any, Any]] = [
    (units.Amount, -1e-9),
    (units.Positive, 0.0),
    (units.Count, -1),
    (units.Count, 1.5),
    (units.PositiveCount, 0),
    (units.Percent, -0.1),
    (units.Percent, 100.1),
    (units.UsedPercent, -0.1),
    (units.Share, -0.001),
    (units.Share, 1.001),
    (units.Rba, ""),
    (units.Rba, "0x1F"),
    (units.Rba, "1G"),
    (units.Rba, "0" * 17),
]


@pytest.mark.parametrize(("quantity", "value"), INSIDE)
def test_an_end_of_the_range_belongs_to_it(quantity: Any, value: object) -> None:
    assert TypeAdapter(quantity).validate_python(value) == value


@pytest.mark.parametrize(("quantity", "value"), OUTSIDE)
def test_what_is_outside_of_the_range_is_refused(quantity: Any, value: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(quantity).validate_python(value)
