"""CF microseconds of a request by structure, and all unit costs of a site."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.unit_costs.facility_requests import book_value, learn
from mqcap.unit_costs.learnt import UnitCosts
from tests.mqcap.rulebook.builders import settings_of
from tests.mqcap.unit_costs.builders import CF, CHINIT, channels, data_in, measured

ONE, OTHER = f"{CF}/QSG1APPL1", f"{CF}/QSG1APPL2"
Rate = Callable[[int], float]


def waves(place: int) -> float:
    return 2_000 + 900 * math.cos(place / 4)


def learnt(folder: Path, other: Rate | None, count: int = 120, **qmgr: str) -> dict[str, UnitCost]:
    """Two engines: 10 us a request of the first structure and 30 of the other, on 5 %."""
    data = replace(data_in(folder), settings=settings_of(folder, **qmgr))
    rates = {ONE: (channels, 10)} | ({OTHER: (other, 30)} if other else {})
    for structure, (rate, _) in rates.items():
        measured(data.engine, "structure_requests_per_s", structure, rate, count)

    def busy(place: int) -> float:
        used_us = sum(rate(place) * cost for rate, cost in rates.values())
        return 5 + used_us / 2 / 10_000 + 0.01 * math.sin(7 * place)

    measured(data.engine, "cf_busy_pct", CF, busy, count)
    measured(data.engine, "cf_engine_count", CF, lambda _: 2.0, count)
    costs = {name: learn(data, UnitCostKind.cf_us_per_request, name) for name in rates}
    return {name: cost for name, cost in costs.items() if cost is not None}


def test_each_structure_has_its_own_cost_where_they_can_be_distinguished(tmp_path: Path) -> None:
    costs = learnt(tmp_path, waves)
    assert costs[ONE].value == pytest.approx(10, rel=0.05)
    assert costs[OTHER].value == pytest.approx(30, rel=0.05)
    assert all(cost.is_used for cost in costs.values())


def test_requests_that_rise_and_fall_together_have_one_cost(tmp_path: Path) -> None:
    costs = learnt(tmp_path, lambda place: 3 * channels(place))
    assert costs[ONE].value == costs[OTHER].value == pytest.approx((10 + 3 * 30) / 4, rel=0.02)
    assert any("rise and fall together" in caveat for caveat in costs[ONE].caveats)


@pytest.mark.parametrize(("count", "used"), [(59, False), (60, True), (61, True)])
def test_a_single_structure_needs_enough_days(tmp_path: Path, count: int, used: bool) -> None:
    cost = learnt(tmp_path, None, count, qsg="QSG1")[ONE]
    assert cost.book == book_value()
    assert cost.value == pytest.approx(10, rel=0.05)
    assert cost.is_used is used
    assert not any("rise and fall together" in caveat for caveat in cost.caveats)


@pytest.mark.parametrize(
    ("structures", "has_book"),
    [
        (["QSG1APPL1", "ISGLOCK"], [False, False]),
        (["QSG1APPL1", "QSG1CSQ_ADMIN", "ISGLOCK"], [True, True, False]),
    ],
)
def test_structures_of_no_known_group_have_no_figure_of_mp16(
    tmp_path: Path, structures: list[str], has_book: list[bool]
) -> None:
    data = data_in(tmp_path)
    for name in structures:
        measured(data.engine, "structure_requests_per_s", f"{CF}/{name}", channels)
    measured(data.engine, "cf_busy_pct", CF, lambda place: 5 + channels(place) / 1_000)
    measured(data.engine, "cf_engine_count", CF, lambda _: 2.0)
    kind = UnitCostKind.cf_us_per_request
    costs = [learn(data, kind, f"{CF}/{name}") for name in structures]
    assert [cost is not None and cost.book is not None for cost in costs] == has_book
    about = [" ".join(cost.caveats) if cost else "" for cost in costs]
    words = ["no known queue sharing group" in text for text in about]
    assert words == [not each for each in has_book]


def test_requests_that_never_change_or_without_busy_time_give_no_cost(tmp_path: Path) -> None:
    assert learnt(tmp_path, lambda _: 500.0) == {}
    data = data_in(tmp_path / "idle")
    measured(data.engine, "structure_requests_per_s", ONE, channels)
    assert learn(data, UnitCostKind.cf_us_per_request, ONE) is None


BELOW = UnitCostKind.chinit_31bit_kib_per_channel
OTHER_CHINIT = "PLEX1/CSQ11/CHINIT"


def steady(place: int) -> float:
    return 600 + channels(place) / 10


def erratic(place: int) -> float:
    return steady(place) + 400 * (place // 28 % 3)


@pytest.fixture
def costs(tmp_path: Path) -> UnitCosts:
    data = data_in(tmp_path)
    for chinit, used_mib in ((CHINIT, steady), (OTHER_CHINIT, erratic)):
        measured(data.engine, "channels_current_count", chinit, channels, 240)
        measured(data.engine, "chinit_31bit_used_mib", chinit, used_mib, 240)
    return UnitCosts(data.settings, data.engine, data.day)


def test_costs_of_a_subject_are_its_own_and_those_of_its_parts(costs: UnitCosts) -> None:
    assert [cost.subject for cost in costs.below("PLEX1/CSQ1")] == [CHINIT]
    assert [cost.subject for cost in costs.below(CHINIT)] == [CHINIT]
    assert [cost.subject for cost in costs.below()] == [CHINIT, OTHER_CHINIT]
    assert costs.below(CF) == []


def test_only_a_cost_that_is_certain_enough_is_found_for_use(costs: UnitCosts) -> None:
    assert costs.find_used(BELOW, CHINIT) == costs.find(BELOW, CHINIT) is not None
    assert costs.find(BELOW, OTHER_CHINIT) is not None
    assert costs.find_used(BELOW, OTHER_CHINIT) is None
    assert costs.find_used(BELOW, "PLEX1/CSQ7/CHINIT") is None


def test_a_cost_is_computed_once(costs: UnitCosts, monkeypatch: pytest.MonkeyPatch) -> None:
    first = costs.find(BELOW, CHINIT)
    monkeypatch.setattr("mqcap.unit_costs.learnt._LEARNERS", {})
    assert costs.find(BELOW, CHINIT) is first
