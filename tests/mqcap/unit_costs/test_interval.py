"""Slopes, ratios and lines with intervals from blocks of days."""

import math
from pathlib import Path

import numpy as np
import pytest

from mqcap.domain.unit_cost import UnitCostKind
from mqcap.domain.units import MIB_BYTES
from mqcap.unit_costs import learnt as made
from mqcap.unit_costs.interval import Fitted, Vector, ratio, slope, slopes
from mqcap.unit_costs.learnt import LearntLine, UnitCosts, line_of, site_log_bytes
from tests.mqcap.unit_costs.builders import data_in, measured

DAYS = 200
GENERATOR = np.random.default_rng(7)
UNITS: Vector = 1_000 + 500 * np.sin(np.arange(DAYS) / 9) + np.arange(float(DAYS))
NOISE = GENERATOR.normal(0, 40, DAYS)
TWO = np.column_stack([UNITS, 300 + 90 * np.cos(np.arange(DAYS) / 5)])


def line(units: Vector, costs: Vector, block: int = 28, confidence: float = 0.8) -> Fitted:
    found = slope(units, costs, block, confidence)
    assert found is not None
    return found


def test_the_planted_base_and_slope_are_found_and_the_interval_holds_the_slope() -> None:
    found = line(UNITS, 600 + 0.1 * UNITS + NOISE / 10)
    assert found.value == pytest.approx(0.1, rel=0.02)
    assert found.base == pytest.approx(600, rel=0.02)
    assert found.lower < 0.1 < found.upper
    assert found.correlation == pytest.approx(0.99, abs=0.01)


def test_more_noise_and_more_confidence_make_the_interval_wider() -> None:
    narrow, wide = (line(UNITS, 0.1 * UNITS + scale * NOISE) for scale in (0.1, 1.0))
    assert wide.upper - wide.lower > 5 * (narrow.upper - narrow.lower)
    surer = line(UNITS, 0.1 * UNITS + NOISE, confidence=0.95)
    assert surer.upper - surer.lower > wide.upper - wide.lower


def test_days_that_resemble_their_neighbours_need_longer_blocks() -> None:
    drifting = GENERATOR.normal(0, 10, DAYS).cumsum()
    one, month = (line(UNITS, 0.1 * UNITS + drifting, block) for block in (1, 28))
    assert month.upper - month.lower > 1.5 * (one.upper - one.lower)


@pytest.mark.parametrize(
    ("units", "costs"),
    [
        (np.array([]), np.array([])),
        (np.array([1.0]), np.array([2.0])),
        (np.full(9, 3.0), np.arange(9.0)),
        (np.arange(9.0), np.full(9, 3.0)),
    ],
)
def test_without_a_spread_there_is_no_slope(units: Vector, costs: Vector) -> None:
    assert slope(units, costs, 7, 0.8) is None


def test_two_kinds_of_work_are_distinguished() -> None:
    found = slopes(TWO, 50 + TWO @ np.array([2.0, 7.0]) + NOISE, 7, 0.8)
    assert found is not None
    assert [each.value for each in found] == pytest.approx([2.0, 7.0], rel=0.05)
    assert [each.lower < value < each.upper for each, value in zip(found, (2, 7), strict=True)]
    assert found[0].base == found[1].base == pytest.approx(50, abs=40)


def test_as_many_days_as_unknowns_or_work_that_never_changes_give_no_slopes() -> None:
    assert slopes(TWO[:2], UNITS[:2], 7, 0.8) is None
    assert slopes(TWO[:3], UNITS[:3], 7, 0.8) is not None
    assert slopes(np.column_stack([UNITS, np.ones(DAYS)]), UNITS, 7, 0.8) is None
    assert slopes(TWO, np.ones(DAYS), 7, 0.8) is None


def test_a_ratio_is_that_of_the_totals_if_there_is_a_unit_of_work() -> None:
    found = ratio(np.array([1.0, 3.0, 0.0, 4.0]), np.array([4.0, 6.0, 1.0, 5.0]), 1, 0.8)
    assert found is not None
    assert found.value == 2.0
    assert found.lower < 2.0 < found.upper
    assert (found.base, found.correlation) == (None, None)
    assert ratio(np.array([]), np.array([]), 1, 0.8) is None
    assert ratio(np.zeros(5), np.ones(5), 1, 0.8) is None


