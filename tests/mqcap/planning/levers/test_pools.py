"""Buffer pools and page sets."""

from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from mqcap.judging.observed import Observed
from mqcap.planning.levers.pools import (
    BUFFER_POOL,
    BUFFERS_MAX,
    PAGE_SET,
    PAGES_MAX,
    PAGES_PER_CYLINDER,
)
from mqcap.store.models import WindowDay
from tests.mqcap.planning.levers.conftest import ContextOf


def test_buffers_rise_in_round_numbers_to_twenty_times_today_s(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.buffer_pool)
    today = BUFFER_POOL.today(context)
    assert today == {"buffers": 50_000}
    values = BUFFER_POOL.grids(context, today)["buffers"]
    assert list(values[:3]) == [50_000, 51_000, 52_000]
    assert values[-1] == 1_000_000 < BUFFERS_MAX


def test_a_buffer_takes_a_page_of_real_storage(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.buffer_pool)
    cost = BUFFER_POOL.cost(context, {"buffers": 50_000}, {"buffers": 75_600})
    assert cost.real_storage_mib == 100
    assert cost.cylinders == 0


def test_the_change_is_typed_as_buffers(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.buffer_pool)
    [change] = BUFFER_POOL.changes(context, {"buffers": 50_000}, {"buffers": 62_000})
    assert change.typed == "BUFFERS(62000)"
    assert change.text == "Give the pool 62,000 buffers instead of 50,000."
    assert (change.settings, change.before) == ({"buffers": 62_000}, {"buffers": 50_000})


def test_a_pool_of_fewer_buffers_than_mq_takes_is_given_the_least_or_more(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.buffer_pool)
    for today, values in ((3, [3, 100]), (60, [60, 100, 110, 120]), (99, [99, 100, 110])):
        grid = BUFFER_POOL.grids(context, {"buffers": today})["buffers"]
        assert list(grid[: len(values)]) == values


def test_page_sets_may_move_to_the_least_used_pool(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.buffer_pool)
    assert BUFFER_POOL.alternatives(context, {}) == ()
    days = [
        WindowDay("buffer_pool_used_pct", f"PLEX1/CSQ1/{pool}", SubjectKind.buffer_pool, "%",
                  context.site_date, used, used, used)
        for pool, used in (("BP01", 90.0), ("BP02", 38.0), ("BP03", 60.0))
    ]  # fmt: skip
    observed = Observed(days, context.site_date, 35)
    other_facts = context._replace(facts=context.facts._replace(observed=observed))
    [other] = BUFFER_POOL.alternatives(other_facts, {})
    assert other.changes[0].text.startswith(
        "Move its busiest page sets to BP02, of which at most 38 % are in use"
    )


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
