from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.chinit_storage_31bit import CHINIT_STORAGE_31BIT
from tests.mqcap.planning.levers.conftest import ContextOf


def test_no_more_channels_can_move_than_run(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    today = CHINIT_STORAGE_31BIT.today(context)
    assert today == {"channels_moved": 0}
    values = CHINIT_STORAGE_31BIT.grids(context, today)["channels_moved"]
    assert list(values[:3]) == [0, 10, 11]
    assert values[-1] == 4_250


def test_each_channel_takes_work(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    few, many = (
        CHINIT_STORAGE_31BIT.cost(context, {"channels_moved": 0}, {"channels_moved": count})
        for count in (10, 110)
    )
    assert many.work_hours - few.work_hours == 100 * context.facts.settings.plan.channel_hours


def test_the_release_that_moves_channels_above_the_bar_is_a_way_out(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    before, after = {"channels_moved": 0}, {"channels_moved": 1_200}
    [change] = CHINIT_STORAGE_31BIT.changes(context, before, after)
    assert change.typed == "1200 channels"
    assert "1,200 message channels" in change.text
    assert "9.4" in CHINIT_STORAGE_31BIT.ways_out
