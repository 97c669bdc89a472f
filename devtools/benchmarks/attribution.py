"""Time of an aggregation with and without parts: ``python -m devtools.benchmarks.attribution``.

One night of 100 queue managers with 500 queues each, in half hours: their statistics and those of
two coupling facilities come from the simulator through the decoder, the rows of their queues are
written as the decoder would. The date is aggregated in one session, in turn without and with parts.
Processor time, of Spark and of the workers that it keeps, says more than time where the machine is
shared.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from devtools.simulator import generate, small_spec
from mqcap.domain.datasets import METRIC_PART, SOURCE_PAIR, Dataset
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.sections import dataset_schema
from mqcap.lake.layout import METRIC_SOURCES, landing_folder, rows_path
from mqcap.lake.manifest import Manifest, write_manifest
from mqcap.settings import SparkSettings, load_settings
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import aggregate, decode
from spark_apps.runtime.session import spark_session

DAY: Final = date(2026, 3, 10)
HALF_HOURS: Final = 48
_QQST: Final = "section_qqst"
_BYTES: Final = 2_000
_LEFT_OUT: Final = {"metric_parts": METRIC_PART, "source_pairs": SOURCE_PAIR}


class TimedAggregation(NamedTuple):
    """Time of one aggregation, and processor time of all processes in it."""

    seconds: float
    cpu_seconds: float


def main() -> None:
    """Aggregate the night in turn without and with parts; print the median of the runs."""
    parser = argparse.ArgumentParser(description="Time of aggregation with and without parts.")
    parser.add_argument("--queue-managers", type=int, default=100)
    parser.add_argument("--queues", type=int, default=500)
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _environment(Path(folder)):
        lake = Path(folder) / "lake"
        names = _statistics(lake, Path(folder) / "sample", asked.queue_managers)
        rows = _queues(lake, names, asked.queues)
        print(f"{len(names)} queue managers, {rows:,} rows of queues in {HALF_HOURS} half hours")
        with spark_session("benchmark", SparkSettings()):
            decode.main(["--lake", str(lake)])
            runs: dict[bool, list[TimedAggregation]] = {False: [], True: []}
            _timed(lake, with_parts=True)  # classes of the JVM are loaded
            for _ in range(asked.runs):
                for with_parts, taken in runs.items():
                    taken.append(_timed(lake, with_parts=with_parts))
    for name, figure in (("time", "seconds"), ("processor time", "cpu_seconds")):
        without, complete = (
            statistics.median(getattr(run, figure) for run in taken) for taken in runs.values()
        )
        print(f"{name}: without parts {without:.1f} s, ", end="")
        print(f"with parts {complete:.1f} s ({100 * (complete / without - 1):+.0f} %)")


def _timed(lake: Path, *, with_parts: bool) -> TimedAggregation:
    """Return the time of aggregating the date from its sections."""
    shutil.rmtree(lake / METRIC_SOURCES, ignore_errors=True)
    started, cpu_started = time.perf_counter(), _cpu_seconds()
    with ExitStack() as stack:
        for name, dataset in () if with_parts else _LEFT_OUT.items():
            stack.enter_context(patch(f"spark_apps.aggregate.{name}", partial(_nothing, dataset)))
        aggregate.main(["--lake", str(lake)])
    return TimedAggregation(time.perf_counter() - started, _cpu_seconds() - cpu_started)


def _cpu_seconds() -> float:
    """Return the processor time so far of this process and of all that it has started."""
    own = psutil.Process()
    return sum(sum(process.cpu_times()[:4]) for process in (own, *own.children(recursive=True)))


def _nothing(dataset: Dataset, *_: object) -> DataFrame:
    spark = SparkSession.getActiveSession()
    if spark is None:
        raise RuntimeError("no session")
    return spark.createDataFrame([], dataset.spark_schema).limit(0)


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """Use the settings of the simulated estate within the block."""
    os.environ[FILE_VARIABLE] = str(folder / "sample" / "platform.yaml")
    yield
    del os.environ[FILE_VARIABLE]


def _statistics(lake: Path, folder: Path, count: int) -> list[str]:
    """Land the simulated day of so many queue managers; returns their names."""
    spec = small_spec()
    plex = spec.sysplexes[0]
    names = [f"Q{number:03d}" for number in range(count)]
    qmgrs = tuple(plex.qmgrs[0].model_copy(update={"name": name}) for name in names)
    changed = {"sysplexes": (plex.model_copy(update={"qmgrs": qmgrs}),), "anchor_date": DAY}
    fine = {"interval_minutes": 30, "history_days": 2}
    made = generate(spec.model_copy(update=changed | fine), folder, first_date=DAY, last_date=DAY)
    for dump in made.dumps:
        sha256 = hashlib.sha256(dump.read_bytes()).hexdigest()
        target = landing_folder(lake, "smf", DAY) / f"{sha256}.smf"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(dump, target)
    load_settings()
    return names


def _queues(lake: Path, names: list[str], queues: int) -> int:
    """Write the queue statistics of the day as one decoded file; returns the number of rows."""
    schema = dataset_schema(layouts()["QQST"])
    sha256 = "f" * 64
    path = rows_path(lake, _QQST, DAY, sha256)
    path.parent.mkdir(parents=True)
    start = datetime(DAY.year, DAY.month, DAY.day, tzinfo=UTC)
    with pq.ParquetWriter(path, schema) as writer:
        for number in range(HALF_HOURS):
            begin = start + timedelta(minutes=30 * number)
            writer.write_table(_half_hour(schema, names, queues, begin))
    rows = HALF_HOURS * len(names) * queues
    write_manifest(
        lake,
        Manifest(
            sha256=sha256,
            source="smf",
            name="queues.smf",
            received_date=DAY,
            decoder_version="benchmark",
            rows={_QQST: rows},
            first_interval_utc=start,
            last_interval_utc=start + timedelta(days=1),
            hour_dates=(DAY,),
            smfids=("TST1",),
        ),
    )
    return rows


def _half_hour(schema: pa.Schema, names: list[str], queues: int, begin: datetime) -> pa.Table:
    count = len(names) * queues
    source = np.random.Generator(np.random.PCG64(begin.hour * 60 + begin.minute))
    messages = source.integers(0, 5_000, count)
    known: dict[str, Any] = {
        "smfid": ["TST1"] * count,
        "qmgr": np.repeat(names, queues).tolist(),
        "interval_start_utc": [begin] * count,
        "interval_end_utc": [begin + timedelta(minutes=30)] * count,
        "record_hash": np.arange(count) + begin.hour * 10_000_000,
        "qqstqnam": [f"APPL.QUEUE{place % queues:04d}.REQUEST" for place in range(count)],
        "qqstcfst": [""] * count,
        "qqstqsgn": [""] * count,
        "qqstbpid": np.arange(count) % 4,
        "qqstdpth": messages // 100,
        **dict.fromkeys(("qqstputs", "qqstppt", "qqstgets"), messages),
        **dict.fromkeys(("qqstputb", "qqstppb", "qqstgetb"), messages * _BYTES),
    }
    columns = [
        pa.array(known[field.name]).cast(field.type)
        if field.name in known
        else pa.nulls(count, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


if __name__ == "__main__":
    main()
