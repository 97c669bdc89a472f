"""All benchmarks, or those that are named, as one table: ``python -m devtools.benchmarks [NAME…]``.

Each runs as a program of its own, which prints its details; then the ratios of all are printed as
one table beside those of the last release. ``FORECAST_DATA`` names the folder of the public series.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from devtools.benchmarks.ratios import RATIOS_FILE, TABLE_VARIABLE, Ratio, ratio_lines

NAMES: Final = ("decode", "load", "night", "page", "plans", "backfill", "forecast")
FORECAST: Final = (os.environ.get("FORECAST_DATA", "../shared/data/forecast"), "--every", "20")
"""Arguments of that of forecasts; others need none."""
ROOT: Final = Path(__file__).resolve().parents[2]


def main(names: Sequence[str]) -> int:
    """Run them and print the table; 1 when one fails or is worse than its release."""
    if unknown := sorted(set(names) - set(NAMES)):
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(NAMES)}")
        return 2
    failed: list[str] = []
    with tempfile.NamedTemporaryFile() as told:
        given = {**os.environ, TABLE_VARIABLE: told.name, "PYTHONPATH": str(ROOT / "plugins")}
        for name in names or NAMES:
            print(f"--- {name}", flush=True)
            command = [sys.executable, "-m", f"devtools.benchmarks.{name}"]
            command += FORECAST if name == "forecast" else ()
            if subprocess.run(command, env=given, cwd=ROOT, check=False).returncode:
                failed.append(name)
        ratios = [Ratio(*json.loads(row)) for row in told]
    print(f"--- of all, beside {RATIOS_FILE.name}")
    print("\n".join(ratio_lines(ratios)))
    if failed:
        print(f"failed or worse: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
