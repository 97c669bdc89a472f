"""When plans are due and how they are evaluated."""

from datetime import date, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.finding import Severity
from mqcap.planning.compose import Due, due_of
from mqcap.planning.context import State
from mqcap.planning.evaluation import breaks_on, facts_with, finding_with, kept
from mqcap.planning.states import cheapest, cheapest_of_rising
from mqcap.settings import ChangeFreeze
from tests.factories import console_state
from tests.mqcap.planning.builders import DAY, QUEUE_MANAGER, active_log_of, facts_of, fill, planned

RULE = "LOG-FILL-30MIN"
PEAK, GROWTH = 0.9, 0.003
FILL_LIMIT_MIB_PER_S = 2_048 / 1_800
SIZES = st.lists(st.integers(1, 50), min_size=1, max_size=4, unique=True).map(sorted)
COUNTS = st.lists(st.integers(1, 40), min_size=1, max_size=8, unique=True).map(sorted)


def due(
    folder: Path, lead_days: int, peak: float = PEAK, freezes: tuple[ChangeFreeze, ...] = ()
) -> tuple[Due, date | None]:
    alerts = {"lead_time_days": {"default": lead_days}, "change_freezes": freezes}
    context = active_log_of(facts_of(folder, peak, growth_per_day=GROWTH, alerts=alerts))
    pair = fill(context)
    return due_of(context, [pair], RULE), breaks_on(context, pair, context.facts)


@pytest.mark.parametrize("lead_days", [0, 14, 60])
def test_it_is_the_first_day_over_the_limit_less_the_lead_time(
    tmp_path: Path, lead_days: int
) -> None:
    found, breaks = due(tmp_path, lead_days)
    assert breaks is not None
    assert DAY + timedelta(days=60) < breaks <= DAY + timedelta(days=180)
    assert found == (breaks - timedelta(days=lead_days), breaks, RULE)


def test_where_that_is_over_it_is_the_day_itself_and_without_a_limit_the_horizon(
    tmp_path: Path,
) -> None:
    late, breaks = due(tmp_path / "late", 170)
    assert breaks is not None
    assert (late.due_date, late.breaks_on) == (DAY, breaks)
    over, _ = due(tmp_path / "over", 14, peak=1.3)
    assert over == (DAY, DAY, RULE)
    never = due(tmp_path / "never", 14, peak=0.2)
    assert never == ((DAY + timedelta(days=180), None, ""), None)


def test_a_change_freeze_makes_it_earlier(tmp_path: Path) -> None:
    free, _ = due(tmp_path / "free", 14)
    freeze = ChangeFreeze(first=free.due_date - timedelta(days=9), last=free.due_date)
    frozen, _ = due(tmp_path / "frozen", 14, freezes=(freeze,))
    assert frozen.due_date == freeze.first - timedelta(days=1)


def test_of_an_outage_the_rule_is_named_whose_arithmetic_gives_it(tmp_path: Path) -> None:
    context = active_log_of(facts_of(tmp_path, 1.3))
    named = (RULE, "LOG-RUNWAY-12H")
    over = [pair for pair in context.pairs if pair.rule.id in named]
    assert due_of(context, over, "CONSOLE-LOG") == (DAY, DAY, RULE)
    full = console_state(site_date=DAY, last_date=DAY)
    context.facts.observed.states = (full,)
    assert due_of(context, over, "CONSOLE-LOG") == (DAY, DAY, "LOG-RUNWAY-12H")


def test_kept_is_the_first_day_on_which_the_bound_fails_if_any(tmp_path: Path) -> None:
    context = active_log_of(facts_of(tmp_path, 0.8, growth_per_day=0.004))
    keeps = kept(context, fill(context), context.facts)
    assert keeps.is_forecast
    days = (keeps.fails_from - DAY).days if keeps.fails_from else 0
    limit = FILL_LIMIT_MIB_PER_S
    assert 0.8 * (1 + 0.004 * (days - 1)) + 0.001 <= limit < 0.8 * (1 + 0.004 * days) + 0.001
    context = active_log_of(facts_of(tmp_path / "never", 0.5))
    assert kept(context, fill(context), context.facts) == (None, True)


def test_settings_of_a_scenario_part_change_the_result(tmp_path: Path) -> None:
    context = active_log_of(facts_of(tmp_path, 1.2))
    pair = fill(context)
    before = finding_with(pair, context.facts)
    changed = facts_with(context, [{"subject": QUEUE_MANAGER, "active_log_size_mib": 4_095.7}])
    after = finding_with(pair, changed)
    assert before is not None
    assert after is not None
    assert (before.severity, after.severity) == (Severity.act, Severity.ok)
    assert facts_with(context, []) == context.facts


def test_a_planned_change_of_the_estate_counts_from_its_day_on(tmp_path: Path) -> None:
    coming = planned(60, active_log_size_mib=1_024)
    context = active_log_of(facts_of(tmp_path, 0.8, planned=coming))
    keeps = kept(context, fill(context), context.facts)
    assert keeps.fails_from == DAY + timedelta(days=60)


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
def test_of_one_rising_setting_today_s_is_kept_else_the_smallest_that_keeps_the_rules(
    floor: int, found: State | None
) -> None:
    grids = {"size": [3, 4, 5]}
    kept = cheapest_of_rising(grids, lambda state: int(state["size"]) >= floor, lambda _: 1.0)
    assert kept == found
    dearest_first = cheapest(grids, lambda _: True, lambda state: -int(state["size"]))
    assert dearest_first == {"size": 3}