LOG, PUTS = ("mq_log_written_mib_per_s", "EAST/QM1"), ("mq_put_per_s", "EAST/QM1")


def puts(place: int) -> float:
    return 100 + 40 * math.cos(place / 3)


def line_of_lines(
    folder: Path, count: int = 90, slope: float = 0.02, noise: float = 0.0
) -> LearntLine | None:
    """A log of 0.5 MiB/s and ``slope`` MiB for each put at peak."""
    data = data_in(folder)
    measured(data.engine, *PUTS, puts, count)

    def written(place: int) -> float:
        return 0.5 + slope * puts(place) + noise * math.sin(place * place)

    measured(data.engine, *LOG, written, count)
    return line_of(data, LOG, PUTS)


def test_a_line_has_slope_base_and_sample(tmp_path: Path) -> None:
    found = line_of_lines(tmp_path, noise=0.001)
    assert found is not None
    assert found.value == pytest.approx(0.02, rel=0.01)
    assert found.base == pytest.approx(0.25, rel=0.05)  # means are half of the peaks
    assert (found.why_not, found.day_count) == ("", 90)
    assert "90 days to" in found.sample_text


@pytest.mark.parametrize(
    ("count", "slope", "noise", "why"),
    [
        (59, 0.02, 0.001, "59 days of 60"),
        (60, 0.02, 0.001, ""),
        (61, 0.02, 0.001, ""),
        (90, -0.002, 0.001, "they do not rise together"),
        (90, 0.004, 0.8, "its interval is too wide"),
    ],
)
def test_a_line_of_few_days_that_falls_or_has_a_wide_interval_is_not_used(
    tmp_path: Path, count: int, slope: float, noise: float, why: str
) -> None:
    found = line_of_lines(tmp_path, count, slope, noise)
    assert found is not None
    assert found.why_not == why


def test_a_series_that_does_not_vary_has_no_line(tmp_path: Path) -> None:
    assert line_of_lines(tmp_path, slope=0.0) is None


def test_costs_of_a_day_remember_their_lines(tmp_path: Path) -> None:
    line_of_lines(tmp_path, noise=0.001)
    data = data_in(tmp_path)
    costs = UnitCosts(data.settings, data.engine, data.day)
    assert costs.line(LOG, PUTS) is costs.line(LOG, PUTS)
    assert costs.line(PUTS, ("mq_put_per_s", "EAST/QM9")) is None


KIND = UnitCostKind.mq_log_bytes_per_put
QMGR = "EAST/QM1"
BYTES = 4_096


def swinging(place: int) -> float:
    """Puts that swing by the week."""
    return 100.0 + 20 * (place % 7)


@pytest.mark.parametrize(("days", "is_used"), [(59, False), (60, True), (61, True)])
def test_bytes_of_a_put_and_the_log_without_puts_are_a_line_through_60_days(
    tmp_path: Path, days: int, is_used: bool
) -> None:
    """A queue manager that logs 0.2 MiB/s and 4,096 bytes a put; means are half of the peaks."""
    data = data_in(tmp_path)
    measured(data.engine, made.PUTS, QMGR, swinging, days)
    each_mib = BYTES / MIB_BYTES
    measured(data.engine, made.LOG, QMGR, lambda place: 0.4 + each_mib * swinging(place), days)
    cost = site_log_bytes(data, KIND, QMGR)
    assert cost is not None
    assert cost.value == pytest.approx(BYTES)
    assert (cost.unit, cost.base_unit, cost.sample_of) == ("bytes", "MiB/s", "day")
    assert cost.base == pytest.approx(0.2)
    assert cost.is_used is is_used


def test_without_a_measured_log_there_is_no_cost(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, made.PUTS, QMGR, swinging)
    assert site_log_bytes(data, KIND, QMGR) is None
