"""One process and two write the same files of a dump and the same summary."""

import hashlib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pyarrow as pa

from mqcap.domain.source import SourceSummary
from mqcap.ingest.parallel import WorkShares, in_processes, write_share
from mqcap.ingest.parquet import ParquetFile
from mqcap.ingest.smf.source import SOURCE, SmfReading

_BATCHES = 5
"""So many that records of one dataset come in several tables."""
_ROW_GROUP_ROWS = 50


class Written(NamedTuple):
    """What came out: the files by name, as hashes, and the summary with all of their rows."""

    files: dict[str, str]
    summary: SourceSummary


def check_shares(path: Path) -> None:
    """Raises AssertionError when two processes give anything else than one."""
    first, second = _written(path, 1), _written(path, 2)
    assert first.files == second.files, (
        f"files differ: {sorted(set(first.files) ^ set(second.files))}"
    )
    assert first.summary == second.summary, f"{first.summary} by one, {second.summary} by two"


def _written(path: Path, processes: int) -> Written:
    reading = SOURCE.read(path, "0" * 64)
    assert isinstance(reading, SmfReading)
    reading.batch_bytes = max(1, len(reading.content.data) // _BATCHES)
    with TemporaryDirectory() as name:
        shares = in_processes(
            lambda n: _share(reading, Path(name), WorkShares(processes, n)), processes
        )
        files = {
            file.name: hashlib.sha256(file.read_bytes()).hexdigest()
            for file in Path(name).iterdir()
        }
    rows: Counter[str] = Counter()
    for summary in shares:
        assert not rows.keys() & summary.rows_by_dataset.keys(), "a dataset of two processes"
        rows.update(summary.rows_by_dataset)
    wholes = [replace(summary, rows_by_dataset=dict(sorted(rows.items()))) for summary in shares]
    assert all(whole == wholes[0] for whole in wholes), f"processes differ: {wholes}"
    return Written(files, wholes[0])


def _share(reading: SmfReading, folder: Path, shares: WorkShares) -> SourceSummary:
    """Write the datasets of one process."""
    files: dict[str, ParquetFile] = {}

    def write(dataset: str, table: pa.Table) -> None:
        if dataset not in files:
            files[dataset] = ParquetFile(folder / dataset, _ROW_GROUP_ROWS)
        files[dataset].write_table(table)

    write_share(reading, write, shares)
    for file in files.values():
        file.close()
    return reading.summary()
