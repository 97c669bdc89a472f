"""Speed of decoding an answer of Prometheus to Parquet, and the memory that it takes.

``python -m devtools.benchmarks.prometheus`` writes an answer as Prometheus does (11,000 samples a
series, one a minute, so 480 series are two weeks of 240 figures) and decodes it as a worker does.
Printed are MB of JSON per second of processor time and the largest memory of the process.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Final

from mqcap.ingest.prometheus.names import MEANINGS, PREFIX
from mqcap.lake.landing import LandedFile
from mqcap.lake.layout import landing_folder
from spark_apps.decode_file import DecodeOptions, decode_file

TARGET_MB_PER_S: Final = 60
SAMPLES: Final = 11_000
FIRST: Final = 1_783_555_500
DAY: Final = date(2026, 7, 1)


def main() -> int:
    """Measure and print; 1 when it is slower than the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--series", type=int, default=480, help="Series of 230 kB each.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mqcap-bench-") as folder:
        lake = Path(folder)
        path = landing_folder(lake, "prometheus", DAY) / f"{'a' * 64}.json"
        path.parent.mkdir(parents=True)
        _write(path, arguments.series)
        landed = LandedFile(
            path=path, sha256="a" * 64, received_date=DAY, bytes_count=path.stat().st_size
        )
        begin = time.process_time()
        manifest = decode_file(landed, DecodeOptions(lake, 0.0))
        seconds = time.process_time() - begin
    speed = landed.bytes_count / 1e6 / seconds
    memory_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
    print(f"{landed.bytes_count / 1e6:.0f} MB, {manifest.records:,} samples: {speed:.0f} MB/s")
    print(f"largest memory {memory_mib} MiB; target {TARGET_MB_PER_S} MB/s of processor time")
    return 0 if speed >= TARGET_MB_PER_S else 1


def _write(path: Path, series: int) -> None:
    """Write an answer of so many series, names and queue managers in turn."""
    names = sorted(MEANINGS)
    draw = random.Random(7)  # noqa: S311 - figures of a benchmark
    with path.open("w", encoding="ascii") as file:
        file.write('{"status":"success","data":{"resultType":"matrix","result":[')
        for number in range(series):
            labels = f'"__name__":"{PREFIX}{names[number % len(names)]}","qmgr":"QM{number}"'
            values = ",".join(
                f'[{FIRST + 60 * place},"{draw.uniform(0, 100):.2f}"]' for place in range(SAMPLES)
            )
            comma = "," if number else ""
            file.write(f'{comma}{{"metric":{{{labels},"queue":"Q"}},"values":[{values}]}}')
        file.write("]}}")


if __name__ == "__main__":
    raise SystemExit(main())
