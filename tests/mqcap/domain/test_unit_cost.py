"""When a learnt cost is used, and how it is printed."""

from __future__ import annotations

import pytest

from tests.factories import DAY, unit_cost


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
