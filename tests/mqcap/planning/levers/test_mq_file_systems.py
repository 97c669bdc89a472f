"""File systems of a distributed queue manager."""

from __future__ import annotations

import pytest

from mqcap.domain.plan import PlanCost, total_cost
from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.mq_file_systems import DATA_FILE_SYSTEM, LOG_FILE_SYSTEM_SIZE
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results

LOG, DATA = ResourceKind.mq_log_file_system, ResourceKind.mq_data_file_system


@pytest.mark.parametrize(
    ("kind", "settable", "key"),
    [
        (LOG, LOG_FILE_SYSTEM_SIZE, "log_file_system_size_pct"),
        (DATA, DATA_FILE_SYSTEM, "data_file_system_size_pct"),
    ],
)
def test_sizes_are_in_per_cent_of_that_of_today(
    site_day: SiteDay, kind: ResourceKind, settable: object, key: str
) -> None:
    assert settable in (LOG_FILE_SYSTEM_SIZE, DATA_FILE_SYSTEM)
    chosen = LOG_FILE_SYSTEM_SIZE if kind is LOG else DATA_FILE_SYSTEM
    context = site_day.context(kind)
    today = chosen.today(context)
    assert today == {key: 100}
    sizes = chosen.grids(context, today)[key]
    assert (sizes[0], sizes[1], sizes[-1]) == (100, 110, 1_000)
    [change] = chosen.changes(context, {key: 100}, {key: 150})
    assert change.typed == "150 % of the size of today"
    assert "1.5 times as large as it is" in change.text
    assert chosen.cost(context, {key: 100}, {key: 150}).queue_manager_restarts == 0


@pytest.mark.parametrize(("kind", "rule"), [(LOG, "DST-LOG-FS"), (DATA, "DST-QM-FS")])
def test_with_the_planned_size_what_if_finds_the_rule_kept(
    site_day: SiteDay, kind: ResourceKind, rule: str
) -> None:
    assert bad_results(site_day, kind) == ({rule}, set())


def test_more_of_a_size_that_is_not_known_is_named_in_place_of_its_mib(site_day: SiteDay) -> None:
    context = site_day.context(DATA)
    key = "data_file_system_size_pct"
    manager = context.resource.owner_subject.rpartition("/")[2]
    cost = DATA_FILE_SYSTEM.cost(context, {key: 100}, {key: 180})
    assert cost.unsized == (f"+80 % of the data file system of {manager}",)
    assert cost.file_system_mib == 0
    assert total_cost([PlanCost(file_system_mib=112), cost, cost]).unsized == cost.unsized
