from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.page_set import PAGE_SET, PAGES_MAX, PAGES_PER_CYLINDER
from tests.mqcap.planning.levers.conftest import ContextOf


def test_today_s_pages_follow_from_use_and_share(context_of: ContextOf) -> None:
    assert PAGE_SET.today(context_of(ResourceKind.page_set)) == {"pages": 180_000}


def test_page_sets_grow_by_whole_cylinders_up_to_64_gib(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.page_set)
    values = PAGE_SET.grids(context, {"pages": 180_000})["pages"]
    assert values[1] == 1_100 * PAGES_PER_CYLINDER
    assert PAGES_MAX - PAGES_PER_CYLINDER < int(values[-1]) <= PAGES_MAX
    assert all(int(value) % PAGES_PER_CYLINDER == 0 for value in values)


def test_the_change_is_typed_in_cylinders_and_costs_their_difference(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.page_set)
    before, after = {"pages": 180_000}, {"pages": 216_000}
    [change] = PAGE_SET.changes(context, before, after)
    assert change.typed == "CYL(1200)"
    assert PAGE_SET.cost(context, before, after).cylinders == 200
    assert PAGE_SET.cost(context, before, before).cylinders == 0
