"""Cost of a night of a large site: ``python -m devtools.benchmarks.night``.

Simulated are 10 sysplexes with 10 queue managers and 2 coupling facilities each, in intervals of 15
minutes, with 500 queues in the queue statistics of each queue manager and no accounting of tasks.
One day (or ``--days``) is landed, decoded, aggregated and rolled up, then forecast, judged and
notified without sending. Smaller counts take seconds. Printed are time, processor time and peak
memory of each step, rows and sizes, each per queue manager and day. Series of a day or a few are
too short to be fitted: the time of forecasts is that of ``devtools.benchmarks.forecast``.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.parquet as pq

from devtools.benchmarks.ratios import StepCost, loop_seconds, measured, tell
from devtools.simulator import generate, small_spec
from devtools.simulator.senders import Sender
from devtools.simulator.spec import (
    BufferPool,
    CouplingFacilitySpec,
    EstateSpec,
    PageSet,
    QueueManagerSpec,
    SysplexSpec,
    SystemSpec,
)
from devtools.simulator.workload import Load
from mqcap.domain.units import MIB_BYTES
from mqcap.lake.layout import LANDING
from mqcap.lake.manifest import manifests
from mqcap.settings import Settings, load_settings
from mqcap.settings.loader import FILE_VARIABLE
from mqcap.steps import runner
from spark_apps.runtime.session import spark_session

LAST: Final = date(2026, 3, 15)
RATIO: Final = "CPU of a queue manager's day : plain loop"


class Size(NamedTuple):
    """Counts of the estate."""

    sysplexes: int = 10
    managers: int = 10
    """Queue managers of a sysplex, each on a system of its own."""
    facilities: int = 2
    """Coupling facilities of a sysplex."""
    queues: int = 500
    """Queues in the statistics of a queue manager."""
    minutes: int = 15
    """Of an interval."""
    days: int = 1

    @property
    def manager_days(self) -> int:
        """Queue managers x days."""
        return self.sysplexes * self.managers * self.days


class SiteSize(NamedTuple):
    """Bytes and rows of a site after its days."""

    landed_bytes: int
    lake_bytes: int
    """Without what was landed."""
    store_bytes: int
    section_rows: int
    hourly_rows: int


def main() -> int:
    """Generate, run the night, print what it took; 1 if it got worse."""
    parser = argparse.ArgumentParser(description="Cost of a night of a large site.")
    for name, count in Size()._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=count)
    size = Size(**vars(parser.parse_args()))
    with tempfile.TemporaryDirectory() as folder:
        costs, site = night(Path(folder), size)
    print("\n".join(lines(size, costs, site)))
    nightly = sum(cost.cpu_seconds for cost in costs if cost.name != "simulate")
    a_day = nightly / size.manager_days
    is_usual = size == Size()
    return min(1, tell("night", {RATIO: a_day / loop_seconds()})) if is_usual else 0


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
        _judged(costs, settings, LAST)


def _judged(costs: list[StepCost], settings: Settings, day: date) -> None:
    """Forecast, judge and notify, without sending, a day that is loaded; add the costs."""
    for step in (*runner.FORECAST, runner.size):
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


def _bytes_below(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def large_estate(size: Size) -> EstateSpec:
    """Return the estate of a size; its last day is ``LAST``."""
    small = small_spec()
    return small.model_copy(
        update={
            "anchor_date": LAST,
            "history_days": size.days,
            "daily_dump_days": size.days,
            "interval_minutes": size.minutes,
            "sender_days": size.days,
            "log_switch_days": 0,
            "sysplexes": tuple(
                _sysplex(small.sysplexes[0], number, size) for number in range(size.sysplexes)
            ),
        }
    )


def _sysplex(plex: SysplexSpec, number: int, size: Size) -> SysplexSpec:
    names = [f"S{number:X}{place:02d}" for place in range(size.managers)]
    systems = tuple(SystemSpec(smfid=name, name=name) for name in names)
    return plex.model_copy(
        update={
            "name": f"PLEX{number:02d}",
            "systems": systems,
            "qmgrs": tuple(
                _manager(plex.qmgrs[1], f"Q{number:X}{place:02d}", system.smfid, size.queues)
                for place, system in enumerate(systems)
            ),
            "cfs": tuple(
                _facility(plex.cfs[0], f"CF{number:02d}{place}", place)
                for place in range(size.facilities)
            ),
        }
    )


def _manager(some: QueueManagerSpec, name: str, system: str, queues: int) -> QueueManagerSpec:
    return some.model_copy(
        update={
            "name": name,
            "system": system,
            "mq_level": "9.4.5",
            "qsg": None,
            "rules": (),
            "accounting": False,
            "senders": tuple(
                Sender(queue=f"APP.REQUEST.{number:04d}", application=f"APP{number:04d}")
                for number in range(queues)
            ),
            "buffer_pools": tuple(
                BufferPool(number=pool, used_pct=Load(at_anchor=40)) for pool in range(4)
            ),
            "page_sets": tuple(
                PageSet(number=place, used_pct=Load(at_anchor=30)) for place in range(6)
            ),
        }
    )


def _facility(some: CouplingFacilitySpec, name: str, place: int) -> CouplingFacilitySpec:
    structures = tuple(
        each.model_copy(update={"name": f"{each.name}{place}"}) for each in some.structures
    )
    return some.model_copy(
        update={"name": name, "takes_over": None, "rules": (), "structures": structures}
    )


if __name__ == "__main__":
    raise SystemExit(main())
