"""CF microseconds of a request by structure, from busy time and requests of days."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.unit_costs.facility_requests import book_value, learn
from tests.mqcap.rulebook.builders import settings_of
from tests.mqcap.unit_costs.builders import CF, channels, data_in, measured

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
    cost = learnt(tmp_path, None, count)[ONE]
    assert cost.value == pytest.approx(10, rel=0.05)
    assert cost.is_used is used
    assert not any("rise and fall together" in caveat for caveat in cost.caveats)


def test_the_book_counts_messages(tmp_path: Path) -> None:
    assert book_value().unit == "us per message"
    assert learnt(tmp_path, None, qsg="QSG1")[ONE].book == book_value()


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


def test_requests_that_never_change_give_no_cost(tmp_path: Path) -> None:
    assert learnt(tmp_path, lambda _: 500.0) == {}


def test_without_busy_time_nothing_is_learnt(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, "structure_requests_per_s", ONE, channels)
    assert learn(data, UnitCostKind.cf_us_per_request, ONE) is None
