"""Small lakes for tests: simulated dumps, landed as the landing step would."""

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from devtools.simulator import SimulationResult, generate, small_spec
from devtools.simulator.spec import ManagerFeatures, Sender, SharedMessageDataSet
from mqcap.domain.datasets import METRIC_HOURLY, Dataset
from mqcap.lake.layout import rows_path
from spark_apps.measure import arrow_table
from spark_apps.read import file_schema
from tests.spark_apps.rows import COMMON

FIRST = date(2025, 3, 29)
"""The day before clocks go forward in the simulated sysplex."""
LAST = date(2025, 3, 31)
RECEIVED = date(2025, 4, 1)
SENDERS = (
    Sender(queue="PAY.IN", application="PAYAPP", weight=3),
    Sender(queue="PAY.SHARED", application="CICSPAY", structure="APPL1", skips_per_get=1.5),
    Sender(queue="IMS.IN", application="IMSPAY", depth=3, messages_per_commit=7),
)
FEATURES = ManagerFeatures(
    zhyperlink_write_us=20,
    steals_per_get_page=0.01,
    dynamic_queues_per_h=60,
    list_calls_per_call=0.1,
    redrive_ratio=0.02,
    shared_message_data_set=SharedMessageDataSet(structure="APPL1", used_ratio=0.4),
    log_bypass_pct=0.4,
)


def simulated(folder: Path) -> SimulationResult:
    """Three days of the small estate, one dump for each of the last two days.

    Its first queue manager has queue statistics, accounting and all features as well.
    """
    spec = small_spec()
    [plex] = spec.sysplexes
    first, *others = plex.qmgrs
    chinit = first.chinit.model_copy(update={"tls_tasks": 2})
    further = {"ims_bridge_queues": ("IMS.IN",), "log_volumes": ("MQL001", "MQL002")}
    configured = first.configured.model_copy(update=further)
    changed = {"chinit": chinit, "configured": configured, "features": FEATURES, "senders": SENDERS}
    first = first.model_copy(update=changed)
    plex = plex.model_copy(update={"qmgrs": (first, *others)})
    spec = spec.model_copy(update={"sysplexes": (plex,), "sender_days": 3})
    return generate(spec, folder, first_date=FIRST, last_date=LAST)


def land(lake: Path, files: Iterable[Path], received_date: date = RECEIVED) -> list[Path]:
    """Copy files to where the landing step would put them."""
    landed = []
    for file in files:
        source = "console" if file.suffix in {".txt", ".log"} else "smf"
        folder = lake / "landing" / f"source={source}" / f"received_date={received_date}"
        folder.mkdir(parents=True, exist_ok=True)
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        landed.append(Path(shutil.copy(file, folder / f"{sha256}{file.suffix}")))
    return landed


def stored(lake: Path, sha256: str, dataset: str, *rows: Mapping[str, Any]) -> str:
    """Write literal rows as those of one file of the lake, and return where.

    Columns that are not given are those of ``COMMON``, else null; a section has no sysplex.
    """
    schema = file_schema(dataset)
    common = {**COMMON, "sysplex": None, "file_sha256": sha256}
    values = [{name: {**common, **row}.get(name) for name in schema} for row in rows]
    path = rows_path(lake, dataset, RECEIVED, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(arrow_table(pl.DataFrame(values, schema, strict=False)), path)
    return str(path)


def records_of(dump: Path) -> Iterator[bytes]:
    """The records of a dump with record descriptor words, each with its own."""
    content = dump.read_bytes()
    offset = 0
    while offset < len(content):
        length = int.from_bytes(content[offset : offset + 2], "big")
        yield content[offset : offset + length]
        offset += length


def hourly_table(lake: Path) -> pa.Table:
    """All rows of ``metric_hourly`` in order of its key."""
    return dataset_table(lake, METRIC_HOURLY)


def dataset_table(lake: Path, dataset: Dataset) -> pa.Table:
    """All rows of a dataset with a partition per UTC date, in order of its key."""
    files = sorted((lake / dataset.name).glob("hour_date=*/*.parquet"))
    table = pa.concat_tables(pq.read_table(file, partitioning=None) for file in files)
    return table.sort_by([(name, "ascending") for name in dataset.key])


def partition_digests(lake: Path) -> dict[str, tuple[tuple[str, str], ...]]:
    """For each partition of ``metric_hourly``: names and content hashes of its files."""
    return {
        folder.name: tuple(
            (file.name, hashlib.sha256(file.read_bytes()).hexdigest())
            for file in sorted(folder.glob("*.parquet"))
        )
        for folder in sorted((lake / METRIC_HOURLY.name).glob("hour_date=*"))
    }
