from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.smds import DSBUFS_MAX, SMDS
from mqcap.planning.single_setting import round_values
from tests.mqcap.planning.levers.conftest import ContextOf


def test_buffers_of_a_quarter_mib_each_take_real_storage(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    cost = SMDS.cost(context, {"smds_buffers": 100}, {"smds_buffers": 200})
    assert cost.real_storage_mib == 25


def test_buffers_rise_in_round_numbers_to_9999(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    values = SMDS.grids(context, {"smds_buffers": 100})["smds_buffers"]
    assert list(values[:3]) == [100, 110, 120]
    assert values[-1] == DSBUFS_MAX == round_values(100, DSBUFS_MAX)[-1]


def test_buffers_that_are_not_measured_are_not_planned(context_of: ContextOf) -> None:
    assert SMDS.today(context_of(ResourceKind.structure)) is None
    assert SMDS.kind is ResourceKind.smds
