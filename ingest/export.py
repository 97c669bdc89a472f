"""Rows of input files as CSV or Parquet, for people who only want the rows.

One file per structure, named as IBM names it (``QJST.csv``); columns are those of the lake,
IBM's field names in lower case behind the columns that say whose section it is. The files are the
same whatever the number of threads. Memory is bounded, whatever the size of the input: per thread
four tables of one batch of the decoder (about 32 MiB of the dump) and the rows that wait for their
row group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv as pcsv

from domain.source import SourceSummary
from ingest.parallel import processors, write_all
from ingest.parquet import ParquetFile, plain
from ingest.smf.content import digest_of
from ingest.sources.registry import source_for

_SECTION: Final = "section_"


class Format(StrEnum):
    """What is written; the value is the suffix of the files."""

    CSV = "csv"
    PARQUET = "parquet"


@dataclass
class Exported:
    """What was written: rows by file, and what each input held, in the order of the inputs."""

    rows: dict[Path, int] = field(default_factory=dict)
    summaries: list[SourceSummary] = field(default_factory=list)


def export(
    files: Iterable[Path],
    folder: Path,
    form: Format,
    zones: Mapping[str, str] | None = None,
    threads: int | None = None,
    digest: Callable[[Path], str] = digest_of,
) -> Exported:
    """Write the rows of all inputs into ``folder``, rows of one structure into one file.

    Files of earlier runs are replaced once everything has been read, not before; structures
    that do not occur give no file. ``zones`` as in ``source_for``; ``threads`` is how many work,
    without it as many as there are processors; ``digest`` gives the SHA-256 of a file. Raises
    InputError when an input cannot be read; then nothing is written.
    """
    inputs = [(path, source_for(path, zones)) for path in files]
    folder.mkdir(parents=True, exist_ok=True)
    done = Exported()
    with ExitStack() as stack:
        outputs = _Outputs(folder, form, stack)
        for path, source in inputs:
            reading = source.read(path, digest(path))
            write_all(reading, outputs.write, threads or processors())
            done.summaries.append(reading.summary())
        done.rows = outputs.publish()
    return done


def file_stem(dataset: str) -> str:
    """``QJST`` of ``section_qjst``; datasets that are no structure keep their name."""
    structure = dataset.startswith(_SECTION)
    return dataset.removeprefix(_SECTION).upper() if structure else dataset


@dataclass
class _Outputs:
    """Open files by dataset, under temporary names until all inputs are read."""

    folder: Path
    form: Format
    stack: ExitStack
    _writers: dict[str, Any] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def write(self, dataset: str, table: pa.Table) -> None:
        """Append rows; for different datasets on several threads at a time."""
        with self._lock:
            if dataset not in self._writers:
                self._open(dataset)
            self._rows[dataset] += table.num_rows
        self._writers[dataset].write_table(table)

    def _open(self, dataset: str) -> None:
        temporary = self._temporary(dataset)
        self.stack.callback(temporary.unlink, missing_ok=True)
        self._writers[dataset] = _WRITERS[self.form](temporary)
        self.stack.callback(self._writers[dataset].close)
        self._rows[dataset] = 0

    def publish(self) -> dict[Path, int]:
        """Give the files their names."""
        rows = {}
        for dataset, writer in self._writers.items():
            writer.close()
            target = self._target(dataset)
            self._temporary(dataset).replace(target)
            rows[target] = self._rows[dataset]
        return dict(sorted(rows.items()))

    def _target(self, dataset: str) -> Path:
        return self.folder / f"{file_stem(dataset)}.{self.form.value}"

    def _temporary(self, dataset: str) -> Path:
        return self.folder / f".{file_stem(dataset)}.{self.form.value}.part"


class _CsvFile:
    """One CSV file that is written table by table."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None

    def write_table(self, table: pa.Table) -> None:
        """Append rows."""
        rows = plain(table)
        if self._writer is None:
            self._writer = pcsv.CSVWriter(self._path, rows.schema)
        self._writer.write_table(rows)

    def close(self) -> None:
        """End the file; nothing more can be written."""
        if self._writer is not None:
            self._writer.close()


_WRITERS: Final[Mapping[Format, Callable[[Path], Any]]] = {
    Format.CSV: _CsvFile,
    Format.PARQUET: ParquetFile,
}
