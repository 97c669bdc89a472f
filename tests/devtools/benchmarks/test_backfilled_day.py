"""What the benchmark of a backfilled day prints."""

from __future__ import annotations

from devtools.benchmarks.backfilled_day import lines
from devtools.benchmarks.step_costs import StepCost


def test_a_day_is_the_sum_of_the_means_of_its_steps_and_compared_by_its_time() -> None:
    first = [StepCost("fit", 1.0, 2.0, 10), StepCost("size", 0.5, 0.5, 10)]
    second = [StepCost("fit", 3.0, 4.0, 10), StepCost("size", 1.8, 0.7, 10)]
    assert [" ".join(line.split()) for line in lines([first, second])] == [
        "fit 2.00 s 3.00 s of CPU",
        "size 1.15 s 0.60 s of CPU",
        "a day 3.15 s 3.60 s of CPU",
        "0.73 of the 4.3 s of a6c623b",
    ]
