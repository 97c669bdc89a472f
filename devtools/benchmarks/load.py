"""Cost of a load and its aggregation: ``python -m devtools.benchmarks.load``.

Simulated statistics of 24 sysplexes with three queue managers each, 14 days in half hours, are
decoded and aggregated in one session, as ``mqcap load`` does, nothing is loaded after that, and
all dates are aggregated again. Processor time says more than time where the machine is shared.
"""

import argparse
import hashlib
import os
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Final

from devtools.benchmarks.estates import LAST, Size, large_estate
from devtools.benchmarks.ratios import COST_COLUMNS, StepCost, loop_seconds, measured, table, tell
from devtools.simulator import generate
from mqcap.lake.aggregated import source_digests
from mqcap.lake.layout import digest_path, landing_folder
from mqcap.lake.manifest import manifests
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import aggregate, decode_and_aggregate

USUAL: Final = Size(sysplexes=24, managers=3, systems=2, queues=0, minutes=30, days=14)
RATIO: Final = "CPU of a million rows of sections : plain loop"


def main() -> int:
    """Generate, load and aggregate; print what each takes. Return 1 if it got worse."""
    parser = argparse.ArgumentParser(description="Cost of a load and of its aggregation.")
    parser.add_argument("--sysplexes", type=int, default=USUAL.sysplexes)
    parser.add_argument("--days", type=int, default=USUAL.days)
    size = USUAL._replace(**vars(parser.parse_args()))
    costs: list[StepCost] = []
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder) / "lake"
        os.environ[FILE_VARIABLE] = str(Path(folder) / "sample" / "platform.yaml")
        _land(lake, Path(folder) / "sample", size)
        for name, program in (
            ("load", decode_and_aggregate),
            ("load of nothing new", decode_and_aggregate),
            ("aggregate all dates", aggregate),
        ):
            for day in source_digests(lake) if program is aggregate else ():
                digest_path(lake, day).unlink()
            with measured(costs, name):
                program.main(["--lake", str(lake)])
        records = sum(manifest.records for manifest in manifests(lake))
        rows = sum(sum(manifest.rows.values()) for manifest in manifests(lake))
    print(f"{size.manager_days} days of queue managers, {records:,} records, {rows:,} rows")
    print("\n".join(table(COST_COLUMNS, costs)))
    a_million = 1e6 * costs[-1].cpu_seconds / rows
    return tell("load", {RATIO: a_million / loop_seconds()}) if size == USUAL else 0


def _land(lake: Path, folder: Path, size: Size) -> None:
    """Land the simulated dumps."""
    first = LAST - timedelta(days=size.days - 1)
    made = generate(large_estate(size), folder, first_date=first, last_date=LAST)
    landed = landing_folder(lake, "smf", LAST)
    landed.mkdir(parents=True)
    for dump in made.dumps:
        shutil.move(dump, landed / f"{hashlib.sha256(dump.read_bytes()).hexdigest()}.smf")


if __name__ == "__main__":
    raise SystemExit(main())
