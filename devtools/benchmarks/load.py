"""Cost of a load and its aggregation: ``python -m devtools.benchmarks.load``.

Simulated statistics of 24 sysplexes with three queue managers each, 14 days in half hours, are
decoded and aggregated in one session, as ``mqcap load`` does, and nothing is loaded after that.
Then all dates, and a quarter of them, are aggregated in turn some times, in one session; the least
of each counts. Processor time says more than time where the machine is shared.
"""

import argparse
import hashlib
import os
import shutil
import tempfile
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from devtools.benchmarks.ratios import StepCost, loop_seconds, measured, tell
from devtools.simulator import generate, small_spec
from devtools.simulator.spec import BufferPool, EstateSpec, PageSet, SysplexSpec, SystemSpec
from devtools.simulator.workload import Load
from mqcap.domain.units import MIB_BYTES
from mqcap.lake.aggregated import source_digests
from mqcap.lake.layout import digest_path, landing_folder
from mqcap.lake.manifest import manifests
from mqcap.settings import SparkSettings
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import aggregate, decode_and_aggregate
from spark_apps.runtime.session import spark_session

LAST: Final = date(2026, 3, 15)
SYSPLEXES: Final = 24
DAYS: Final = 14
TURNS: Final = 3
RATIO: Final = "CPU of a million rows of sections : plain loop"


class Marginal(NamedTuple):
    """Processor time of aggregation in a session: of all dates, and of some of them."""

    all_seconds: float
    some_seconds: float
    share: float
    """Of the dates, that some of them are."""

    def row_microseconds(self, rows: int) -> float:
        """Return what a further row costs; ``rows`` are those of all dates."""
        return 1e6 * (self.all_seconds - self.some_seconds) / (rows * (1 - self.share))

    @property
    def growth(self) -> float:
        """Return how many times as much four times the rows cost, by a straight line."""
        slope = (self.all_seconds - self.some_seconds) / (1 - self.share)
        fixed = self.some_seconds - slope * self.share
        return (fixed + slope) / (fixed + slope / 4)


def main() -> int:
    """Generate, load and aggregate; print what each takes. Return 1 if it got worse."""
    parser = argparse.ArgumentParser(description="Cost of a load and of its aggregation.")
    parser.add_argument("--sysplexes", type=int, default=SYSPLEXES)
    parser.add_argument("--days", type=int, default=DAYS)
    asked = parser.parse_args()
    if asked.days < 4:
        parser.error("--days: at least 4, of which a quarter are compared with all")
    is_whole = (asked.sysplexes, asked.days) == (SYSPLEXES, DAYS)
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder) / "lake"
        os.environ[FILE_VARIABLE] = str(Path(folder) / "sample" / "platform.yaml")
        size = _landed(lake, Path(folder) / "sample", _estate(asked.sysplexes, asked.days))
        print(
            f"{3 * asked.sysplexes} queue managers, {asked.days} days, {size / MIB_BYTES:.0f} MiB"
        )
        costs, marginal = _loaded(lake)
        records = sum(each.records for each in manifests(lake))
        rows = sum(sum(each.rows.values()) for each in manifests(lake))
        del os.environ[FILE_VARIABLE]
    print(f"{records:,} records, {rows:,} rows of sections")
    for cost in costs:
        print(cost_line(cost))
    print(
        f"a further row of sections {marginal.row_microseconds(rows):.2f} us of CPU;"
        f" 4 x the rows {marginal.growth:.2f} x"
    )
    a_million = 1e6 * marginal.all_seconds / rows
    return min(1, tell("load", {RATIO: a_million / loop_seconds()})) if is_whole else 0


def cost_line(cost: StepCost) -> str:
    """Return what is printed of a step."""
    shown = f"{cost.name:22}{cost.seconds:7.1f} s{cost.cpu_seconds:7.1f} s of CPU"
    return f"{shown}{cost.peak_mib:7.0f} MiB"


def _loaded(lake: Path) -> tuple[list[StepCost], Marginal]:
    """Load what has landed, then nothing; aggregate all dates again, and a quarter of them."""
    costs: list[StepCost] = []
    for name in ("load", "load of nothing new"):
        with measured(costs, name):
            decode_and_aggregate.main(["--lake", str(lake)])
    every = sorted(source_digests(lake))
    # The first and the last UTC date have a part of a local day each.
    some = every[1 : 1 + (len(every) // 4 or 1)]
    with ExitStack() as stack:
        with measured(costs, "session"):
            stack.enter_context(spark_session("benchmark", SparkSettings()))
        for _ in range(TURNS):
            for dates in (every, some):
                for day in dates:
                    digest_path(lake, day).unlink()
                with measured(costs, f"aggregate {len(dates)} dates"):
                    aggregate.main(["--lake", str(lake)])
    of_all, of_some = (min(cost.cpu_seconds for cost in costs[3 + place :: 2]) for place in (0, 1))
    return costs, Marginal(of_all, of_some, len(some) / (len(every) - 1))


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
    raise SystemExit(main())
