"""Cost of a night of a large site: ``python -m devtools.benchmarks.large_site``.

Simulated are 10 sysplexes with 10 queue managers and 2 coupling facilities each, in intervals of 15
minutes, with 500 queues in the queue statistics of each queue manager and no accounting of tasks.
One day (or ``--days``) is landed, decoded, aggregated and rolled up, then forecast, judged and
notified without sending. Smaller counts take seconds. Printed are time, processor time and peak
memory of each step, rows and sizes, each per queue manager and day, and what so many queue
managers and years take at the same rates. Series of a day or a few are too short to be fitted: the
time of forecasts is that of ``devtools.benchmarks.forecast``.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.parquet as pq

from devtools.benchmarks.large_estate import LAST, Size, large_estate
from devtools.benchmarks.step_costs import StepCost, measured
from devtools.simulator import generate
from mqcap.domain.units import GIB_BYTES, MIB_BYTES
from mqcap.lake.layout import LANDING
from mqcap.lake.manifest import manifests
from mqcap.settings import Settings, load_settings
from mqcap.settings.loader import FILE_VARIABLE
from mqcap.steps import runner
from spark_apps.runtime.session import spark_session

NIGHT_SECONDS: Final = 3 * 3600
"""Time that a night may take at the larger site (ours)."""


class SiteSize(NamedTuple):
    """Bytes and rows of a site after its days."""

    landed_bytes: int
    lake_bytes: int
    """Without what was landed."""
    store_bytes: int
    section_rows: int
    hourly_rows: int


class Projection(NamedTuple):
    """What a larger site takes at the same rates."""

    cpu_hours_per_night: float
    cores: float
    """To be done in ``NIGHT_SECONDS``."""
    landed_gib: float
    lake_gib: float
    store_gib: float


def main() -> None:
    """Generate, run the night, and print what it took."""
    parser = argparse.ArgumentParser(description="Cost of a night of a large site.")
    for name, count in Size()._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--target-managers", type=int, default=1_000)
    parser.add_argument("--years", type=int, default=10)
    asked = vars(parser.parse_args())
    target, years = asked.pop("target_managers"), asked.pop("years")
    size = Size(**asked)
    with tempfile.TemporaryDirectory() as folder:
        costs, site = night(Path(folder), size)
    print("\n".join(lines(size, costs, site)))
    projected = projection(size, costs, site, target, years)
    print(
        f"{target:,} queue managers: {projected.cpu_hours_per_night:.1f} h of CPU a night, "
        f"{projected.cores:.1f} cores for {NIGHT_SECONDS // 3600} h"
    )
    print(
        f"{years} years without any retention: {projected.landed_gib:,.0f} GiB as delivered, "
        f"{projected.lake_gib:,.0f} GiB of lake, {projected.store_gib:,.0f} GiB of store"
    )


def night(folder: Path, size: Size) -> tuple[list[StepCost], SiteSize]:
    """Simulate the site and run all steps of its last day in a lake and a store of the folder."""
    costs: list[StepCost] = []
    first = LAST - timedelta(days=size.days - 1)
    with measured(costs, "simulate"):
        made = generate(large_estate(size), folder / "made", first_date=first, last_date=LAST)
    addresses = {
        FILE_VARIABLE: str(made.settings_file),
        "MQCAP_LAKE": str(folder / "lake"),
        "MQCAP_STORE__URL": f"sqlite:///{folder / 'store.db'}",
    }
    os.environ.update(addresses)
    try:
        _steps(costs, [str(file) for file in (*made.dumps, *made.console_logs)])
        return costs, site_size(folder)
    finally:
        for name in addresses:
            del os.environ[name]


def _steps(costs: list[StepCost], inputs: Sequence[str]) -> None:
    settings = load_settings()
    with measured(costs, "land"):
        runner.land(settings, date.min, inputs=inputs)
    with spark_session("benchmark", settings.spark):
        for step in runner.LOAD[1:]:
            with measured(costs, step.__name__):
                step(settings, LAST)
        night_of(costs, settings, LAST)


def night_of(costs: list[StepCost], settings: Settings, day: date) -> None:
    """Forecast, judge and notify, without sending, a day that is loaded; add the costs."""
    for step in runner.JUDGE:
        with measured(costs, step.__name__):
            step(settings, day)
    with measured(costs, "alert"):
        runner.alert(settings, day, replay=True)


def site_size(folder: Path) -> SiteSize:
    """Return the bytes and rows of lake and store in a folder."""
    landed = _bytes_below(folder / "lake" / LANDING)
    hourly = (folder / "lake" / "metric_hourly").glob("*/*.parquet")
    return SiteSize(
        landed_bytes=landed,
        lake_bytes=_bytes_below(folder / "lake") - landed,
        store_bytes=sum(file.stat().st_size for file in folder.glob("store.db*")),
        section_rows=sum(sum(each.rows.values()) for each in manifests(folder / "lake")),
        hourly_rows=sum(pq.read_metadata(file).num_rows for file in hourly),
    )


def lines(size: Size, costs: Sequence[StepCost], site: SiteSize) -> Iterator[str]:
    """Yield the tables of steps and of sizes, with shares per queue manager and day."""
    days = size.manager_days
    yield f"{size.sysplexes * size.managers} queue managers, {size.days} day(s)"
    for cost in costs:
        yield (
            f"{cost.name:22}{cost.seconds:9.1f} s{cost.cpu_seconds:9.1f} s of CPU"
            f"{cost.peak_mib:8.0f} MiB{1_000 * cost.cpu_seconds / days:9.1f} ms each"
        )
    for name, count in (("section rows", site.section_rows), ("hourly rows", site.hourly_rows)):
        yield f"{name:22}{count:13,}{count / days:13,.0f} each"
    for name, volume in (
        ("as delivered", site.landed_bytes),
        ("lake", site.lake_bytes),
        ("store", site.store_bytes),
    ):
        yield f"{name:22}{volume / MIB_BYTES:9.1f} MiB{volume / 1024 / days:11,.1f} KiB each"


def projection(
    size: Size, costs: Sequence[StepCost], site: SiteSize, managers: int, years: int
) -> Projection:
    """Return what queue managers and years take if all grows as their number does.

    The simulation is left out; a year has 365 days.
    """
    cpu = sum(cost.cpu_seconds for cost in costs if cost.name != "simulate")
    a_night = cpu / size.manager_days * managers
    factor = managers * years * 365 / size.manager_days / GIB_BYTES
    return Projection(
        a_night / 3600,
        a_night / NIGHT_SECONDS,
        site.landed_bytes * factor,
        site.lake_bytes * factor,
        site.store_bytes * factor,
    )


def _bytes_below(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


if __name__ == "__main__":
    main()
