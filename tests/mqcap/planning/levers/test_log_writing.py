from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.log_writing import LOG_WRITING, OUTBUFF_MAX_KB
from tests.mqcap.planning.levers.conftest import ContextOf


def test_outbuff_goes_to_its_maximum_at_once(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.active_log)
    assert list(LOG_WRITING.grids(context, {"outbuff_kb": 3_999})["outbuff_kb"]) == [
        3_999, OUTBUFF_MAX_KB,
    ]  # fmt: skip
    assert list(LOG_WRITING.grids(context, {"outbuff_kb": 4_000})["outbuff_kb"]) == [4_000]


def test_it_takes_a_restart_of_the_queue_manager(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.active_log)
    cost = LOG_WRITING.cost(context, {"outbuff_kb": 1_000}, {"outbuff_kb": 4_000})
    assert cost.queue_manager_restarts == 1
    [change] = LOG_WRITING.changes(context, {"outbuff_kb": 1_000}, {"outbuff_kb": 4_000})
    assert change.typed == "OUTBUFF=4000"


def test_without_a_configured_outbuff_nothing_is_planned(context_of: ContextOf) -> None:
    assert LOG_WRITING.today(context_of(ResourceKind.active_log)) is None
    assert LOG_WRITING.needs == ("outbuff_kb",)
