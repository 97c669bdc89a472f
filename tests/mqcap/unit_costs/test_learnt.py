"""All unit costs of a site, computed when they are asked for."""

from pathlib import Path

import pytest

from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.unit_costs import learnt
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.learnt import UnitCosts
from mqcap.unit_costs.log_bytes import book_value, learn, subjects
from sizing.rulebook.registry import get
from tests.mqcap.unit_costs.builders import (
    CF,
    CHINIT,
    MANAGER,
    channels,
    data_in,
    measured,
    record,
    write_rows,
)

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


KIND = UnitCostKind.log_bytes_per_persistent_put


def filled(folder: Path, hours: int = 72, pages_per_put: int = 2) -> LearningData:
    data = data_in(folder)
    lake = Path(data.settings.lake)
    puts = [1_000 + 100 * (hour % 24) for hour in range(hours)]
    messages = [
        record(hour, qmstspp=count, qmstpbp=2_048 * count) for hour, count in enumerate(puts)
    ]
    logs = [record(hour, qjstbffl=pages_per_put * count) for hour, count in enumerate(puts)]
    write_rows(lake, "section_qmst", messages)
    write_rows(lake, "section_qjst", logs)
    return data


def learnt_of_log_bytes(data: LearningData) -> UnitCost:
    cost = learn(data, KIND, MANAGER)
    assert cost is not None
    return cost


def test_all_that_is_logged_is_shared_out_over_the_persistent_puts(tmp_path: Path) -> None:
    data = filled(tmp_path)
    cost = learnt_of_log_bytes(data)
    assert subjects(data) == [MANAGER]
    assert (cost.value, cost.unit_size_bytes) == (8_192, 2_048)
    assert (cost.sample_count, cost.sample_of) == (72, "interval")
    assert cost.is_used


def test_the_book_has_put_and_get_of_the_mean_length(tmp_path: Path) -> None:
    put, got = (
        get(f"LOG-BYTES-{call}-LOCAL").answer({"message_bytes": 2_048, "pattern": pattern})
        for call, pattern in (("PUT", "put_then_commit"), ("GET", "get_then_commit"))
    )
    expected = put["log_bytes_per_message"] + got["log_bytes_per_message"]
    assert book_value(2_048).value == pytest.approx(expected)
    assert learnt_of_log_bytes(filled(tmp_path)).book == book_value(2_048)


@pytest.mark.parametrize(("hours", "used"), [(47, False), (48, True), (49, True)])
def test_a_cost_of_few_intervals_is_not_used(tmp_path: Path, hours: int, used: bool) -> None:
    assert learnt_of_log_bytes(filled(tmp_path, hours)).is_used is used


def test_without_puts_or_records_nothing_is_learnt(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    assert learn(data, KIND, MANAGER) is None
    lake = Path(data.settings.lake)
    idle = data_in(tmp_path)
    write_rows(lake, "section_qmst", [record(1, qmstspp=0, qmstpbp=0), record(2, qmstspp=None)])
    write_rows(lake, "section_qjst", [record(1, qjstbffl=5), record(2, qjstbffl=5)])
    assert learn(idle, KIND, MANAGER) is None
