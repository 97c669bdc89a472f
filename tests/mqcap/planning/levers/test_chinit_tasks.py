from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.chinit_tasks import CHINIT_TASKS
from tests.mqcap.planning.levers.conftest import ContextOf


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
