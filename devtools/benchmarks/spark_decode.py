"""Cost of the Spark path on one file, as JSON: ``python -m devtools.benchmarks.spark_decode FILE``.

First the bare decoder reads the file in this process, with everything imported: what remains of
it without its own start. Then the session is started with its workers and timed; in it the
application decodes the landed file as it does every day, twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path

import psutil

from mqcap.ingest.export import ExportFormat, export
from mqcap.lake.landed_places import LandedFile
from mqcap.lake.layout import landing_folder
from mqcap.settings import SparkSettings
from spark_apps.decode import decode
from spark_apps.decode_file import DecodeOptions
from spark_apps.runtime.session import spark_session


def main() -> None:
    """Land the file in a lake of its own, decode it, print what that cost."""
    cores = len(os.sched_getaffinity(0))
    options = SparkSettings(master=f"local[{cores}]")
    costs: dict[str, float] = {}
    with tempfile.TemporaryDirectory(dir=Path(sys.argv[1]).parent) as folder:
        landed = _land(Path(sys.argv[1]), Path(folder))
        for order in ("unused", "bare"):
            with _measured(costs, order):
                _bare(landed, Path(folder) / order, cores)
        with ExitStack() as stack:
            with _measured(costs, "session"):
                spark = stack.enter_context(spark_session("benchmark", options))
            for order in ("first", "next"):
                with _measured(costs, order):
                    counts = decode(spark, [landed], DecodeOptions(Path(folder), 0.0))
                if counts["problems"]:
                    raise RuntimeError("the file was not decoded")
    print(json.dumps(costs))


def _bare(landed: LandedFile, out: Path, cores: int) -> None:
    """The same work without Spark."""
    export({Path(str(landed.path)): landed.sha256}, out, ExportFormat.PARQUET, processes=cores)


@contextmanager
def _measured(costs: dict[str, float], name: str) -> Iterator[None]:
    """Measure wall and CPU seconds of the block."""
    started, before = time.perf_counter(), _cpu_seconds()
    yield
    costs[f"{name}_wall"] = time.perf_counter() - started
    costs[f"{name}_cpu"] = _cpu_seconds() - before


def _land(path: Path, lake: Path) -> LandedFile:
    """The file in the landing folder, as landing leaves it."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    received = date(2025, 3, 10)
    target = landing_folder(lake, "smf", received) / f"{sha256}.smf"
    target.parent.mkdir(parents=True)
    target.hardlink_to(path)
    return LandedFile(
        path=target, sha256=sha256, received_date=received, bytes_count=path.stat().st_size
    )


def _cpu_seconds() -> float:
    """User and system time of this process and all below it, ended ones that were reaped too."""
    own = psutil.Process()
    return sum(sum(process.cpu_times()[:4]) for process in [own, *own.children(recursive=True)])


if __name__ == "__main__":
    main()
