from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from mqcap.planning.context import State
from mqcap.planning.search import cheapest

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
