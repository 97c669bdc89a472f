"""Cost of a load and its aggregation: ``python -m devtools.benchmarks.aggregate``.

Simulated statistics of 24 sysplexes with three queue managers each, 14 days in half hours, are
decoded and aggregated in one session, as ``mqcap load`` does, and nothing is loaded after that.
Then the tasks of the dates run one after the other in this process: all dates, a quarter of them,
and all without parts of metrics and pairs of sources. Processor time says more than time where the
machine is shared.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import psutil

from devtools.simulator import generate, small_spec
from devtools.simulator.spec import BufferPool, EstateSpec, PageSet, SysplexSpec, SystemSpec
from devtools.simulator.workload import Load
from mqcap.domain.units import MIB_BYTES
from mqcap.lake.layout import METRIC_SOURCES, landing_folder
from mqcap.lake.manifest import manifests
from mqcap.settings import SparkSettings, load_settings
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import aggregate, aggregate_dates, decode_and_aggregate
from spark_apps.aggregate import AggregationPlan, aggregation_plan
from spark_apps.aggregate_dates import aggregate_dates as run_task
from spark_apps.attribution.by_date import AttributionRows, attribution
from spark_apps.dates_tasks import dates_tasks
from spark_apps.runtime.session import spark_session

LAST: Final = date(2026, 3, 15)
SYSPLEXES: Final = 24
DAYS: Final = 14
BEFORE: Final = {"load": 88.0, "aggregate": 61.0}
"""Seconds of a6c623b for 72 queue managers of 14 days (264,264 records), two processors."""


class AggregationCost(NamedTuple):
    """Time, and processor time of all processes."""

    seconds: float
    cpu_seconds: float


def main() -> None:
    """Generate, load and aggregate; print what each takes."""
    parser = argparse.ArgumentParser(description="Cost of a load and of its aggregation.")
    parser.add_argument("--sysplexes", type=int, default=SYSPLEXES)
    parser.add_argument("--days", type=int, default=DAYS)
    asked = parser.parse_args()
    is_whole = (asked.sysplexes, asked.days) == (SYSPLEXES, DAYS)
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder) / "lake"
        os.environ[FILE_VARIABLE] = str(Path(folder) / "sample" / "platform.yaml")
        size = _landed(lake, Path(folder) / "sample", _estate(asked.sysplexes, asked.days))
        print(
            f"{3 * asked.sysplexes} queue managers, {asked.days} days, {size / MIB_BYTES:.0f} MiB"
        )
        costs = _loaded(lake)
        records = sum(each.records for each in manifests(lake))
        rows = sum(sum(each.rows.values()) for each in manifests(lake))
        print(f"{records:,} records, {rows:,} rows of sections")
        alone, factor = _alone(lake)
        costs |= alone
        del os.environ[FILE_VARIABLE]
    for name, cost in costs.items():
        before = f", a6c623b {BEFORE[name]:.0f} s" if is_whole and name in BEFORE else ""
        print(f"{name:22} {cost.seconds:6.1f} s {cost.cpu_seconds:6.1f} s of CPU{before}")
    every, some = costs["all dates"].cpu_seconds, costs["some dates"].cpu_seconds
    print(f"a row of sections {1e6 * every / rows:.1f} us of CPU; ", end="")
    print(f"{factor:.1f} x the rows {every / some:.1f} x")


def _loaded(lake: Path) -> dict[str, AggregationCost]:
    """Load what has landed, and then nothing."""
    costs: dict[str, AggregationCost] = {}
    for name in ("load", "load of nothing new"):
        with _measured(costs, name):
            decode_and_aggregate.main(["--lake", str(lake)])
    shutil.rmtree(lake / METRIC_SOURCES)
    options = SparkSettings()
    with ExitStack() as stack:
        with _measured(costs, "session"):
            stack.enter_context(spark_session("benchmark", options, *aggregate.WORKERS_IMPORT))
        with _measured(costs, "aggregate"):
            aggregate.main(["--lake", str(lake)])
    return costs


def _alone(lake: Path) -> tuple[dict[str, AggregationCost], float]:
    """Aggregate in this process: all dates, a quarter, and all without attribution.

    Returns the costs, and how many times as many dates all are as the quarter.
    """
    shutil.rmtree(lake / METRIC_SOURCES)
    settings = load_settings(lake=str(lake))
    plan = aggregation_plan(lake, settings.complete_estate(), settings.site.timezone)
    every = sorted(plan.stale)
    first = every[: len(every) // 4 or 1]
    aggregate_dates.columns_read()
    costs: dict[str, AggregationCost] = {}
    for name, dates in (("all dates", every), ("some dates", first)):
        with _measured(costs, name):
            _aggregated(lake, plan, dates)
    with (
        patch.object(aggregate_dates, "attribution", _nothing),
        _measured(costs, "without attribution"),
    ):
        _aggregated(lake, plan, every)
    return costs, len(every) / len(first)


def _aggregated(lake: Path, plan: AggregationPlan, dates: Sequence[date]) -> None:
    digests = {day: plan.stale[day] for day in dates}
    for task in dates_tasks(lake, digests, plan.sources, plan.place, plan.intervals_from, cores=1):
        run_task(task)


def _nothing(*arguments: Any) -> AttributionRows:
    """Return no parts and no pairs."""
    sections, _, wholes, *others = arguments
    return attribution(sections, [LAST + timedelta(days=9)], wholes, *others)


@contextmanager
def _measured(costs: dict[str, AggregationCost], name: str) -> Iterator[None]:
    started, before = time.perf_counter(), _cpu_seconds()
    yield
    costs[name] = AggregationCost(time.perf_counter() - started, _cpu_seconds() - before)


def _cpu_seconds() -> float:
    """Return the processor time so far of this process and of all that it has started."""
    own = psutil.Process()
    return sum(sum(process.cpu_times()[:4]) for process in (own, *own.children(recursive=True)))


def _landed(lake: Path, folder: Path, spec: EstateSpec) -> int:
    """Land the simulated dumps; returns their bytes."""
    first = LAST - timedelta(days=spec.daily_dump_days - 1)
    made = generate(spec, folder, first_date=first, last_date=LAST)
    for dump in made.dumps:
        sha256 = hashlib.sha256(dump.read_bytes()).hexdigest()
        target = landing_folder(lake, "smf", LAST) / f"{sha256}.smf"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(dump, target)
    return sum(path.stat().st_size for path in (lake / "landing").rglob("*.smf"))


def _estate(count: int, days: int) -> EstateSpec:
    """Return so many sysplexes with three queue managers each."""
    small = small_spec()
    return small.model_copy(
        update={
            "anchor_date": LAST,
            "history_days": days,
            "daily_dump_days": days,
            "interval_minutes": 30,
            "log_switch_days": 0,
            "sysplexes": tuple(_sysplex(small.sysplexes[0], number) for number in range(count)),
        }
    )


def _sysplex(plex: SysplexSpec, number: int) -> SysplexSpec:
    """Return the sysplex under names of its own, with pools and page sets as sites have them."""
    names = [f"T{number:02d}{place}" for place in range(len(plex.systems))]
    systems = tuple(SystemSpec(smfid=name, name=name) for name in names)
    qmgr = plex.qmgrs[0].model_copy(
        update={
            "upgrade": None,
            "rules": (),
            "qsg": None,
            "buffer_pools": tuple(
                BufferPool(number=pool, used_pct=Load(at_anchor=40)) for pool in range(4)
            ),
            "page_sets": tuple(
                PageSet(number=place, used_pct=Load(at_anchor=30)) for place in range(6)
            ),
        }
    )
    qmgrs = tuple(
        qmgr.model_copy(update={"name": f"Q{number:02d}{letter}", "system": names[0]})
        for letter in "ABC"
    )
    cfs = tuple(
        cf.model_copy(update={"name": f"CF{number:02d}{place}", "takes_over": None, "rules": ()})
        for place, cf in enumerate(plex.cfs)
    )
    named = {"name": f"PLEX{number:02d}", "systems": systems, "qmgrs": qmgrs, "cfs": cfs}
    return plex.model_copy(update=named)


if __name__ == "__main__":
    main()
