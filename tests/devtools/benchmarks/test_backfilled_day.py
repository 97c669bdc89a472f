"""What the benchmark of a backfilled day prints."""

from __future__ import annotations

from devtools.benchmarks.backfilled_day import ReplayedDay, lines
from devtools.benchmarks.step_costs import StepCost


def test_a_day_is_compared_by_its_own_time_and_its_steps_are_means() -> None:
    first = ReplayedDay({"fit": 1.0, "size": 0.5}, StepCost("2026-11-22", 1.0, 2.0, 10))
    second = ReplayedDay({"fit": 3.0, "size": 1.8}, StepCost("2026-11-23", 2.0, 4.6, 10))
    assert [" ".join(line.split()) for line in lines([first, second])] == [
        "fit 2.00 s",
        "size 1.15 s",
        "a day 1.50 s 3.30 s of CPU",
        "0.35 of the 4.3 s of a6c623b",
    ]
