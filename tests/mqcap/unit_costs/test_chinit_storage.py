"""Base and KiB for each channel from the peaks of days."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.unit_costs.chinit_storage import book_value, learn, subjects
from tests.mqcap.unit_costs.builders import CHINIT, channels, data_in, measured

BELOW = UnitCostKind.chinit_31bit_kib_per_channel
ABOVE = UnitCostKind.chinit_64bit_kib_per_channel


def below_mib(place: int) -> float:
    return 596 + 107 * channels(place) / 1_024 + 3 * (place % 11)


def above_mib(place: int) -> float:
    return below_mib(place) - 95 * channels(place) / 1_024


def learnt(folder: Path, kind: UnitCostKind, count: int = 120) -> UnitCost | None:
    data = data_in(folder)
    measured(data.engine, "channels_current_count", CHINIT, channels, count)
    measured(data.engine, "chinit_31bit_used_mib", CHINIT, below_mib, count)
    measured(data.engine, "chinit_64bit_used_mib", CHINIT, above_mib, count)
    assert subjects(data) == [CHINIT]
    return learn(data, kind, CHINIT)


def test_the_planted_base_and_kib_per_channel_are_found(tmp_path: Path) -> None:
    cost = learnt(tmp_path, BELOW)
    assert cost is not None
    assert cost.value == pytest.approx(107, rel=0.05)
    assert cost.base == pytest.approx(611, rel=0.05)
    assert cost.lower < 107 < cost.upper
    assert (cost.sample_count, cost.sample_of, cost.base_unit) == (120, "day", "MiB")
    assert cost.is_used
    assert "sawtooth" in cost.caveats[0]


def test_the_book_has_message_channels_below_the_bar_and_client_channels_above(
    tmp_path: Path,
) -> None:
    above = learnt(tmp_path, ABOVE)
    assert above is not None
    assert above.value == pytest.approx(12, rel=0.1)
    assert above.book == book_value(ABOVE)
    assert (book_value(ABOVE).value, book_value(ABOVE).rule) == (8, "CHI-SVRCONN-64")
    assert "channels before 9.4 none" in above.caveats[-1]
    assert (book_value(BELOW).value, book_value(BELOW).rule) == (90, "CHI-FOOTPRINT-MCA")


@pytest.mark.parametrize(("count", "used"), [(59, False), (60, True), (61, True)])
def test_a_cost_of_few_days_is_shown_and_not_used(tmp_path: Path, count: int, used: bool) -> None:
    cost = learnt(tmp_path, BELOW, count)
    assert cost is not None
    assert cost.is_used is used


def test_storage_that_does_not_follow_the_channels_is_not_used(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, "channels_current_count", CHINIT, channels)
    measured(data.engine, "chinit_31bit_used_mib", CHINIT, lambda place: 600.0 + place * 7 % 50)
    cost = learn(data, BELOW, CHINIT)
    assert cost is not None
    assert not cost.is_used
    assert cost.book is not None


def test_without_common_days_nothing_is_learnt(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, "channels_current_count", CHINIT, channels)
    assert learn(data, BELOW, CHINIT) is None
