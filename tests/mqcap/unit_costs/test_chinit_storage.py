"""Base and KiB for each channel from the peaks of days."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.unit_cost import NOT_MEASURABLE, UnitCost, UnitCostKind
from mqcap.store.feeds import replace_feed_days
from mqcap.unit_costs.chinit_storage import book_value, learn, subjects
from tests.factories import feed_day
from tests.mqcap.rulebook.builders import DAY
from tests.mqcap.unit_costs.builders import CHINIT, MANAGER, channels, data_in, measured

BELOW = UnitCostKind.chinit_31bit_kib_per_channel
ABOVE = UnitCostKind.chinit_64bit_kib_per_channel


def below_mib(place: int) -> float:
    return 596 + 107 * channels(place) / 1_024 + 3 * (place % 11)


def above_mib(place: int) -> float:
    return below_mib(place) - 95 * channels(place) / 1_024


def learnt(
    folder: Path, kind: UnitCostKind, count: int = 120, version: str = ""
) -> UnitCost | None:
    data = data_in(folder)
    replace_feed_days(data.engine, DAY, DAY, [feed_day(MANAGER, site_date=DAY, mq_level=version)])
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
    book, message = book_value(ABOVE), book_value(BELOW)
    assert book is not None
    assert message is not None
    assert above.book == book
    assert (book.value, book.rule) == (8, "CHI-SVRCONN-64")
    assert (message.value, message.rule) == (90, "CHI-FOOTPRINT-MCA")


@pytest.mark.parametrize(
    ("version", "is_measurable"),
    [("9.3.5", False), ("9.4.0", True), ("9.4.1", True), ("", True)],
)
def test_above_the_bar_nothing_is_learnt_of_a_release_whose_channels_keep_nothing_there(
    tmp_path: Path, version: str, is_measurable: bool
) -> None:
    cost = learnt(tmp_path, ABOVE, version=version)
    assert cost is not None
    assert (cost.interval_text != NOT_MEASURABLE) is is_measurable
    assert cost.is_used is is_measurable
    assert (cost.book is not None) is is_measurable
    assert ("9.3.5" in cost.why_not_used) is not is_measurable


def test_below_the_bar_the_release_makes_no_difference(tmp_path: Path) -> None:
    cost = learnt(tmp_path, BELOW, version="9.3.5")
    assert cost is not None
    assert cost.is_used


def test_storage_that_falls_as_channels_rise_is_no_cost_of_them(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, "channels_current_count", CHINIT, channels)
    measured(data.engine, "chinit_31bit_used_mib", CHINIT, lambda at: 900 - channels(at) / 16)
    cost = learn(data, BELOW, CHINIT)
    assert cost is not None
    assert cost.value < 0
    assert cost.interval_text == NOT_MEASURABLE
    assert cost.why_not_used.startswith("cost and work do not rise together")
    assert cost.book is not None


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
