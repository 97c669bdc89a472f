"""Numbers, units, unit costs and typed amounts: one form for all."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.numbers import (
    ABSENT,
    UNBOUNDED,
    decimals,
    duration,
    figure,
    percent,
    probability,
    quantity,
    share,
    unit_words,
)
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from tests.factories import DAY, unit_cost


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (12.0, "12"),
        (0.555555, "0.5556"),
        (0.0005, "0.0005"),
        (0.00001234, "0.00001234"),
        (-1e-9, "-0.000000001"),
        (27.4649, "27.46"),
        (27.5, "27.5"),
        (-1.158, "-1.158"),
        (99.996, "100"),
        (100.04, "100"),
        (4_882.8125, "4,882.8"),
        (9_999.96, "10,000"),
        (45_298.4, "45,298"),
        (1_000_000.0, "1,000,000"),
        (-12_345.6, "-12,346"),
    ],
)
def test_a_figure_has_the_digits_needed_on_paper_and_no_exponent(value: float, text: str) -> None:
    assert figure(value) == text
    assert decimals(value) == len(text.partition(".")[2])


def test_a_figure_that_does_not_exist_has_one_text() -> None:
    assert figure(None) == figure(math.nan) == ABSENT
    assert quantity(None, "MiB/s") == quantity(None, "%") == percent(None) == ABSENT
    assert probability(None) == ABSENT


def test_infinity_has_no_digits() -> None:
    assert figure(math.inf) == figure(-math.inf) == UNBOUNDED
    assert quantity(math.inf, "h") == "unbounded h"


@given(st.floats(min_value=-1e12, max_value=1e12, allow_nan=False))
def test_a_printed_figure_is_within_half_of_its_last_digit(value: float) -> None:
    read = float(figure(value).replace(",", ""))
    size = abs(value)
    error = size * 0.0005 + 1e-300 if size < 100 else 0.0500001 if size < 10_000 else 0.5000001
    assert abs(read - value) <= error


@given(st.floats(min_value=-1e9, max_value=1e9, allow_nan=False))
def test_no_figure_ends_with_a_zero_after_the_point(value: float) -> None:
    text = figure(value)
    assert "e" not in text
    assert "." not in text or text[-1] not in "0."


def test_a_change_has_its_sign() -> None:
    assert figure(2.5, signed=True) == "+2.5"
    assert figure(-2.5, signed=True) == "-2.5"
    assert quantity(0.25, "points", signed=True) == "+0.25 points"
    assert percent(0.0312, signed=True) == "+3.12 %"


def test_a_percentage_has_a_blank_before_its_sign() -> None:
    assert percent(0.2746) == quantity(27.46, "%") == "27.46 %"
    assert percent(0.57) == "57 %"
    assert percent(-0.111) == "-11.1 %"
    assert percent(12.345678) == "1,234.6 %"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (0.0, "under 1 %"),
        (0.0099, "under 1 %"),
        (0.01, "1 %"),
        (0.514, "51 %"),
        (0.99, "99 %"),
        (0.995, "over 99 %"),
        (1.0, "over 99 %"),
    ],
)
def test_a_probability_is_an_integer_percentage_and_never_certain(ratio: float, text: str) -> None:
    assert probability(ratio) == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (0.0, "0 %"),
        (1e-9, "0.01 %"),
        (0.004, "0.4 %"),
        (0.875, "87.5 %"),
        (0.999999, "99.99 %"),
        (1.0, "100 %"),
    ],
)
def test_a_share_is_100_only_when_nothing_is_missing_and_0_only_when_all_is(
    ratio: float, text: str
) -> None:
    assert share(ratio) == text


def test_a_count_is_printed_with_what_it_is_counted_over() -> None:
    assert quantity(3.0, "count") == quantity(3.0, "") == "3"
    assert quantity(2.0, "count/h") == "2 an hour"
    assert quantity(0.5, "count/s") == "0.5 a second"
    assert quantity(4.0, "count/day") == "4 a day"
    assert quantity(2.0, "waits/h") == "2 waits/h"
    assert unit_words("MiB/s") == "MiB/s"


def test_one_of_a_unit_is_singular_and_symbols_stay() -> None:
    assert quantity(1.0, "adapters") == "1 adapter"
    assert quantity(2.0, "adapters") == "2 adapters"
    assert quantity(1.1, "adapters") == "1.1 adapters"
    assert quantity(99.6, "channels") == "99.6 channels"
    assert quantity(8_771.6, "channels") == "8,772 channels"
    assert quantity(8_771.6, "MiB") == "8,771.6 MiB"
    assert quantity(-1.0, "entries", signed=True) == "-1 entry"
    assert quantity(1.0, "points", signed=True) == "+1 point"
    assert quantity(1.0, "reads per write") == "1 read per write"
    assert quantity(1.0, "waits/h") == "1 wait/h"
    for symbol in ("s", "us", "us per message", "MiB/s", "%"):
        assert quantity(1.0, symbol) == f"1 {symbol}"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (1.25, "1.2 s"),
        (36.6, "36.6 s"),
        (119.0, "119 s"),
        (120.0, "2 min"),
        (1_830.0, "30.5 min"),
        (7_200.0, "2 h"),
        (7_200_000.0, "2,000 h"),
    ],
)
def test_a_duration_has_the_unit_that_reads_best(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (TypedAmount.of(TypedKind.cylinders, 4_883), "CYL(4883)"),
        (TypedAmount.of(TypedKind.more_data_sets, 5_825, 25), "25 x CYL(5825)"),
        (TypedAmount.of("structure_kib", 4_194_304), "SIZE(4194304K)"),
        (TypedAmount.of("log_compression"), "COMPLOG=RLE"),
        (TypedAmount.of(TypedKind.backup_minutes, 45), "every 45 min"),
        (TypedAmount.of(TypedKind.queue_managers, 3), "3 queue managers"),
        (TypedAmount.of(TypedKind.channels, 1), "1 channel"),
        (TypedAmount.of(TypedKind.channels, 12_345), "12,345 channels"),
        (TypedAmount(kind=TypedKind.other, words="as the change says"), "as the change says"),
    ],
)
def test_an_amount_is_rendered_as_it_is_typed(amount: TypedAmount, text: str) -> None:
    assert amount.text == text


@pytest.mark.parametrize(("half_width", "used"), [(24.9, True), (25.0, True), (25.1, False)])
def test_a_cost_is_used_up_to_the_allowed_width_of_its_interval(
    half_width: float, used: bool
) -> None:
    cost = unit_cost(lower=100 - half_width, upper=100 + half_width)
    assert cost.is_used is used


@pytest.mark.parametrize(("size", "used"), [(59, False), (60, True), (61, True)])
def test_a_cost_of_a_small_sample_is_not_used(size: int, used: bool) -> None:
    assert unit_cost(sample_count=size).is_used is used


@pytest.mark.parametrize("value", [0.0, -3.0])
def test_no_cost_is_never_used(value: float) -> None:
    cost = unit_cost(value=value, lower=value, upper=value)
    assert not cost.is_used
    assert "half of the interval is more than 1,000 % of the value" in cost.why_not_used


def test_the_reason_for_which_a_cost_is_not_used_names_both_figures() -> None:
    assert unit_cost().why_not_used == ""
    assert unit_cost(sample_count=12).why_not_used == (
        "the sample has 12 days, at least 60 are required"
    )
    assert unit_cost(lower=50, upper=130).why_not_used == (
        "half of the interval is 40 % of the value, at most 25 % is allowed"
    )


def test_a_cost_that_nothing_has_a_use_for_is_shown_only() -> None:
    cost = unit_cost(shown_only="no rule counts them")
    assert (cost.is_used, cost.why_not_used) == (False, "no rule counts them")
    assert unit_cost(sample_count=12, shown_only="no").why_not_used.startswith("the sample has 12")


def test_value_interval_and_sample_are_printed_with_their_units() -> None:
    assert unit_cost().interval_text == "100 KiB (90 to 120 at 80 %)"
    assert unit_cost().sample_text == f"400 days to {DAY}, r 0.68"
    assert unit_cost(sample_count=1, correlation=None).sample_text == f"1 day to {DAY}"


def test_the_value_of_the_book_is_printed_with_its_source() -> None:
    book = unit_cost().book
    assert book is not None
    assert book.describe() == '90 KiB (CHI-FOOTPRINT-MCA, MP16 (14), "Channels")'
