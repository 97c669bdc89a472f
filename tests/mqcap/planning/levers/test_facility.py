"""Engines, structures and shared message data sets."""

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from mqcap.judging.observed import Observed
from mqcap.planning.levers.facility import (
    COUPLING_FACILITY,
    SMDS,
    STRUCTURE,
)
from mqcap.store.models import WindowDay
from tests.mqcap.planning.levers.conftest import ContextOf


def test_engines_rise_one_by_one_to_sixteen(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.coupling_facility)
    today = COUPLING_FACILITY.today(context)
    assert today == {"engines": 2}
    assert list(COUPLING_FACILITY.grids(context, today)["engines"]) == [*range(2, 17)]


def test_each_engine_counts_in_the_cost(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.coupling_facility)
    assert COUPLING_FACILITY.cost(context, {"engines": 2}, {"engines": 4}).engines == 2


def test_one_engine_is_named_in_the_singular(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.coupling_facility)
    [change] = COUPLING_FACILITY.changes(context, {"engines": 1}, {"engines": 2})
    assert change.typed == "ICF engines: 2"
    assert change.text == "Give the coupling facility 2 engines instead of 1."


def test_sizes_are_multiples_of_eight_mib_above_today_s(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    today = STRUCTURE.today(context)
    assert today == {"structure_size_mib": 512.0}
    values = [float(value) for value in STRUCTURE.grids(context, today)["structure_size_mib"]]
    assert values[0] == 512
    assert values[1] == 520
    assert values == sorted(set(values))
    assert all(value % 8 == 0 for value in values)


def test_each_copy_gets_the_size_in_kib(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    changes = STRUCTURE.changes(context, {"structure_size_mib": 512.0}, {"structure_size_mib": 600})
    assert [change.subject for change in changes] == [
        "PLEX1/CF01/QSG1APPL1", "PLEX1/CF02/QSG1APPL1",
    ]  # fmt: skip
    assert {change.typed for change in changes} == {"SIZE(614400K)"}
    assert changes[0].text == "Give structure QSG1APPL1 600 MiB instead of 512 MiB."


TODAY = {"smds_buffers": 100, "smds_size_pct": 100}


def test_buffers_of_a_quarter_mib_each_take_real_storage(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.smds)
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
    assert grids["smds_buffers"][-1] == 9_999
    assert list(grids["smds_size_pct"][:3]) == [100, 110, 120]
    assert list(SMDS.grids(context, {"smds_size_pct": 100})) == ["smds_size_pct"]
    assert SMDS.today(context) is None


def test_space_is_that_of_data_sets_which_expand(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.smds)
    after = {**TODAY, "smds_size_pct": 130}
    [change] = SMDS.changes(context, TODAY, after)
    assert change.typed == "DSEXPAND(YES), 1.3 times the space"
    cost = SMDS.cost(context, TODAY, after)
    assert len(cost.unsized) == 1
    assert cost.unsized[0].startswith("+30 % of the shared message data sets of ")
    assert cost.work_hours == pytest.approx(context.facts.settings.plan.change_hours + 0.03)


def test_structures_may_move_to_the_least_busy_facility(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.coupling_facility)
    assert COUPLING_FACILITY.alternatives(context, {}) == ()
    kind = SubjectKind.coupling_facility
    days = [
        WindowDay("cf_busy_pct", f"PLEX1/{name}", kind, "%", context.site_date, busy, busy, busy)
        for name, busy in (("CF01", 26.0), ("CF02", 34.0), ("CF03", 21.5))
    ]
    observed = Observed(days, context.site_date, 35)
    known = context._replace(facts=context.facts._replace(observed=observed))
    [other] = COUPLING_FACILITY.alternatives(known, {})
    assert other.changes[0].text.startswith("Move structures to CF03, which is at most 21.5 % busy")
