"""Cost of a step with the processes that it starts."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from devtools.benchmarks.step_costs import StepCost, measured


@pytest.mark.thorough
def test_a_process_that_ends_before_the_step_does_counts_with_its_time() -> None:
    busy = "import time\nwhile time.process_time() < 0.8: pass"
    costs: list[StepCost] = []
    with measured(costs, "step"):
        subprocess.run([sys.executable, "-c", busy], check=True)
        time.sleep(0.3)
    [cost] = costs
    assert 0.8 <= cost.cpu_seconds < 3
