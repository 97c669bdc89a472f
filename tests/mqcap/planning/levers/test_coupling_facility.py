from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.coupling_facility import COUPLING_FACILITY, ENGINES_MAX
from tests.mqcap.planning.levers.conftest import ContextOf


def test_engines_rise_one_by_one_to_sixteen(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.coupling_facility)
    today = COUPLING_FACILITY.today(context)
    assert today == {"engines": 2}
    assert list(COUPLING_FACILITY.grids(context, today)["engines"]) == [*range(2, ENGINES_MAX + 1)]


def test_each_engine_counts_in_the_cost(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.coupling_facility)
    assert COUPLING_FACILITY.cost(context, {"engines": 2}, {"engines": 4}).engines == 2


def test_one_engine_is_named_in_the_singular(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.coupling_facility)
    [change] = COUPLING_FACILITY.changes(context, {"engines": 1}, {"engines": 2})
    assert change.typed == "ICF engines: 2"
    assert change.text == "Give the coupling facility 2 engines instead of 1."
