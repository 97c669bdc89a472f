from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.planning.context import State
from mqcap.planning.search import cheapest, cheapest_of_rising

SIZES = st.lists(st.integers(1, 50), min_size=1, max_size=4, unique=True).map(sorted)
COUNTS = st.lists(st.integers(1, 40), min_size=1, max_size=8, unique=True).map(sorted)


@given(SIZES, COUNTS, st.integers(1, 1_500), st.integers(0, 30))
def test_no_state_of_the_grid_that_keeps_the_rules_is_cheaper(
    sizes: list[int], counts: list[int], capacity: int, per_set: int
) -> None:
    def is_kept(state: State) -> bool:
        return (int(state["count"]) - 1) * int(state["size"]) >= capacity

    def cost(state: State) -> float:
        return int(state["count"]) * (int(state["size"]) + per_set)

    every: list[State] = [{"size": size, "count": count} for size, count in product(sizes, counts)]
    kept = [state for state in every if is_kept(state)]
    result = cheapest({"size": sizes, "count": counts}, is_kept, cost)
    if not kept:
        assert result is None
    else:
        assert result is not None
        assert is_kept(result)
        assert cost(result) == min(map(cost, kept))


def test_today_s_state_is_returned_where_it_keeps_the_rules() -> None:
    assert cheapest({"count": [3, 4, 5]}, lambda _: True, lambda state: int(state["count"])) == {
        "count": 3
    }


def test_no_state_is_returned_where_none_keeps_the_rules() -> None:
    assert cheapest({"count": [3, 4]}, lambda _: False, lambda _: 0.0) is None


FLOORS = st.tuples(st.integers(0, 45), st.integers(0, 45))


@given(COUNTS, COUNTS, FLOORS, st.integers(0, 60), st.booleans())
def test_of_rising_settings_the_cheapest_state_is_found_and_the_first_of_equals(
    depths: list[int], sizes: list[int], floors: tuple[int, int], both: int, is_stepped: bool
) -> None:
    grids = {"depth": depths, "size": sizes}

    def is_kept(state: State) -> bool:
        depth, size = int(state["depth"]), int(state["size"])
        return depth >= floors[0] and size >= floors[1] and depth + size >= both

    def cost(state: State) -> float:
        if is_stepped:
            return sum(state[name] != grids[name][0] for name in grids)
        return 3 * int(state["depth"]) + int(state["size"])

    result = cheapest_of_rising(grids, is_kept, cost)
    expected = cheapest(grids, is_kept, cost)
    assert (result is None) is (expected is None)
    if result is not None and expected is not None:
        assert is_kept(result)
        assert cost(result) == cost(expected)
        assert not is_stepped or result == expected


def test_rising_settings_are_asked_for_few_states() -> None:
    asked = 0

    def is_kept(state: State) -> bool:
        nonlocal asked
        asked += 1
        return int(state["depth"]) >= 300 and int(state["size"]) >= 400

    grids = {"depth": range(500), "size": range(500)}
    found = cheapest_of_rising(grids, is_kept, lambda state: int(state["depth"]))
    assert found == {"depth": 300, "size": 400}
    assert asked < 50


@pytest.mark.parametrize(
    ("floor", "found"), [(3, {"size": 3}), (4, {"size": 4}), (5, {"size": 5}), (6, None)]
)
def test_of_one_rising_setting_the_smallest_value_that_keeps_the_rules_is_found(
    floor: int, found: State | None
) -> None:
    grids = {"size": [3, 4, 5]}
    kept = cheapest_of_rising(grids, lambda state: int(state["size"]) >= floor, lambda _: 1.0)
    assert kept == found
