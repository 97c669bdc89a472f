from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mqcap.planning.single_setting import amount, round_values


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_round_values_rise_with_two_digits_up_to_the_highest(low: int, high: int) -> None:
    values = round_values(low, high)
    assert values == sorted(set(values))
    assert all(low < value <= high for value in values)
    assert all(len(str(value).rstrip("0")) <= 2 for value in values[:-1])
    assert not values or values[-1] == high


def test_round_values_leave_no_number_of_two_digits_out() -> None:
    assert round_values(96, 130) == [97, 98, 99, 100, 110, 120, 130]
    assert round_values(24_278, 26_000) == [25_000, 26_000]
    assert round_values(7, 7) == []


def test_an_amount_is_rounded_up_to_what_can_be_typed() -> None:
    typed = amount("buffers")
    assert [typed(value).text for value in (99.0, 99.01)] == ["BUFFERS(99)", "BUFFERS(100)"]
