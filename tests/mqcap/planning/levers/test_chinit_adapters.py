from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.chinit_adapters import CHINIT_ADAPTERS
from tests.mqcap.planning.levers.conftest import ContextOf


def test_thirty_adapters_are_the_first_step_and_120_the_last(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_adapters)
    today = CHINIT_ADAPTERS.today(context)
    assert today == {"adapters": 8}
    assert list(CHINIT_ADAPTERS.grids(context, today)["adapters"]) == [8, 30, 40, 60, 80, 120]


def test_values_up_to_today_s_are_left_out(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_adapters)
    for today, values in ((29, [30, 40]), (30, [40, 60]), (31, [40, 60]), (120, [])):
        adapters = CHINIT_ADAPTERS.grids(context, {"adapters": today})["adapters"]
        assert list(adapters[1:3]) == values, today


def test_the_change_is_typed_as_chiadaps_and_takes_a_restart(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_adapters)
    [change] = CHINIT_ADAPTERS.changes(context, {"adapters": 8}, {"adapters": 30})
    assert change.typed == "CHIADAPS(30)"
    assert CHINIT_ADAPTERS.cost(context, {"adapters": 8}, {"adapters": 30}).chinit_restarts == 1


def test_each_adapter_takes_150_kb_of_31_bit_storage(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_adapters)
    for more, mib in ((1, 0.15), (27, 3.96), (112, 16.41)):
        cost = CHINIT_ADAPTERS.cost(context, {"adapters": 8}, {"adapters": 8 + more})
        assert cost.chinit_31bit_mib == mib, more
