"""The Spark path on one file: ``python -m benchmarks.spark_decode FILE`` prints its cost as JSON.

The session is started first and told apart; then the application decodes the landed file as it
does every day, twice: for the first file of a session the workers have to start.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import psutil

from settings import SparkSettings
from spark_apps.decode import WORKERS_IMPORT, decode
from spark_apps.decode_file import DecodeOptions
from spark_apps.lake import LandedFile
from spark_apps.session import spark_session


def main() -> None:
    """Land the file in a lake of its own, decode it, print what that cost."""
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=Path(sys.argv[1]).parent) as folder:
        landed = _land(Path(sys.argv[1]), Path(folder))
        begun = time.perf_counter()
        settings = SparkSettings(master=f"local[{cores}]")
        with spark_session("benchmark", settings, WORKERS_IMPORT) as spark:
            costs = {"session": time.perf_counter() - begun}
            for order in ("first", "next"):
                started, before = time.perf_counter(), _cpu_seconds()
                counts = decode(spark, [landed], DecodeOptions(Path(folder), 0.0))
                costs[f"{order}_wall"] = time.perf_counter() - started
                costs[f"{order}_cpu"] = _cpu_seconds() - before
                if counts["problems"]:
                    raise RuntimeError("the file was not decoded")
    print(json.dumps(costs))


def _land(path: Path, lake: Path) -> LandedFile:
    """The file in the landing folder, as landing leaves it."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    received = date(2025, 3, 10)
    target = lake / "landing" / "source=smf" / f"received_date={received}" / f"{sha256}.smf"
    target.parent.mkdir(parents=True)
    target.hardlink_to(path)
    return LandedFile(
        path=target, sha256=sha256, received_date=received, bytes_count=path.stat().st_size
    )


def _cpu_seconds() -> float:
    """User and system time of this process and all below it, ended ones that were reaped too."""
    own = psutil.Process()
    return sum(sum(one.cpu_times()[:4]) for one in [own, *own.children(recursive=True)])


if __name__ == "__main__":
    main()
