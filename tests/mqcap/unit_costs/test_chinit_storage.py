"""Base and KiB for each channel from the highest values of four weeks."""

from datetime import timedelta
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from devtools.simulator.queue_manager import simulate_queue_manager, simulated_period
from devtools.simulator.spec import sample_spec
from mqcap.domain.unit_cost import NOT_MEASURABLE, UnitCost, UnitCostKind
from mqcap.store.feeds import replace_feed_days
from mqcap.unit_costs.chinit_storage import (
    PERIOD_LEAST_DAYS,
    STORAGE,
    book_value,
    four_week_peaks,
    learn,
    refuted,
)
from mqcap.unit_costs.interval import Fitted
from mqcap.unit_costs.learning_data import LearningData, Paired
from tests.factories import feed_day
from tests.mqcap.rulebook.builders import DAY
from tests.mqcap.unit_costs.builders import CHINIT, MANAGER, channels, data_in, measured

BELOW = UnitCostKind.chinit_31bit_kib_per_channel
ABOVE = UnitCostKind.chinit_64bit_kib_per_channel


BASE_MIB: Final = 160.0
KIB_EACH: Final = 210.0
WEEK: Final = (1.0, 0.98, 0.97, 0.98, 0.99, 0.45, 0.4)
COUNT: Final = 224


def swinging(place: int) -> float:
    """Channels that grow by the day and are few at weekends, with a little that is of no order."""
    return float(round((2_000 + 8 * place) * WEEK[place % 7] * (1 + 0.006 * np.sin(place * 2.4))))


def sawtooth_mib(place: int, base_mib: float = BASE_MIB, kib_each: float = KIB_EACH) -> float:
    """Storage of the most channels since the last restart, one in four weeks, in whole MiB."""
    since = range(place - place % 28, place + 1)
    return float(round(base_mib + kib_each * max(swinging(each) for each in since) / 1_024))


def above_mib(place: int) -> float:
    return sawtooth_mib(place, 90, 12)


def cost_in(data: LearningData, kind: UnitCostKind = BELOW) -> UnitCost:
    cost = learn(data, kind, CHINIT)
    assert cost is not None
    return cost


def learnt(folder: Path, kind: UnitCostKind, count: int = COUNT, version: str = "") -> UnitCost:
    data = data_in(folder)
    replace_feed_days(data.engine, DAY, DAY, [feed_day(MANAGER, site_date=DAY, mq_level=version)])
    measured(data.engine, "channels_current_count", CHINIT, swinging, count)
    measured(data.engine, "chinit_31bit_used_mib", CHINIT, sawtooth_mib, count)
    measured(data.engine, "chinit_64bit_used_mib", CHINIT, above_mib, count)
    return cost_in(data, kind)


def test_the_planted_base_and_kib_per_channel_are_found_in_spite_of_weekends_and_sawtooth(
    tmp_path: Path,
) -> None:
    cost = learnt(tmp_path, BELOW)
    assert cost.value == pytest.approx(KIB_EACH, rel=0.01)
    assert cost.base == pytest.approx(BASE_MIB, abs=3)
    assert cost.lower < KIB_EACH < cost.upper
    assert (cost.sample_count, cost.sample_of, cost.base_unit) == (8, "four-week peak", "MiB")
    assert cost.is_used
    assert "sawtooth" in cost.caveats[0]


@pytest.mark.parametrize(("name", "kind"), [("CSQ3", BELOW), ("CSQ2", ABOVE)])
def test_the_cost_that_the_sample_plants_is_inside_the_interval(
    tmp_path: Path, name: str, kind: UnitCostKind
) -> None:
    sample = sample_spec()
    every = ((plex, qmgr) for plex in sample.sysplexes for qmgr in plex.qmgrs)
    plex, spec = next(pair for pair in every if pair[1].name == name)
    simulated = simulate_queue_manager(plex, spec, simulated_period(sample, DAY, DAY))
    assert simulated is not None
    days, places = np.unique(simulated.grid.local_day, return_inverse=True)
    planted = spec.chinit
    used, kib = (
        (simulated.used_31bit_mib, planted.kib_per_channel_31bit)
        if kind is BELOW
        else (simulated.used_64bit_mib, planted.kib_per_channel_64bit)
    )
    data = data_in(tmp_path)
    for metric, values in (("channels_current_count", simulated.channels), (STORAGE[kind], used)):
        peaks = np.zeros(len(days))
        np.maximum.at(peaks, places, values)
        measured(data.engine, metric, CHINIT, peaks.tolist().__getitem__, len(days))
    cost = cost_in(data, kind)
    assert cost.is_used
    assert cost.lower < kib < cost.upper
    assert cost.value == pytest.approx(kib, rel=0.01)


