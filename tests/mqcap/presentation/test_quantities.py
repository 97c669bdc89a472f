"""Figures with units, in the units of the reader."""

from __future__ import annotations

import pytest

from mqcap.domain.numbers import ABSENT
from mqcap.presentation import display_units
from mqcap.presentation.display_units import DisplayPreferences, Rate
from mqcap.presentation.quantities import growth, quantity


def test_a_log_rate_is_printed_per_hour_with_mib_per_second_beside_it() -> None:
    rate = quantity(2.61, "MiB/s")
    assert (rate.text, rate.unit, rate.note) == ("9,396", "MB/hour", "2.61 MiB/s")
    assert str(rate) == "9,396 MB/hour"
    assert rate.full == "9,396 MB/hour (2.61 MiB/s)"


@pytest.mark.parametrize(
    ("rate", "full"),
    [
        (Rate.mib_per_s, "2.61 MiB/s (9,396 MB/hour)"),
        (Rate.cylinders_per_hour, "13,363 cylinders/hour (2.61 MiB/s)"),
    ],
)
def test_a_reader_may_choose_another_rate(rate: Rate, full: str) -> None:
    with display_units.as_in_reports():
        display_units.choose(DisplayPreferences(rate=rate))
        assert quantity(2.61, "MiB/s").full == full
    assert quantity(2.61, "MiB/s").full == "9,396 MB/hour (2.61 MiB/s)"


def test_other_units_are_not_converted() -> None:
    assert quantity(27.4649, "%").full == "27.46 %"
    assert quantity(1_024.0, "MiB").full == "1,024 MiB"
    assert quantity(3.0, "count").full == "3"
    assert quantity(12.0, "count/h").full == "12 an hour"


def test_an_absent_value_has_neither_unit_nor_note() -> None:
    absent = quantity(None, "MiB/s")
    assert (absent.text, absent.unit, absent.note) == (ABSENT, "", "")
    assert absent.full == str(absent) == ABSENT


def test_growth_has_a_sign_and_percentages_grow_by_points() -> None:
    assert growth(1.25, "%").full == "+1.25 points"
    assert growth(-0.3, "MiB/s").full == "-1,080 MB/hour (-0.3 MiB/s)"
    assert growth(0.0, "MiB").full == "+0 MiB"
