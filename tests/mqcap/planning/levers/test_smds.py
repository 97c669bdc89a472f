from __future__ import annotations

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.smds import DSBUFS_MAX, SMDS
from tests.mqcap.planning.levers.conftest import ContextOf

TODAY = {"smds_buffers": 100, "smds_size_pct": 100}


def test_buffers_of_a_quarter_mib_each_take_real_storage(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    cost = SMDS.cost(context, TODAY, {**TODAY, "smds_buffers": 200})
    assert (cost.real_storage_mib, cost.unsized) == (25, ())
    [change] = SMDS.changes(context, TODAY, {**TODAY, "smds_buffers": 200})
    assert change.typed == "DSBUFS(200)"


def test_values_rise_in_round_numbers_and_only_what_is_measured_is_planned(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.structure)
    grids = SMDS.grids(context, TODAY)
    assert list(grids["smds_buffers"][:3]) == [100, 110, 120]
    assert grids["smds_buffers"][-1] == DSBUFS_MAX
    assert list(grids["smds_size_pct"][:3]) == [100, 110, 120]
    assert list(SMDS.grids(context, {"smds_size_pct": 100})) == ["smds_size_pct"]
    assert SMDS.today(context) is None


def test_space_is_that_of_data_sets_which_expand(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    after = {**TODAY, "smds_size_pct": 130}
    [change] = SMDS.changes(context, TODAY, after)
    assert change.typed == "DSEXPAND(YES), 1.3 times the space"
    cost = SMDS.cost(context, TODAY, after)
    assert len(cost.unsized) == 1
    assert cost.unsized[0].startswith("+30 % of the shared message data sets of ")
    assert cost.work_hours == pytest.approx(context.facts.settings.plan.change_hours + 0.03)
