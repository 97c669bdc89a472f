"""Sizes of the mainframe and of memory."""

from __future__ import annotations

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
