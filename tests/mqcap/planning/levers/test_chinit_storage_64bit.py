from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.chinit_storage_64bit import CHINIT_STORAGE_64BIT
from tests.mqcap.planning.levers.conftest import ContextOf


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