@pytest.mark.parametrize(
    ("base_mib", "why"),
    [
        (-0.1, "base is -0.1 MiB, below 0"),
        (0.0, ""),
        (500.0, ""),
        (500.1, "base is 500.1 MiB, and on one day all of the storage was 500 MiB"),
    ],
)
def test_a_base_below_zero_or_above_the_lowest_storage_refutes_the_line(
    base_mib: float, why: str
) -> None:
    found = refuted(Fitted(0.2, 0.19, 0.21, base=base_mib, correlation=1.0), 500.0)
    assert found.endswith(why)
    assert bool(found) is bool(why)


def test_storage_of_one_day_below_the_base_puts_the_book_in_place_of_the_line(
    tmp_path: Path,
) -> None:
    data = data_in(tmp_path)
    measured(data.engine, "channels_current_count", CHINIT, swinging, COUNT)
    used = [*map(sawtooth_mib, range(9)), 100.0, *map(sawtooth_mib, range(10, COUNT))]
    measured(data.engine, "chinit_31bit_used_mib", CHINIT, used.__getitem__, COUNT)
    cost = cost_in(data)
    assert not cost.is_used
    assert cost.why_not_used.endswith("on one day all of the storage was 100 MiB")
    assert cost.book is not None


@pytest.mark.parametrize(("days", "periods"), [(13, 1), (14, 2), (15, 2)])
def test_four_weeks_with_few_measured_days_are_left_out(days: int, periods: int) -> None:
    assert PERIOD_LEAST_DAYS == 14
    dates = tuple(DAY - timedelta(days=back) for back in reversed(range(28 + days)))
    column = np.arange(28.0 + days)
    found = four_week_peaks(Paired(dates, (column, column + 1)))
    assert len(found.channels) == periods
    assert (found.channels[-1], found.used_mib[-1]) == (27 + days, 28 + days)
    assert found.first_date == (dates[0] if periods == 2 else dates[days])


def test_the_book_has_message_channels_below_the_bar_and_client_channels_above(
    tmp_path: Path,
) -> None:
    above = learnt(tmp_path, ABOVE)
    assert above.value == pytest.approx(12, rel=0.05)
    book, message = book_value(ABOVE), book_value(BELOW)
    assert book is not None
    assert message is not None
    assert above.book == book
    assert (book.value, book.rule) == (8, "CHI-SVRCONN-64")
    assert (message.value, message.rule) == (90, "CHI-FOOTPRINT-MCA")


@pytest.mark.parametrize(
    ("version", "is_measurable"), [("9.3.5", False), ("9.4.0", True), ("9.4.1", True), ("", True)]
)
def test_above_the_bar_nothing_is_learnt_of_a_release_whose_channels_keep_nothing_there(
    tmp_path: Path, version: str, is_measurable: bool
) -> None:
    cost = learnt(tmp_path, ABOVE, version=version)
    assert (cost.interval_text != NOT_MEASURABLE) is is_measurable
    assert cost.is_used is is_measurable
    assert (cost.book is not None) is is_measurable
    assert ("9.3.5" in cost.why_not_used) is not is_measurable


def test_storage_that_falls_as_channels_rise_is_no_cost_of_them(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, "channels_current_count", CHINIT, channels)
    measured(data.engine, "chinit_31bit_used_mib", CHINIT, lambda at: 900 - channels(at) / 16)
    cost = cost_in(data)
    assert cost.value < 0
    assert cost.interval_text == NOT_MEASURABLE
    assert cost.why_not_used.startswith("cost and work do not rise together")
    assert cost.book is not None


@pytest.mark.parametrize(("periods", "used"), [(5, False), (6, True), (7, True)])
def test_a_cost_of_few_four_weeks_is_shown_and_not_used(
    tmp_path: Path, periods: int, used: bool
) -> None:
    cost = learnt(tmp_path, BELOW, periods * 28)
    assert cost.is_used is used
    assert ("at least 6 are required" in cost.why_not_used) is not used


def test_without_common_days_nothing_is_learnt(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, "channels_current_count", CHINIT, channels)
    assert learn(data, BELOW, CHINIT) is None
