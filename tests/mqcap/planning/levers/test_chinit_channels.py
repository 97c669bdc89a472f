from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.chinit_channels import CHINIT_CHANNELS, MAXCHL_MAX
from tests.mqcap.planning.levers.conftest import ContextOf


def test_maxchl_rises_in_round_numbers_to_9999(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_channels)
    today = CHINIT_CHANNELS.today(context)
    assert today == {"maxchl": 5_000}
    values = CHINIT_CHANNELS.grids(context, today)["maxchl"]
    assert (values[1], values[-1]) == (5_100, MAXCHL_MAX)


def test_at_the_maximum_nothing_larger_can_be_typed(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_channels)
    assert list(CHINIT_CHANNELS.grids(context, {"maxchl": MAXCHL_MAX})["maxchl"]) == [MAXCHL_MAX]


def test_the_change_is_typed_as_maxchl_and_takes_a_restart(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_channels)
    [change] = CHINIT_CHANNELS.changes(context, {"maxchl": 5_000}, {"maxchl": 6_000})
    assert change.typed == "MAXCHL(6000)"
    cost = CHINIT_CHANNELS.cost(context, {"maxchl": 5_000}, {"maxchl": 6_000})
    assert cost.chinit_restarts == 1
