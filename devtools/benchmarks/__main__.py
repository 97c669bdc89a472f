"""All benchmarks, or those that are named, as one table: ``python -m devtools.benchmarks [NAME…]``.

Each runs as a program of its own, which prints its details; then the ratios of all are printed as
one table beside those of the last release. ``FORECAST_DATA`` names the folder of the public series.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from devtools.benchmarks.ratios import RATIOS_FILE, TABLE_VARIABLE, Compared, table

NAMES: Final = ("decode", "load", "night", "page", "plans", "backfill", "forecast")
FORECAST: Final = (os.environ.get("FORECAST_DATA", "../shared/data/forecast"), "--every", "20")
"""Arguments of that of forecasts; others need none."""
ROOT: Final = Path(__file__).resolve().parents[2]


def main(names: Sequence[str]) -> int:
    """Run them and print the table; 1 when one fails or is worse than its release."""
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(NAMES)}")
        return 2
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "table"
        told.touch()
        plugins = str(ROOT / "plugins")
        given = {**os.environ, TABLE_VARIABLE: str(told), "PYTHONPATH": plugins}
        for name in names or NAMES:
            print(f"--- {name}", flush=True)
            command = [sys.executable, "-m", f"devtools.benchmarks.{name}"]
            command += FORECAST if name == "forecast" else ()
            if subprocess.run(command, env=given, cwd=ROOT, check=False).returncode:
                failed.append(name)
        rows = [json.loads(row) for row in told.read_text(encoding="utf-8").splitlines()]
    print(f"--- of all, beside {RATIOS_FILE.name}")
    print("\n".join(table_lines((row[0], Compared(*row[1:])) for row in rows)))
    if failed:
        print(f"failed or worse: {', '.join(failed)}")
    return 1 if failed else 0


def table_lines(rows: Iterable[tuple[str, Compared]]) -> list[str]:
    """Return the lines of the table."""
    return table(
        ("benchmark", "ratio", "now", "release", ""),
        [
            (benchmark, ratio.name, f"{ratio.now:.3g}",
             "-" if ratio.before is None else f"{ratio.before:.3g}",
             "WORSE" if ratio.is_worse else "")
            for benchmark, ratio in rows
        ],
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
