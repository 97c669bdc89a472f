"""Search of the cheapest state of a resource that keeps its rules.

The last setting of a resource only helps its rules as it rises along its grid, so it is bisected;
all combinations of the others are tried, cheapest first, unless they cost more than what is found.
Of two settings that both do so, and that cost no less as they rise, both are bisected.
"""

from bisect import bisect_left
from collections.abc import Callable
from itertools import product
from typing import Final

from mqcap.planning.context import Grids, State

_NONE: Final = float("inf")


def cheapest(
    grids: Grids, is_kept: Callable[[State], bool], cost: Callable[[State], float]
) -> State | None:
    """Return the cheapest state of the grids that keeps the rules; ``None`` when none does.

    Of states with equal costs the first of the grids is returned. Today's state, which a planned
    change may mend where a small change would replace it, is tried by itself.
    """
    today: State = {name: values[0] for name, values in grids.items()}
    if is_kept(today):
        return today
    *others, last = grids
    values = grids[last]
    best: State | None = None
    best_cost = _NONE
    combinations = [dict(zip(others, chosen, strict=True)) for chosen in product(
        *(grids[name] for name in others)
    )]  # fmt: skip
    for combination in sorted(combinations, key=lambda state: cost({**state, last: values[0]})):
        affordable = (
            values
            if best is None
            else [value for value in values if cost({**combination, last: value}) < best_cost]
        )
        if not affordable or not is_kept({**combination, last: affordable[-1]}):
            continue
        index = bisect_left(
            range(len(affordable) - 1),
            True,
            key=lambda at: is_kept({**combination, last: affordable[at]}),
        )
        best = {**combination, last: affordable[index]}
        best_cost = cost(best)
    return best


def cheapest_of_rising(
    grids: Grids, is_kept: Callable[[State], bool], cost: Callable[[State], float]
) -> State | None:
    """Return what ``cheapest`` does for one or two settings that only help, and cost, as they rise.

    The cheapest state is one in which neither setting can be smaller: the values of the first rise
    from one such state to the next, those of the last fall.
    """
    today: State = {name: values[0] for name, values in grids.items()}
    if is_kept(today):
        return today
    *others, last = grids
    rows: list[State] = [{name: value} for name in others for value in grids[name]] or [{}]
    values = grids[last]

    def kept(row: int, column: int) -> bool:
        return is_kept({**rows[row], last: values[column]})

    best: State | None = None
    best_cost = _NONE
    row, column = 0, len(values) - 1
    while column >= 0:
        top = column
        row = bisect_left(range(len(rows)), True, lo=row, key=lambda at: kept(at, top))
        if row == len(rows) or cost({**rows[row], last: values[0]}) >= best_cost:
            break
        here = row
        column = bisect_left(range(top), True, key=lambda at: kept(here, at))
        found = {**rows[row], last: values[column]}
        if cost(found) < best_cost:
            best, best_cost = found, cost(found)
        column -= 1
    return best
