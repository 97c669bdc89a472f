"""Speed of decoding inputs of other platforms to Parquet, and the memory that each takes.

``python -m devtools.benchmarks.inputs`` writes the inputs and decodes each as a worker does, in a
process of its own. Printed are MB per second of processor time and the largest memory of that
process, above what it has before it begins. ``--full`` writes the answer of Prometheus of a whole
year; it takes some minutes and 2 GB of the folder for temporary files.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from devtools.benchmarks.input_files import amqsrua_day, data_provider_lines, prometheus_year
from devtools.benchmarks.ratios import loop_seconds, tell
from mqcap.ingest.registry import source_for
from mqcap.lake.landing import LandedFile
from mqcap.lake.layout import landing_folder
from spark_apps import aggregate, decode
from spark_apps.decode_file import DecodeOptions, decode_file

PROMETHEUS_MB_PER_S_MIN: Final = 60
AMQSRUA_SECONDS_MAX: Final = 0.3
MEMORY_MIB_MAX: Final = 256
"""Ours, for every input: what a part of it takes, whatever its size."""
_DAY: Final = date(2026, 7, 10)
_SHA256: Final = "a" * 64


class Measured(NamedTuple):
    """Cost of decoding one file."""

    bytes_count: int
    records: int
    seconds: float
    """Of processor time."""
    memory_mib: float
    """Largest of the process, less what it was before."""

    @property
    def mb_per_s(self) -> float:
        """Speed."""
        return self.bytes_count / 1e6 / self.seconds


def main() -> int:
    """Measure and print; 1 when one is slower than its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=150, help="Size of the answer of Prometheus.")
    parser.add_argument("--full", action="store_true", help="The answer of a whole year instead.")
    arguments = parser.parse_args()
    bytes_max = None if arguments.full else arguments.mb * 1_000_000
    inputs: Mapping[str, Callable[[Path], None]] = {
        "prometheus": partial(prometheus_year, bytes_max=bytes_max, has_all_digits=arguments.full),
        "amqsrua": amqsrua_day,
        "omegamon": partial(data_provider_lines, minutes=4 * 1_440),
    }
    found = {source: _measured(source, write) for source, write in inputs.items()}
    for source, made in found.items():
        print(
            f"{source}: {made.bytes_count / 1e6:.1f} MB, {made.records:,} samples, "
            f"{made.seconds:.2f} s: {made.mb_per_s:.0f} MB/s; {made.memory_mib:.0f} MiB"
        )
    print(
        f"targets: {PROMETHEUS_MB_PER_S_MIN} MB/s of JSON, {AMQSRUA_SECONDS_MAX} s for amqsrua, "
        f"{MEMORY_MIB_MAX} MiB for each"
    )
    loop = loop_seconds()
    ratios = {
        f"CPU of a MB of {source} : plain loop": made.seconds / made.bytes_count * 1e6 / loop
        for source, made in found.items()
    }
    is_as_released = tell("inputs", ratios) == 0
    is_fast = found["prometheus"].mb_per_s >= PROMETHEUS_MB_PER_S_MIN
    is_small = all(made.memory_mib <= MEMORY_MIB_MAX for made in found.values())
    is_quick = found["amqsrua"].seconds <= AMQSRUA_SECONDS_MAX
    return 0 if is_fast and is_small and is_quick and is_as_released else 1


def _measured(source: str, write: Callable[[Path], None]) -> Measured:
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="mqcap-bench-") as folder:
        lake = Path(folder)
        path = landing_folder(lake, source, _DAY) / f"{_SHA256}.txt"
        path.parent.mkdir(parents=True)
        write(path)
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:
            return pool.submit(_decoded, lake, path).result()


def _decoded(lake: Path, path: Path) -> Measured:
    """Decode in this process, which has imported before what a worker has."""
    bytes_count = path.stat().st_size
    landed = LandedFile(path=path, sha256=_SHA256, received_date=_DAY, bytes_count=bytes_count)
    source_for(path)
    for name in (decode.WORKERS_IMPORT, *aggregate.WORKERS_IMPORT):
        importlib.import_module(name)
    before_mib = _memory_mib()
    begin = time.process_time()
    manifest = decode_file(landed, DecodeOptions(lake, 0.0))
    seconds = time.process_time() - begin
    if manifest.problem is not None:
        raise RuntimeError(manifest.problem)
    return Measured(bytes_count, manifest.records, seconds, _memory_mib() - before_mib)


def _memory_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


if __name__ == "__main__":
    raise SystemExit(main())
