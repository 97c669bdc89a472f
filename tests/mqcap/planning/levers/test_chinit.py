"""Adapters, tasks, MAXCHL and MEMLIMIT of a channel initiator."""

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.chinit import (
    CHINIT_STORAGE_64BIT,
    CHINIT_TASKS,
)
from mqcap.planning.levers.declared import DECLARED
from tests.mqcap.planning.levers.conftest import ContextOf

CHINIT_ADAPTERS = DECLARED["adapters"]


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


def test_each_adapter_takes_150_kb_of_31_bit_storage(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_adapters)
    for more, mib in ((1, 0.15), (27, 3.96), (112, 16.41)):
        cost = CHINIT_ADAPTERS.cost(context, {"adapters": 8}, {"adapters": 8 + more})
        assert cost.chinit_31bit_mib == mib, more


def test_memlimit_is_raised_in_whole_gib(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_storage_64bit)
    today = CHINIT_STORAGE_64BIT.today(context)
    assert today == {"memlimit_gib": 2.0}
    assert list(CHINIT_STORAGE_64BIT.grids(context, today)["memlimit_gib"][:3]) == [2.0, 3, 4]


def test_it_takes_a_restart_of_the_channel_initiator_and_storage_to_back_it(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.chinit_storage_64bit)
    cost = CHINIT_STORAGE_64BIT.cost(context, {"memlimit_gib": 2.0}, {"memlimit_gib": 3})
    assert (cost.chinit_restarts, cost.above_bar_mib, cost.real_storage_mib) == (1, 1_024, 0)


def test_the_change_is_typed_as_memlimit(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_storage_64bit)
    before, after = {"memlimit_gib": 2.0}, {"memlimit_gib": 3}
    [change] = CHINIT_STORAGE_64BIT.changes(context, before, after)
    assert change.typed == "MEMLIMIT=3G"
    assert change.text.endswith("to 3 GiB from 2 GiB.")


def test_only_measured_and_configured_tasks_can_change(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_tasks)
    assert CHINIT_TASKS.today(context) == {"dispatchers": 5}


def test_dispatchers_end_at_the_hundred_that_tcp_ip_uses(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_tasks)
    values = CHINIT_TASKS.grids(context, {"dispatchers": 5})["dispatchers"]
    assert list(values[:3]) == [5, 6, 7]
    assert values[-1] == 100


def test_processes_alone_need_no_restart(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_tasks)
    today = {"dispatchers": 5, "omvs_maxprocuser": 25}
    tasks = CHINIT_TASKS.cost(context, today, {**today, "dispatchers": 8})
    processes = CHINIT_TASKS.cost(context, today, {**today, "omvs_maxprocuser": 50})
    assert (tasks.chinit_restarts, processes.chinit_restarts) == (1, 0)
    assert CHINIT_TASKS.cost(context, today, today).work_hours == 0


def test_each_changed_number_is_a_change_of_its_own(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_tasks)
    today = {"dispatchers": 5, "ssltasks": 2, "omvs_maxprocuser": 25}
    changes = CHINIT_TASKS.changes(
        context, today, {"dispatchers": 8, "ssltasks": 2, "omvs_maxprocuser": 30}
    )
    assert [change.typed for change in changes] == ["CHIDISPS(8)", "MAXPROCUSER(30)"]


def test_tasks_take_31_bit_storage_and_processes_take_none(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_tasks)
    today = {"dispatchers": 5, "ssltasks": 2, "omvs_maxprocuser": 25}
    for key, after, mib in (
        ("dispatchers", 15, 1.0),
        ("ssltasks", 12, 14.5),
        ("omvs_maxprocuser", 50, 0.0),
    ):
        cost = CHINIT_TASKS.cost(context, today, {**today, key: after})
        assert cost.chinit_31bit_mib == mib, key
