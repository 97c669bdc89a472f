"""Figures with units, in the units of the reader."""

from __future__ import annotations

import pytest

from mqcap.domain.numbers import ABSENT
from mqcap.presentation import display_units
from mqcap.presentation.display_units import DisplayPreferences, Rate
from mqcap.presentation.quantities import growth, headroom, of_limit, quantity


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


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (9.25, "s", "9.2 s"), (119.0, "s", "119 s"), (120.0, "s", "2 min"), (0.5, "min", "30 s"),
        (18.155, "min", "18.2 min"), (89.9, "min", "89.9 min"), (90.0, "min", "1.5 h"),
        (112.9, "min", "1.9 h"), (0.3, "h", "18 min"), (12.0, "h", "12 h"), (71.9, "h", "71.9 h"),
        (72.0, "h", "3 days"), (124.5, "h", "5.2 days"), (1.5, "days", "36 h"), (0.0, "h", "0 s"),
    ],
)  # fmt: skip
def test_a_time_is_printed_in_the_unit_that_reads_best(value: float, unit: str, text: str) -> None:
    assert str(quantity(value, unit)) == text


@pytest.mark.parametrize(
    ("observed", "limit", "text"),
    [
        ((1.88, "h"), (12.0, "h"), "1.9 h of 12 h"),
        ((18.2, "min"), (12.0, "h"), "18.2 min of 12 h"),
        ((0.9067, "MiB/s"), (0.1422, "MiB/s"), "3,264.1 of 511.9 MB/hour"),
        ((2.0, "adapters"), (3.0, "adapters"), "2 of 3 adapters"),
        ((42.9, "%"), (80.0, "%"), "42.9 %, limit 80 %"),
        ((8066.0, "count/h"), (0.0, "count/h"), "8,066 an hour, limit 0 an hour"),
        ((42.9, "%"), (None, "%"), "42.9 %"),
    ],
)
def test_observed_and_limit_are_one_phrase(
    observed: tuple[float, str], limit: tuple[float | None, str], text: str
) -> None:
    assert of_limit(quantity(*observed), quantity(*limit)) == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (-5.37, "under -100 %"), (-1.0, "-100 %"), (-0.99, "-99 %"), (0.4642, "46.42 %"),
        (1.0, "100 %"), (9.0, "over 100 %"), (None, ABSENT),
    ],
)  # fmt: skip
def test_headroom_is_a_share_of_the_limit(ratio: float | None, text: str) -> None:
    assert headroom(ratio) == text
