"""Speed of decoding dumps: ``python -m devtools.benchmarks.decode [--peer mqsmfcsv]``.

All fields of all structures of the simulated records of a day of 90 queue managers (115 and
116.10) go to Parquet through the command ``mqcap smf to-parquet``, start of the interpreter
included, on one processor; beside it IBM's formatter when its program is given or on the PATH.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

from devtools.benchmarks.estates import LAST, Size, large_estate
from devtools.benchmarks.ratios import StepCost, loop_seconds, measured, table, tell
from devtools.simulator import generate
from mqcap.domain.units import MIB_BYTES

DAY: Final = Size(sysplexes=1, managers=90, systems=4, facilities=0, queues=60)
RATIO: Final = "CPU of decoding a day : plain loop"
MQCAP: Final = (sys.executable, "-c", "from mqcap.cli.entry import main; main()")


def main() -> int:
    """Simulate the day, decode it, print the medians; 1 when the ratio is worse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="the median of so many is printed")
    parser.add_argument("--peer", default=shutil.which("mqsmfcsv"), help="IBM's formatter")
    parser.add_argument("--dump", type=Path, help="take this one instead of the simulated one")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    with tempfile.TemporaryDirectory() as name:
        folder, dump = Path(name), arguments.dump
        if dump is None:
            [dump] = generate(large_estate(DAY), folder, first_date=LAST, last_date=LAST).dumps
        out = folder / "out"
        ways = {"decode": [*MQCAP, "smf", "to-parquet", str(dump), "-o", str(out)]}
        if arguments.peer:
            ways["mqsmfcsv"] = [arguments.peer, "-o", str(out), "-i", str(dump), "-f", "rdw"]
        costs = {way: _cost(command, out, arguments.runs) for way, command in ways.items()}
        mib = dump.stat().st_size / MIB_BYTES
    rows = [(way, mib / seconds, seconds, cpu) for way, (seconds, cpu) in costs.items()]
    print(f"{mib:.0f} MiB")
    print("\n".join(table(("", "MiB/s", "s", "s of CPU"), rows)))
    ratios = {RATIO: costs["decode"][1] / loop_seconds()}
    return tell("decode", ratios) if arguments.dump is None else 0


def _cost(command: list[str], out: Path, runs: int) -> tuple[float, float]:
    """Return the medians of time and processor time; each run begins with an empty folder."""
    costs: list[StepCost] = []
    for _ in range(runs):
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        with measured(costs, command[0]):
            subprocess.run(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
            )
    return median(cost.seconds for cost in costs), median(cost.cpu_seconds for cost in costs)


if __name__ == "__main__":
    sys.exit(main())
