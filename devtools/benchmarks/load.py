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
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple

from devtools.benchmarks.estates import LAST, Size, large_estate
from devtools.benchmarks.ratios import COST_COLUMNS, StepCost, loop_seconds, measured, table, tell
from devtools.simulator import generate
from mqcap.domain.units import MIB_BYTES
from mqcap.lake.aggregated import source_digests
from mqcap.lake.layout import digest_path, landing_folder
from mqcap.lake.manifest import manifests
from mqcap.settings import SparkSettings
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import aggregate, decode_and_aggregate
from spark_apps.runtime.session import spark_session

USUAL: Final = Size(sysplexes=24, managers=3, systems=2, queues=0, minutes=30, days=14)
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
    parser.add_argument("--sysplexes", type=int, default=USUAL.sysplexes)
    parser.add_argument("--days", type=int, default=USUAL.days)
    size = USUAL._replace(**vars(parser.parse_args()))
    if size.days < 4:
        parser.error("--days: at least 4, of which a quarter are compared with all")
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder) / "lake"
        os.environ[FILE_VARIABLE] = str(Path(folder) / "sample" / "platform.yaml")
        landed = _landed(lake, Path(folder) / "sample", size)
        managers = size.sysplexes * size.managers
        print(f"{managers} queue managers, {size.days} days, {landed / MIB_BYTES:.0f} MiB")
        costs, marginal = _loaded(lake)
        records = sum(manifest.records for manifest in manifests(lake))
        rows = sum(sum(manifest.rows.values()) for manifest in manifests(lake))
    print(f"{records:,} records, {rows:,} rows of sections")
    print("\n".join(table(COST_COLUMNS, costs)))
    print(
        f"a further row of sections {marginal.row_microseconds(rows):.2f} us of CPU;"
        f" 4 x the rows {marginal.growth:.2f} x"
    )
    a_million = 1e6 * marginal.all_seconds / rows
    return min(1, tell("load", {RATIO: a_million / loop_seconds()})) if size == USUAL else 0


def _loaded(lake: Path) -> tuple[list[StepCost], Marginal]:
    """Load what has landed, then nothing; aggregate all dates again, and a quarter of them."""
    costs: list[StepCost] = []
    for name in ("load", "load of nothing new"):
        with measured(costs, name):
            decode_and_aggregate.main(["--lake", str(lake)])
    every = sorted(source_digests(lake))
    # The first and the last UTC date have a part of a local day each.
    some = every[1 : 1 + (len(every) // 4 or 1)]
    of_all: list[StepCost] = []
    of_some: list[StepCost] = []
    with spark_session("benchmark", SparkSettings()):
        for _ in range(TURNS):
            for dates, found in ((every, of_all), (some, of_some)):
                for day in dates:
                    digest_path(lake, day).unlink()
                with measured(found, f"aggregate {len(dates)} dates"):
                    aggregate.main(["--lake", str(lake)])
    least_all, least_some = (min(cost.cpu_seconds for cost in found) for found in (of_all, of_some))
    marginal = Marginal(least_all, least_some, len(some) / (len(every) - 1))
    return [*costs, *of_all, *of_some], marginal


def _landed(lake: Path, folder: Path, size: Size) -> int:
    """Land the simulated dumps; returns their bytes."""
    first = LAST - timedelta(days=size.days - 1)
    made = generate(large_estate(size), folder, first_date=first, last_date=LAST)
    landed = landing_folder(lake, "smf", LAST)
    landed.mkdir(parents=True)
    for dump in made.dumps:
        shutil.move(dump, landed / f"{hashlib.sha256(dump.read_bytes()).hexdigest()}.smf")
    return sum(path.stat().st_size for path in landed.iterdir())


if __name__ == "__main__":
    raise SystemExit(main())
