"""What the benchmark of the large site prints, and a small night of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from devtools.benchmarks.large_estate import Size
from devtools.benchmarks.large_site import SiteSize, lines, night, projection
from devtools.benchmarks.step_costs import StepCost
from mqcap.domain.units import GIB_BYTES, MIB_BYTES
from mqcap.settings.loader import FILE_VARIABLE

SIZE: Final = Size(sysplexes=2, managers=5, days=1)
COSTS: Final = [StepCost("simulate", 9, 50, 10), StepCost("size", 20, 36, 300)]
SITE: Final = SiteSize(10 * MIB_BYTES, 5 * MIB_BYTES, 2 * MIB_BYTES, 4_000, 1_000)


def test_each_cost_is_also_stated_per_queue_manager_and_day() -> None:
    printed = [" ".join(line.split()) for line in lines(SIZE, COSTS, SITE)]
    assert printed == [
        "10 queue managers, 1 day(s)",
        "simulate 9.0 s 50.0 s of CPU 10 MiB 5000.0 ms each",
        "size 20.0 s 36.0 s of CPU 300 MiB 3600.0 ms each",
        "section rows 4,000 400 each",
        "hourly rows 1,000 100 each",
        "as delivered 10.0 MiB 1,024.0 KiB each",
        "lake 5.0 MiB 512.0 KiB each",
        "store 2.0 MiB 204.8 KiB each",
    ]


def test_a_larger_site_takes_in_proportion_and_the_simulation_is_not_counted() -> None:
    found = projection(SIZE, COSTS, SITE, managers=1_000, years=10)
    assert found.cpu_hours_per_night == pytest.approx(1)
    assert found.cores == pytest.approx(1 / 3)
    days = 1_000 * 365 * 10
    sizes = (found.landed_gib, found.lake_gib, found.store_gib)
    assert sizes == pytest.approx([days * mib * MIB_BYTES / GIB_BYTES for mib in (1, 0.5, 0.2)])


@pytest.mark.spark
def test_a_night_of_one_queue_manager_has_every_step_and_leaves_no_setting(tmp_path: Path) -> None:
    costs, site = night(tmp_path, Size(1, 1, 1, queues=3, minutes=60))
    assert [cost.name for cost in costs] == [
        "simulate", "land", "decode_and_aggregate", "observe",
        "export_training", "fit", "store_forecasts", "size", "alert",
    ]  # fmt: skip
    assert min(site) > 0
    assert FILE_VARIABLE not in os.environ
