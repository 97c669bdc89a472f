"""All unit costs of a site, computed when they are asked for."""

from pathlib import Path

import pytest

from mqcap.domain.unit_cost import UnitCostKind
from mqcap.unit_costs import learnt
from mqcap.unit_costs.learnt import UnitCosts
from tests.mqcap.unit_costs.builders import CF, CHINIT, channels, data_in, measured

BELOW = UnitCostKind.chinit_31bit_kib_per_channel
OTHER = "PLEX1/CSQ11/CHINIT"


def steady(place: int) -> float:
    return 600 + channels(place) / 10


def erratic(place: int) -> float:
    return steady(place) + 400 * (place // 28 % 3)


@pytest.fixture
def costs(tmp_path: Path) -> UnitCosts:
    data = data_in(tmp_path)
    for chinit, used_mib in ((CHINIT, steady), (OTHER, erratic)):
        measured(data.engine, "channels_current_count", chinit, channels, 240)
        measured(data.engine, "chinit_31bit_used_mib", chinit, used_mib, 240)
    return UnitCosts(data.settings, data.engine, data.day)


def test_costs_of_a_subject_are_its_own_and_those_of_its_parts(costs: UnitCosts) -> None:
    assert [cost.subject for cost in costs.below("PLEX1/CSQ1")] == [CHINIT]
    assert [cost.subject for cost in costs.below(CHINIT)] == [CHINIT]
    assert [cost.subject for cost in costs.below()] == [CHINIT, OTHER]
    assert costs.below(CF) == []


def test_only_a_cost_that_is_certain_enough_is_found_for_use(costs: UnitCosts) -> None:
    assert costs.find_used(BELOW, CHINIT) == costs.find(BELOW, CHINIT) is not None
    assert costs.find(BELOW, OTHER) is not None
    assert costs.find_used(BELOW, OTHER) is None
    assert costs.find_used(BELOW, "PLEX1/CSQ7/CHINIT") is None


def test_a_cost_is_computed_once(costs: UnitCosts, monkeypatch: pytest.MonkeyPatch) -> None:
    first = costs.find(BELOW, CHINIT)
    monkeypatch.setattr(learnt, "_LEARNERS", {})
    assert costs.find(BELOW, CHINIT) is first
