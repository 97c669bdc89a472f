"""What the benchmark of the aggregation makes of its times."""

from __future__ import annotations

import pytest

from devtools.benchmarks.aggregate import ROWS_BEFORE, Marginal, cost_line
from devtools.benchmarks.step_costs import StepCost


def test_a_further_row_costs_what_the_other_dates_took() -> None:
    marginal = Marginal(all_seconds=8.0, some_seconds=2.0, share=0.25)
    assert marginal.row_microseconds(2_000_000) == pytest.approx(6.0 / 1.5)


@pytest.mark.parametrize(
    ("some_seconds", "growth"), [(2.0, 4.0), (3.0, 8 / 3), (1.7, pytest.approx(8.0 / 1.7))]
)
def test_four_times_the_rows_are_those_of_a_straight_line(
    some_seconds: float, growth: float
) -> None:
    marginal = Marginal(all_seconds=8.0, some_seconds=some_seconds, share=0.25)
    assert marginal.growth == pytest.approx(growth)


def test_a_ratio_to_the_former_release_is_that_of_the_time_of_a_row() -> None:
    cost = StepCost("load", 44.0, 80.0, 2_000.0)
    former = " ".join(cost_line(cost, 2 * ROWS_BEFORE).split())
    assert former.endswith("a6c623b 88 s for 1,330,000 rows: 0.25 of it a row")
    assert "a6c623b" not in cost_line(cost, 0)
