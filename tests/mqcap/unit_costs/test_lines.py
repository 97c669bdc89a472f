"""Lines through daily means of two series."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from mqcap.unit_costs.learnt import UnitCosts
from mqcap.unit_costs.lines import LearntLine, line_of
from tests.mqcap.unit_costs.builders import data_in, measured

LOG, PUTS = ("mq_log_written_mib_per_s", "EAST/QM1"), ("mq_put_per_s", "EAST/QM1")


def puts(place: int) -> float:
    return 100 + 40 * math.cos(place / 3)


def line(
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
    found = line(tmp_path, noise=0.001)
    assert found is not None
    assert found.value == pytest.approx(0.02, rel=0.01)
    assert found.base == pytest.approx(0.25, rel=0.05)  # means are half of the peaks
    assert (found.why_not, found.day_count) == ("", 90)
    assert "90 days to" in found.sample_text


@pytest.mark.parametrize(("count", "why"), [(59, "59 days of 60"), (60, ""), (61, "")])
def test_a_line_needs_enough_days(tmp_path: Path, count: int, why: str) -> None:
    found = line(tmp_path, count, noise=0.001)
    assert found is not None
    assert found.why_not == why


def test_a_line_that_falls_is_not_used(tmp_path: Path) -> None:
    found = line(tmp_path, slope=-0.002, noise=0.001)
    assert found is not None
    assert found.why_not == "they do not rise together"


def test_a_line_with_a_wide_interval_is_not_used(tmp_path: Path) -> None:
    found = line(tmp_path, slope=0.004, noise=0.8)
    assert found is not None
    assert found.why_not == "its interval is too wide"


def test_a_series_that_does_not_vary_has_no_line(tmp_path: Path) -> None:
    assert line(tmp_path, slope=0.0) is None


def test_a_series_without_days_has_no_line(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, *PUTS, puts, 90)
    assert line_of(data, LOG, PUTS) is None


def test_costs_of_a_day_remember_their_lines(tmp_path: Path) -> None:
    line(tmp_path, noise=0.001)
    data = data_in(tmp_path)
    costs = UnitCosts(data.settings, data.engine, data.day)
    assert costs.line(LOG, PUTS) is costs.line(LOG, PUTS)
    assert costs.line(PUTS, ("mq_put_per_s", "EAST/QM9")) is None
