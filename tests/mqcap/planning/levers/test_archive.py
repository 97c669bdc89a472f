from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.archive import ARCHIVE, MAXARCH_MAX
from tests.mqcap.planning.levers.conftest import ContextOf


def test_archive_logs_rise_in_round_numbers_to_a_thousand(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.archive)
    today = ARCHIVE.today(context)
    assert today == {"maxarch": 500}
    values = ARCHIVE.grids(context, today)["maxarch"]
    assert (values[1], values[-1]) == (510, MAXARCH_MAX)
    assert list(ARCHIVE.grids(context, {"maxarch": 1_000})["maxarch"]) == [1_000]


def test_more_archive_logs_take_neither_space_nor_restart(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.archive)
    cost = ARCHIVE.cost(context, {"maxarch": 500}, {"maxarch": 700})
    assert (cost.cylinders, cost.queue_manager_restarts) == (0, 0)
    assert cost.work_hours == context.facts.settings.plan.change_hours


def test_the_change_is_typed_as_maxarch(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.archive)
    [change] = ARCHIVE.changes(context, {"maxarch": 500}, {"maxarch": 700})
    assert change.typed == "MAXARCH=700"
