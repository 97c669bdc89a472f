"""What may be set, and the states that settings give."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.active_log import ACTIVE_LOG
from mqcap.planning.settable import operand, register, round_values, settable_of
from mqcap.planning.states import States, weighted
from mqcap.settings.analysis import PlanCostWeights, PlanSettings
from tests.mqcap.planning.builders import DAY, active_log_of, facts_of, fill

NO_WEIGHTS = dict.fromkeys(PlanCostWeights.model_fields, 0.0)


def states_of(folder: Path, peak: float, growth: float = 0.0) -> States:
    context = active_log_of(facts_of(folder, peak, growth_per_day=growth))
    today = ACTIVE_LOG.today(context)
    assert today is not None
    return States(context, ACTIVE_LOG, today)


def test_today_costs_nothing_and_has_no_changes(tmp_path: Path) -> None:
    states = states_of(tmp_path, 0.5)
    assert states.cost(states.today).weighted == 0
    assert states.changes(states.today) == ()
    more = {**states.today, "active_logs": 7}
    assert states.cost(more).weighted > 0
    assert [change.settings for change in states.changes(more)] == [{"active_logs": 7}]


def test_a_state_is_applied_once_however_often_it_is_asked(tmp_path: Path) -> None:
    states = states_of(tmp_path, 0.5)
    state = {**states.today, "active_logs": 9}
    assert states.keeps(state, [fill(states.context)])
    assert states.keeps(dict(state), [fill(states.context)])
    assert states.facts(state) is states.facts(dict(state))
    assert states.facts(state) is not states.facts(states.today)


def test_a_fixed_setting_has_only_the_value_of_today(tmp_path: Path) -> None:
    states = states_of(tmp_path, 0.5)
    context = states.context._replace(fixed=frozenset({"active_logs"}))
    fixed = States(context, ACTIVE_LOG, states.today)
    assert list(fixed.grids["active_logs"]) == [states.today["active_logs"]]
    others = states.grids.keys() - {"active_logs"}
    assert all(fixed.grids[name] == states.grids[name] for name in others)


def test_rules_are_kept_until_an_earlier_day_where_they_fail_at_the_horizon(
    tmp_path: Path,
) -> None:
    states = states_of(tmp_path, 0.7, growth=0.004)
    assert not states.keeps(states.today, [fill(states.context)])
    assert states.keeps(states.today, [fill(states.context)], DAY + timedelta(days=60))
    assert states.breaks(fill(states.context), states.today)


def test_each_part_counts_with_its_own_weight() -> None:
    cost = PlanCost(
        cylinders=3, dasd_mib=2, real_storage_mib=5, cf_storage_mib=7, engines=11,
        chinit_restarts=13, queue_manager_restarts=17, ipls=23, file_system_mib=29, work_hours=19,
    )  # fmt: skip
    parts = {
        "cylinder": 3, "real_storage_mib": 5, "cf_storage_mib": 7, "engine": 11,
        "chinit_restart": 13, "queue_manager_restart": 17, "ipl": 23, "file_system_mib": 29,
        "work_hour": 19,
    }  # fmt: skip
    for name, part in parts.items():
        settings = PlanSettings.model_validate({"cost": {**NO_WEIGHTS, name: 2}})
        assert weighted(cost, settings).weighted == 2 * part, name
    settings = PlanSettings.model_validate({"cost": {**NO_WEIGHTS, "real_storage_mib": 2}})
    assert weighted(PlanCost(above_bar_mib=5), settings).weighted == 10


def test_money_is_stated_only_where_every_part_has_a_price() -> None:
    """3 cylinders at 0.5 and 19 h at 100 are 1,901.5; an engine without a price is no 0."""
    prices = {"currency": "EUR", "cylinder": 0.5, "work_hour": 100}
    settings = PlanSettings.model_validate({"prices": prices})
    cost = PlanCost(cylinders=3, work_hours=19, chinit_restarts=1)
    assert weighted(cost, settings).money == 1_901.5
    assert weighted(cost.model_copy(update={"engines": 1}), settings).money is None
    assert weighted(cost.model_copy(update={"unsized": ("+30 %",)}), settings).money is None
    assert weighted(cost, PlanSettings()).money is None


def test_two_modules_for_one_kind_are_an_error() -> None:
    assert settable_of(ResourceKind.coupling_facility)
    with pytest.raises(ConfigurationError, match="coupling_facility"):
        register(operand("engines"))


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
    typed = operand("buffers").typed
    assert [typed(value) for value in (99.0, 99.01)] == ["BUFFERS(99)", "BUFFERS(100)"]
